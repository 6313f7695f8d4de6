import type { SolveOptions, Solved } from '../ports/solver.ts'

/** What the thread is asked for. */
export interface Assignment extends Omit<SolveOptions, 'signal'> {
  readonly program: string
  /** When it was asked, in ms since 1970; the thread may have had to be started first. */
  readonly askedMs: number
}

/** What the thread tells: better and better answers, then the last word. */
export interface Report {
  readonly solved: Solved
  readonly isLast: boolean
}
