import type { Ask, AskPlan } from './plan.ts'
import { failing } from './tally.ts'

/** The places that rejected a role as invalid; undefined: the workload has no roles. */
export type WrongAt = (role: string | undefined) => readonly string[]

/** The same asks, but not at the places that rejected the workload as invalid; the very same where none did. */
export function elsewhere(asks: readonly Ask[], wrongAt: WrongAt): readonly Ask[] {
  const moved = asks.map((ask) => {
    const places = wrongAt(ask.role).toSorted()
    return places.length === 0 ? ask : { ...ask, need: { ...ask.need, wrongAt: places } }
  })
  return moved.every((ask, index) => ask === asks[index]) ? asks : moved
}

/**
 * Whether every place that could ever take it has rejected it. Then those places are tried again until the restarts run out.
 */
export function isWrongEverywhere({ ask, tally }: Pick<AskPlan, 'ask' | 'tally'>): boolean {
  if (ask.need.wrongAt.length === 0 || tally.fits.length > 0) return false
  return !tally.bands.some((band) => failing(band).every(({ name }) => PASSING.has(name)))
}

/** Requirements that can be met later, when other work ends or time passes. */
const PASSING: ReadonlySet<string> = new Set(['stock', 'quota', 'health'])
