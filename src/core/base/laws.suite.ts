/**
 * How much of a test is run, said in one place. `npm test` tries every law and every story, on few cases; `npm run test:all`
 * on all of them. Under mutation testing a law is tried again for every change to the code, so there a few cases must do,
 * and always the same ones.
 */
const isMutated = process.env['STRYKER_MUTATOR_WORKER'] !== undefined

/** Set by `npm run test:all`. */
export const IS_WHOLE = process.env['BERTH_TESTS'] === 'all'

const SHARE = 10
const CASES_MIN = 20

/** What fast-check is told; `all` is what `npm run test:all` runs. */
export interface Cases {
  readonly numRuns: number
  readonly seed?: number
}

/** How many cases a law is tried on. */
export function cases(all: number): Cases {
  const numRuns = IS_WHOLE ? all : Math.min(all, Math.max(CASES_MIN, Math.ceil(all / SHARE)))
  return isMutated ? { numRuns, seed: 1_800 } : { numRuns }
}

/** How often something is repeated, of so many times in all. */
export function times(all: number): number {
  return cases(all).numRuns
}

/** How often something must have been seen at least, for a law to have said anything: of so many times in all cases. */
export function enough(all: number): number {
  return IS_WHOLE ? all : Math.floor(all / SHARE / 4)
}

/** The size of a story that has a small form of its own. */
export function sized<T>(size: { readonly quick: T; readonly whole: T }): T {
  return IS_WHOLE ? size.whole : size.quick
}
