/**
 * How much of a test is run, said in one place. `npm test` tries every law and every story, on few cases and always the same
 * ones, so that it fails by what was changed alone; `npm run test:all` on all of them, which are others each time, except in
 * CI. Under mutation testing a law is tried again for every change to the code: as in `npm test`.
 */

/** Set by `npm run test:all`. */
export const IS_WHOLE = process.env['BERTH_TESTS'] === 'all'

/** A change is not held back by a case that nobody had met before it. */
const IS_FIXED = !IS_WHOLE || process.env['CI'] === 'true'

const SHARE = 50
const CASES_MIN = 12
const SEED = 1_800

/** What fast-check is told; `all` is what `npm run test:all` runs. */
export interface Cases {
  readonly numRuns: number
  readonly seed?: number
}

/** How many cases a law is tried on; `least` is lower where each case takes long. */
export function cases(all: number, least = CASES_MIN): Cases {
  const numRuns = IS_WHOLE ? all : Math.min(all, Math.max(least, Math.ceil(all / SHARE)))
  return { numRuns, ...drawn() }
}

/** Which cases are drawn. */
export function drawn(): Pick<Cases, 'seed'> {
  return IS_FIXED ? { seed: SEED } : {}
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
