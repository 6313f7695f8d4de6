import { must } from '../../base/assert.ts'
import { modelFacts } from '../../hardware/family.ts'
import type { CardFinding } from './card.ts'
import { auditPrices, soldPrices, type StatedPrices } from './price.ts'
import type { OfferGpu, QuarantineCode, RepairCode, RowVerdict } from '../offer.ts'

export type { CardFinding } from './card.ts'
export { auditCard, vramHabit } from './card.ts'
export type { SourceClaim } from './claim.ts'
export { flatPrices, isFlatPrice } from './price.ts'

/** The verdict on one row: exactly one of `quarantine` and (for an accelerator row) `gpu` is set. */
export interface AuditFinding {
  readonly verdict: RowVerdict['verdict']
  readonly repairs: readonly RepairCode[]
  readonly quarantine: QuarantineCode | undefined
  readonly note: string | undefined
  readonly gpu: OfferGpu | undefined
  readonly usdPerHour: number | undefined
  readonly spotUsdPerHour: number | undefined
}

export interface PriceClaim extends StatedPrices {
  /** Other sizes of this machine have the same price; see `flatPrices`. */
  readonly isFlat: boolean
}

/** The verdict on a row whose cards are already known: many rows differ only in price. */
export function conclude(card: CardFinding, prices: PriceClaim): AuditFinding {
  const { gpu } = card
  if (gpu === undefined) return quarantined(card.quarantine, card.note, prices)
  const priced = auditPrices(prices, { cards: wholeCards(gpu), isFlat: prices.isFlat })
  if (priced.quarantine !== undefined) return quarantined(priced.quarantine, priced.note, priced)
  const { repairs, note } = card
  const { usdPerHour, spotUsdPerHour } = priced
  const verdict = repairs.length === 0 ? 'resolved' : 'repaired'
  return { verdict, repairs, quarantine: undefined, note, gpu, usdPerHour, spotUsdPerHour }
}

/** The verdict on a machine without accelerators: only its prices can be wrong. */
export function concludeWithoutCard(prices: StatedPrices): AuditFinding {
  const priced = auditPrices(prices, { cards: 0, isFlat: false })
  if (priced.quarantine !== undefined) return quarantined(priced.quarantine, priced.note, priced)
  const { usdPerHour, spotUsdPerHour } = priced
  return {
    verdict: 'resolved',
    repairs: [],
    quarantine: undefined,
    note: undefined,
    gpu: undefined,
    usdPerHour,
    spotUsdPerHour,
  }
}

export function quarantined(code: QuarantineCode, note: string | undefined, prices: StatedPrices): AuditFinding {
  const { usdPerHour, spotUsdPerHour } = soldPrices(prices)
  return { verdict: 'quarantined', repairs: [], quarantine: code, note, gpu: undefined, usdPerHour, spotUsdPerHour }
}

/** The number of cards that a price is for: two quarters of a card count as half a card. */
export function wholeCards({ model, count, slice }: OfferGpu): number {
  if (slice === undefined) return count
  return (count * slice.gib) / must(modelFacts(model), 'an offer names a model of the table').vramGib
}
