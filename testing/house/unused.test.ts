import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from './files.ts'

// `npm run check` lets knip look at the whole repository. Here it looks at a small one with our settings, and has to find
// what is wrong with it and nothing else.

const FILES = {
  'src/entry/main.ts': "import { used } from '../core/a.ts'\nused()\n",
  'src/core/a.ts': 'export const used = () => 1\nexport const tested = 2\nexport const idle = 3\n',
  'src/core/a.test.ts': "import { test } from 'vitest'\nimport { tested } from './a.ts'\ntest('a', () => tested)\n",
  'src/core/alone.ts': 'export const alone = 1\n',
  'vitest.config.ts': "export default { test: { include: ['src/**/*.test.ts'] } }\n",
}

const folder = mkdtempSync(join(tmpdir(), 'berth-unused-'))

beforeAll(() => {
  for (const path of [
    'package.json',
    'tsconfig.json',
    'tools/node',
    'knip.jsonc',
    'testing/house/knip-shipped.jsonc',
  ]) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('a file and an export that nothing uses are found', () => {
  expect(found('-c', 'knip.jsonc')).toEqual(['src/core/alone.ts', 'idle src/core/a.ts:3:14'])
})

test('in shipped code also what tests alone use', () => {
  const flags = ['--production', '-c', 'testing/house/knip-shipped.jsonc']
  expect(found(...flags)).toEqual(['src/core/alone.ts', 'tested src/core/a.ts:2:14', 'idle src/core/a.ts:3:14'])
})

/** The lines in which knip names one of the files. */
function found(...flags: readonly string[]): readonly string[] {
  const argv = [join(ROOT, 'node_modules/knip/bin/knip.js'), '--no-progress', '--files', '--exports', ...flags]
  const { stdout } = spawnSync(process.execPath, argv, { cwd: folder, encoding: 'utf8' })
  const lines = stdout.split('\n').filter((line) => line.includes('src/core/'))
  return lines.map((line) => line.trim().replaceAll(/\s+/g, ' '))
}
