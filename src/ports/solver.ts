/** Finds the best whole numbers that obey a program. Slow, and exact when it is given the time. */
export interface Solver {
  /**
   * Solves a program in the LP format, all of whose variables are whole numbers and which zeros obey. Ends soon after
   * `limitMs` with the best that was found by then, and within a moment when it is aborted. Several solves may run at once.
   */
  readonly solve: (program: string, options: SolveOptions) => Promise<Solved>
  /** Lets go of everything; what is being solved ends as if it were aborted. A solver that was closed can be used again. */
  readonly close: () => Promise<void>
}

export interface SolveOptions {
  readonly limitMs: number
  /** How far from the best that is possible the answer may be: a part of it, and an amount. Either is enough. */
  readonly gap: { readonly relative: number; readonly absolute: number }
  /** An answer to begin with, by the names of variables; what is left out is found. One that obeys no program is ignored. */
  readonly start?: ReadonlyMap<string, number>
  readonly signal?: AbortSignal
}

export type Solved =
  | {
      readonly kind: 'solved'
      /** By the names of variables. Whole numbers, but for a tiny rest. */
      readonly values: ReadonlyMap<string, number>
      readonly objective: number
      /** No answer is better than this. */
      readonly bound: number
      /** Whether the answer is within the gap; otherwise the time was over. */
      readonly isProven: boolean
      readonly tookMs: number
    }
  /** Nothing was found in that time. */
  | { readonly kind: 'out-of-time' }
  | { readonly kind: 'aborted' }
