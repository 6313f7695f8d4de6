import type { SolveOptions, Solved } from '../ports/solver.ts'

/** A request to the thread. */
export interface Assignment extends Omit<SolveOptions, 'signal'> {
  readonly program: string
  /** When the request was made, in ms since 1970; the thread may have had to start first. */
  readonly askedMs: number
}

/** What the thread reports: better and better answers, then the final result. */
export interface Report {
  readonly solved: Solved
  readonly isLast: boolean
}
