import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { patience } from './cpu.suite.ts'

function loaded(text: string): number {
  const folder = mkdtempSync(join(tmpdir(), 'berth-load-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'loadavg'), text)
  return patience(join(folder, 'loadavg'))
}

test('a busy machine is given more time: by what it had to do lately, or has to do now', () => {
  const processors = availableParallelism()
  expect(loaded(`${4 * processors}.00 1.00 1.00 2/300 4711\n`)).toBe(4)
  expect(loaded(`0.50 0.50 0.50 ${6 * processors}/300 4711\n`)).toBe(6)
})

test('an idle one, or one that says nothing, is given what is stated', () => {
  expect(loaded('0.10 0.20 0.30 1/300 4711\n')).toBe(1)
  expect(patience('/nowhere')).toBe(1)
})
