/**
 * How many cases a law is tried on. Under mutation testing every law is tried again for every change to the code, so
 * there a few must do, and always the same ones.
 */
export function runs(numRuns: number): { readonly numRuns: number; readonly seed?: number } {
  return process.env['STRYKER_MUTATOR_WORKER'] === undefined ? { numRuns } : { numRuns: 50, seed: 1_800 }
}

/** What the laws of the decision are held to. */
export const RUNS = runs(2_000)
