/** What a run of tests comes to. */
export interface Counts {
  readonly passed: number
  readonly failed: number
}

/** Counted from vitest's report. A run that fails without a failed test (a file that does not load, the budget) is a failure, too. */
export function countIn(report: string, exitCode: number): Counts {
  const { numPassedTests, numFailedTests }: Report = JSON.parse(report)
  return { passed: numPassedTests, failed: exitCode === 0 ? numFailedTests : Math.max(1, numFailedTests) }
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
}
