import { expect, test } from 'vitest'
import { EXIT } from '../cli.ts'
import { berth, words } from '../harness.suite.ts'

test('berth simulate lists what can be played', async () => {
  const { code, out } = await berth(words('simulate --help'))
  expect(code).toBe(EXIT.ok)
  expect(out).toContain('openb [options]')
  expect(out).toContain('trace [options] <trace>')
})

test.each(['openb', 'trace'])('berth simulate %s --help has examples', async (name) => {
  const { code, out } = await berth(['simulate', name, '--help'])
  expect(code).toBe(EXIT.ok)
  expect(out).toMatch(new RegExp(`Examples:\n {2}berth simulate ${name} `))
})
