/** Where a problem is in a text from the user. */
export interface TextPlace {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly length: number
}

/** Something that the user can fix: what, where, and how to go on. A bad input yields all of its problems at once. */
export interface Problem {
  readonly code: string
  /** One sentence: what is wrong. */
  readonly message: string
  /** How to go on: one or a few lines. */
  readonly hint?: string
  /** The offending text, as written. */
  readonly found?: string
  readonly place?: TextPlace
}

/** The source line of a problem, for printing. */
export interface SourcedProblem extends Problem {
  readonly sourceLine?: string
}

/** Thrown at the edges for unusable input, with every problem found. Never thrown for bugs. */
export class UserError extends Error {
  readonly problems: readonly SourcedProblem[]
  constructor(problems: readonly SourcedProblem[]) {
    super(problems.map((problem) => `${problem.code}: ${problem.message}`).join('\n'))
    this.problems = problems
  }
}
