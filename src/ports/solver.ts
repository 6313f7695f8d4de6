/** Finds the best whole numbers that satisfy a program. Slow, and exact if it has enough time. */
export interface Solver {
  /**
   * Solves a program in the LP format. All its variables are whole numbers, and zeros satisfy it. Ends soon after `limitMs`
   * with the best answer so far, and almost at once when aborted. Several solves may run at once.
   */
  readonly solve: (program: string, options: SolveOptions) => Promise<Solved>
  /** Releases everything; running solves end as if aborted. A closed solver can be used again. */
  readonly close: () => Promise<void>
}

export interface SolveOptions {
  readonly limitMs: number
  /** How far the answer may be from the optimum: relative to it, and absolute. Either is enough. */
  readonly gap: { readonly relative: number; readonly absolute: number }
  /**
   * A starting answer, by the names of variables; missing ones are computed. One that does not satisfy the program is ignored.
   */
  readonly start?: ReadonlyMap<string, number>
  readonly signal?: AbortSignal
}

export type Solved =
  | {
      readonly kind: 'solved'
      /** By the names of variables. Whole numbers, up to a tiny error. */
      readonly values: ReadonlyMap<string, number>
      readonly objective: number
      /** No answer is better than this. */
      readonly bound: number
      /** Whether the answer is within the gap; otherwise the time was up. */
      readonly isProven: boolean
      readonly tookMs: number
    }
  /** Nothing was found in that time. */
  | { readonly kind: 'out-of-time' }
  | { readonly kind: 'aborted' }
