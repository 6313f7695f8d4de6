import { assert } from '../../base/assert.ts'
import { chooseStart, give, runOf, take, type MigRules } from './rules.ts'

/** A card with slices that stay when nobody uses them, because somebody else cut them or wants them kept. */
export interface PrecutCard {
  /** Memory slices in use. */
  readonly used: number
  /** Slices that exist and are free. */
  readonly spare: readonly Spare[]
}

export interface Spare {
  /** Index into the profiles of the card. */
  readonly profile: number
  readonly start: number
}

/** A slice that was found, and what had to be done for it: nothing, a cut beside what is there, or a new cut of all. */
export interface Found {
  readonly card: PrecutCard
  readonly start: number
  readonly by: 'reuse' | 'cut' | 'recut'
}

/**
 * Takes a slice: one that exists, else one cut out of free memory, else, where nothing is in use, one on the emptied
 * card. Undefined: there is no room.
 */
export function takeSlice(rules: MigRules, card: PrecutCard, profile: number): Found | undefined {
  const reused = card.spare.filter((spare) => spare.profile === profile).toSorted(byStart)[0]
  if (reused !== undefined) {
    const used = take(card.used, runOf(rules, profile, reused.start))
    return { card: { used, spare: card.spare.filter((spare) => spare !== reused) }, start: reused.start, by: 'reuse' }
  }
  const beside = chooseStart(rules, existing(rules, card), profile)
  if (beside >= 0) {
    const used = take(card.used, runOf(rules, profile, beside))
    return { card: { used, spare: card.spare }, start: beside, by: 'cut' }
  }
  const alone = card.used === 0 ? chooseStart(rules, 0, profile) : -1
  return alone < 0 ? undefined : { card: { used: runOf(rules, profile, alone), spare: [] }, start: alone, by: 'recut' }
}

/** Gives a slice back. It goes on existing, free for the next one that wants just such a slice. */
export function giveSlice(rules: MigRules, card: PrecutCard, slice: Spare): PrecutCard {
  return { used: give(card.used, runOf(rules, slice.profile, slice.start)), spare: [...card.spare, slice] }
}

/** Every memory slice that belongs to a slice, used or free. */
function existing(rules: MigRules, { used, spare }: PrecutCard): number {
  return spare.reduce((taken, { profile, start }) => {
    const slices = runOf(rules, profile, start)
    assert((taken & slices) === 0, 'slices of one card do not overlap')
    return taken | slices
  }, used)
}

function byStart(one: Spare, two: Spare): number {
  return one.start - two.start
}
