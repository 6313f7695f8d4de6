import { expect, test } from 'vitest'
import { serveTarget } from './serve-command.ts'

test.each([
  ['serve run app:main', { importPath: 'app:main', routePrefix: '/', args: {} }],
  ['serve run --blocking --route-prefix /v1 my.app:main', { importPath: 'my.app:main', routePrefix: '/v1', args: {} }],
  [
    'serve run app:build --route-prefix=/x model=llama size=8=b',
    { importPath: 'app:build', routePrefix: '/x', args: { model: 'llama', size: '8=b' } },
  ],
])('%s is an application', (command, target) => {
  expect(serveTarget(command.split(' '))).toEqual(target)
})

test.each([
  '',
  'serve',
  'serve run',
  'serve deploy app:main',
  'python app.py',
  'serve run config.yaml',
  'serve run app.main',
  'serve run app:main --working-dir .',
  'serve run app:main other',
  'serve run app:main --route-prefix',
  'serve run --route-prefix v1 app:main',
  'serve run --route-prefix /a --route-prefix /b app:main',
])('"%s" is none that can be written down', (command) => {
  expect(serveTarget(command.split(' '))).toBeUndefined()
})
