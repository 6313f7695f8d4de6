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

/** The files in which something failed, from the root. */
export function failedFiles(report: string, root: string): readonly string[] {
  const { testResults = [] }: Report = JSON.parse(report)
  return testResults.filter(({ status }) => status === 'failed').map(({ name }) => name.replace(`${root}/`, ''))
}

/** How many tests of these files passed. */
export function passedIn(report: string, files: readonly string[]): number {
  const { testResults = [] }: Report = JSON.parse(report)
  const theirs = testResults.filter(({ name }) => files.some((file) => name.endsWith(file)))
  return theirs.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => status === 'passed').length
}

interface Report {
  readonly numPassedTests: number
  readonly numFailedTests: number
  readonly testResults?: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string }[]
  }[]
}
