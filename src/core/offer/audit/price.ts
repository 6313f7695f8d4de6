import type { QuarantineCode } from '../offer.ts'

/** No card is sold for less; a lower price stands for "ask" or "bid". */
const USD_PER_CARD_MIN = 0.02
/** No card is sold for more; a higher price is meant to keep buyers away. */
const USD_PER_CARD_MAX = 1_000
/** Spot prices follow demand and sometimes exceed on-demand prices, but never by this factor. */
const SPOT_FACTOR_MAX = 3
/** When this many sizes of one machine have the same price, it is a placeholder. */
const FLAT_COUNTS_MIN = 3

/** The two prices of a row in dollars per hour, as written; zero and undefined mean not sold on these terms. */
export interface StatedPrices {
  readonly usdPerHour: number | undefined
  readonly spotUsdPerHour: number | undefined
}

export interface PriceFinding extends StatedPrices {
  readonly quarantine: QuarantineCode | undefined
  readonly note: string | undefined
}

/**
 * Judges the prices of a machine by its number of cards: a quarter of a card counts as 0.25, and without cards every
 * price passes. `isFlat` says that other sizes of the machine have the same price; see `flatPrices`.
 */
export function auditPrices(
  stated: StatedPrices,
  machine: { readonly cards: number; readonly isFlat: boolean },
): PriceFinding {
  const prices = soldPrices(stated)
  if (prices.usdPerHour === undefined && prices.spotUsdPerHour === undefined) {
    return { ...prices, quarantine: 'PRICE_MISSING', note: 'neither on-demand nor spot' }
  }
  const note = placeholderNote(prices, machine)
  return { ...prices, quarantine: note === undefined ? undefined : 'PRICE_PLACEHOLDER', note }
}

/** The prices at which the machine is really sold. */
export function soldPrices({ usdPerHour, spotUsdPerHour }: StatedPrices): StatedPrices {
  return { usdPerHour: sold(usdPerHour), spotUsdPerHour: sold(spotUsdPerHour) }
}

function sold(usd: number | undefined): number | undefined {
  return usd === 0 ? undefined : usd
}

function placeholderNote(
  prices: StatedPrices,
  machine: { readonly cards: number; readonly isFlat: boolean },
): string | undefined {
  const { usdPerHour, spotUsdPerHour } = prices
  for (const usd of [usdPerHour, spotUsdPerHour]) {
    if (usd === undefined) continue
    if (!Number.isFinite(usd)) return `${usd} is not a price`
    if (usd < 0) return `$${usd} is below zero`
    if (machine.cards === 0) continue
    const usdPerCard = usd / machine.cards
    if (usdPerCard < USD_PER_CARD_MIN) return `$${shorten(usdPerCard)} a card is below $${USD_PER_CARD_MIN}`
    if (usdPerCard > USD_PER_CARD_MAX) return `$${shorten(usdPerCard)} a card is above $${USD_PER_CARD_MAX}`
  }
  if (usdPerHour !== undefined && spotUsdPerHour !== undefined && spotUsdPerHour > usdPerHour * SPOT_FACTOR_MAX) {
    return `spot $${spotUsdPerHour} against $${usdPerHour} on demand`
  }
  return machine.isFlat ? `$${usdPerHour ?? spotUsdPerHour} for any number of cards` : undefined
}

function shorten(usd: number): string {
  return String(Number(usd.toPrecision(3)))
}

/** One row's entry in the search for flat prices. */
export interface PricedMachine extends StatedPrices {
  /** Rows with equal keys are sizes of one machine: the same provider, place and card. */
  readonly key: string
  readonly cards: number
}

/** The `key|price` pairs that three or more different numbers of cards share. Check them with `isFlatPrice`. */
export function flatPrices(machines: Iterable<PricedMachine>): ReadonlySet<string> {
  const cardsOf = new Map<string, Set<number>>()
  for (const machine of machines) {
    for (const priceKey of priceKeys(machine)) {
      const cards = cardsOf.get(priceKey)
      if (cards === undefined) cardsOf.set(priceKey, new Set([machine.cards]))
      else cards.add(machine.cards)
    }
  }
  const flat = new Set<string>()
  for (const [priceKey, cards] of cardsOf) if (cards.size >= FLAT_COUNTS_MIN) flat.add(priceKey)
  return flat
}

export function isFlatPrice(flat: ReadonlySet<string>, machine: Omit<PricedMachine, 'cards'>): boolean {
  return flat.size > 0 && priceKeys(machine).some((priceKey) => flat.has(priceKey))
}

function priceKeys(machine: Omit<PricedMachine, 'cards'>): readonly string[] {
  const keys: string[] = []
  if (sold(machine.usdPerHour) !== undefined) keys.push(`${machine.key}|on-demand|${machine.usdPerHour}`)
  if (sold(machine.spotUsdPerHour) !== undefined) keys.push(`${machine.key}|spot|${machine.spotUsdPerHour}`)
  return keys
}
