/** How long the tests may take on two idle processors of the reference machine. */
export const BUDGET_S = { quick: 180, whole: 880, engines: 900 } as const

/** What a run took and what the machine was like meanwhile. */
export interface Measured {
  readonly tookS: number
  /** Processors of the machine. */
  readonly processors: number
  /** Processor seconds that others took meanwhile. */
  readonly othersS: number
  /** How much slower one processor is than the reference; 1: as quick, or quicker. */
  readonly slowness: number
}

/** Something that was waited for: a test, or what a file sets up. */
export interface Timed {
  readonly name: string
  readonly ms: number
}

const NAMED = 10
/** What the budget is meant for. */
const PROCESSORS = 2

/**
 * What the run would have taken on the reference machine with nothing else to do. Others have taken a share of the
 * processors and, at most, that share of the time.
 */
export function fairSeconds({ tookS, processors, othersS, slowness }: Measured): number {
  const shareOfOthers = Math.min(0.9, Math.max(0, othersS) / (tookS * processors))
  const lacking = Math.max(1, PROCESSORS / processors)
  return (tookS * (1 - shareOfOthers)) / (lacking * slowness)
}

/** What to say about a run that went over its budget, with the slowest named; undefined: it did not. */
export function overBudget(measured: Measured, budgetS: number, timed: readonly Timed[]): string | undefined {
  const fair = fairSeconds(measured)
  if (fair <= budgetS) return undefined
  const slowest = timed.toSorted((one, two) => two.ms - one.ms).slice(0, NAMED)
  return [
    `The tests took ${Math.round(measured.tookS)} s, which counts as ${Math.ceil(fair)} s on ${PROCESSORS} idle processors; their budget is ${budgetS} s.`,
    'Make what you added quicker, or give it a small size for npm test and its full size for npm run test:all',
    '(src/core/base/laws.suite.ts says how). The slowest ten:',
    ...slowest.map(({ name, ms }) => `  ${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`),
  ].join('\n')
}
