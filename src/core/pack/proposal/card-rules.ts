import type { CutSlice } from '../../fleet/fleet.ts'
import type { Layout } from '../../fleet/layout.ts'
import { cutOf, maskOf as sliceMask, slicesOf } from '../../fleet/mig/cut.ts'
import { migRules, smallestProfile, startsFor, valueOf, type MigRules } from '../../fleet/mig/rules.ts'
import { cardsOf, countCards, maskOf } from '../../fleet/topology/card-mask.ts'
import { chooseCards } from '../../fleet/topology/choose-cards.ts'
import { islands } from '../../fleet/topology/islands.ts'

/** What proposals need to know about cards without deciding it: how they may be cut and which go well together. */
export interface CardRules {
  /**
   * All slices of the smallest profile with this much memory, at each allowed position; empty: no profile has that much;
   * undefined: cards of this model cannot be cut.
   */
  readonly cuts: (model: string | undefined, vramGib: number) => readonly CutSlice[] | undefined
  /**
   * How useful the rest of a card is next to these slices; undefined: they overlap. More slices never make it more useful, nor
   * an overlap valid.
   */
  readonly valueOf: (model: string | undefined, slices: readonly CutSlice[]) => number | undefined
  /** How much of a card a slice takes, above 0 and at most 1. */
  readonly shareOf: (model: string | undefined, slice: CutSlice) => number
  /** `count` of these cards, ascending: those with the best links. There are at least that many. */
  readonly choose: (layout: Layout | undefined, among: readonly number[], count: number) => readonly number[]
  /** Sets of cards that are joined better among each other than to the rest; a set may be inside another. */
  readonly islands: (layout: Layout | undefined) => readonly (readonly number[])[]
}

/** The rules from the tables of MIG and topology. */
export const CARD_RULES: CardRules = {
  cuts(model, vramGib) {
    const rules = rulesFor(model)
    if (rules === undefined) return undefined
    const profile = smallestProfile(rules, vramGib)
    return profile === undefined ? [] : startsFor(rules, profile).map((start) => cutOf(rules, profile, start))
  },
  valueOf(model, slices) {
    const rules = rulesFor(model)
    const mask = rules === undefined ? undefined : sliceMask(rules, slices)
    return rules === undefined || mask === undefined ? undefined : valueOf(rules, mask)
  },
  shareOf(model, slice) {
    const rules = rulesFor(model)
    const mask = rules === undefined ? undefined : slicesOf(rules, slice)
    // A slice of unknown size counts as the whole card: not knowing must not make a cost smaller.
    return rules === undefined || mask === undefined ? 1 : countCards(mask) / rules.slices
  },
  choose(layout, among, count) {
    const isWired = layout !== undefined && among.every((card) => card < BITS)
    return isWired ? cardsOf(chooseCards(layout, maskOf(among), count)) : among.slice(0, count)
  },
  islands(layout) {
    return layout === undefined || layout.cards > BITS ? [] : islands(layout).map(({ mask }) => cardsOf(mask))
  },
}

/** Sets of cards are kept in the bits of a number. */
const BITS = 31

function rulesFor(model: string | undefined): MigRules | undefined {
  return model === undefined ? undefined : migRules(model)
}
