import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../house/files.ts'

function runSample(file: string, budgetS: number): { readonly code: number | null; readonly said: string } {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const argv = [vitest, 'run', '--config', join(import.meta.dirname, 'sample/vitest.config.ts')]
  const env = { ...process.env, SAMPLE_FILE: file, SAMPLE_BUDGET_S: String(budgetS), NO_COLOR: '1' }
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: ROOT, env, encoding: 'utf8' })
  return { code: status, said: `${stdout}${stderr}` }
}

test('a run that is over its budget fails although all tests passed, and names the slowest', () => {
  const { code, said } = runSample('waits.sample.ts', 0)
  expect(said).toMatch(/The tests took \d+ s, which counts as \d+ s on 2 idle processors; their budget is 0 s\./)
  expect(said).toMatch(/ \d\.\d s {2}waits\.sample\.ts > takes its time/)
  expect(code).toBe(1)
})

test('one within its budget is left alone, but a test that passed only at its second try is named', () => {
  const { code, said } = runSample('flaky.sample.ts', 600)
  expect(said.trim().split('\n')).toEqual([
    '1 test passed only at the second try. Find out what the first one depended on, and mend it:',
    '  FLAKY flaky.sample.ts > passes at its second try',
    '        expected 1 to be 2 // Object.is equality',
  ])
  expect(code).toBe(0)
})
