import { expect, test } from 'vitest'
import { countIn, failedFiles, passedIn } from './counts.ts'

const report = (numPassedTests: number, numFailedTests: number): string =>
  JSON.stringify({ numPassedTests, numFailedTests })

test('what passed and what failed is counted', () => {
  expect(countIn(report(3, 0), 0)).toEqual({ passed: 3, failed: 0 })
  expect(countIn(report(3, 2), 1)).toEqual({ passed: 3, failed: 2 })
})

test('a run that fails without a failed test is a failure', () => {
  expect(countIn(report(3, 0), 1)).toEqual({ passed: 3, failed: 1 })
})

test('files that failed are known, with what passed in them', () => {
  const assertionResults = [{ status: 'passed' }, { status: 'failed' }]
  const testResults = [
    { name: '/w/testing/a.engines.test.ts', status: 'failed', assertionResults },
    { name: '/w/testing/b.engines.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }] },
  ]
  const report = JSON.stringify({ numPassedTests: 2, numFailedTests: 1, testResults })
  expect(failedFiles(report, '/w')).toEqual(['testing/a.engines.test.ts'])
  expect(passedIn(report, ['testing/a.engines.test.ts'])).toBe(1)
})
