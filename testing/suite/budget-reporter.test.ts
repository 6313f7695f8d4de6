import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../house/files.ts'

function runSample(budgetS: number): { readonly code: number | null; readonly said: string } {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const argv = [vitest, 'run', '--config', join(import.meta.dirname, 'sample/vitest.config.ts')]
  const env = { ...process.env, SAMPLE_BUDGET_S: String(budgetS), NO_COLOR: '1' }
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: ROOT, env, encoding: 'utf8' })
  return { code: status, said: `${stdout}${stderr}` }
}

test('a run that is over its budget fails although all tests passed, and names the slowest', () => {
  const { code, said } = runSample(0)
  expect(said).toMatch(/The tests took \d+ s, which counts as \d+ s on 2 idle processors; their budget is 0 s\./)
  expect(said).toMatch(/ \d\.\d s {2}waits\.sample\.ts > takes its time/)
  expect(code).toBe(1)
})

test('a run within its budget is left alone', () => {
  expect(runSample(600)).toEqual({ code: 0, said: '' })
})
