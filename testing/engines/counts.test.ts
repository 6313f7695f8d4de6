import { expect, test } from 'vitest'
import { countIn } from './counts.ts'

const report = (numPassedTests: number, numFailedTests: number): string =>
  JSON.stringify({ numPassedTests, numFailedTests })

test('what passed and what failed is counted', () => {
  expect(countIn(report(3, 0), 0)).toEqual({ passed: 3, failed: 0 })
  expect(countIn(report(3, 2), 1)).toEqual({ passed: 3, failed: 2 })
})

test('a run that fails without a failed test is a failure', () => {
  expect(countIn(report(3, 0), 1)).toEqual({ passed: 3, failed: 1 })
})
