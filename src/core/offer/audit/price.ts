import type { QuarantineCode } from '../offer.ts'

/** Nobody sells a card for less; what is below stands for "ask" or "bid". */
const USD_PER_CARD_MIN = 0.02
/** Nobody sells a card for more; what is above keeps buyers away. */
const USD_PER_CARD_MAX = 1_000
/** Spot prices follow demand and pass on-demand now and then, but never by this much. */
const SPOT_FACTOR_MAX = 3
/** So many sizes of one machine at one and the same price are no price. */
const FLAT_COUNTS_MIN = 3

/** The two prices of a row in dollars an hour, as written; zero and undefined: not sold on these terms. */
export interface StatedPrices {
  readonly usdPerHour: number | undefined
  readonly spotUsdPerHour: number | undefined
}

export interface PriceFinding extends StatedPrices {
  readonly quarantine: QuarantineCode | undefined
  readonly note: string | undefined
}

/**
 * Judges the prices of a machine with so many cards (a quarter of a card counts 0.25; zero cards: any price is
 * believed). `isFlat` tells that other sizes of the machine carry the very same price, see `flatPrices`.
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

/** The prices on which the machine can really be had. */
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
    if (!Number.isFinite(usd)) return `${usd} is no price`
    if (usd < 0) return `$${usd} is below zero`
    if (machine.cards === 0) continue
    const usdPerCard = usd / machine.cards
    if (usdPerCard < USD_PER_CARD_MIN) return `$${shorten(usdPerCard)} a card is below $${USD_PER_CARD_MIN}`
    if (usdPerCard > USD_PER_CARD_MAX) return `$${shorten(usdPerCard)} a card is above $${USD_PER_CARD_MAX}`
  }
  if (usdPerHour !== undefined && spotUsdPerHour !== undefined && spotUsdPerHour > usdPerHour * SPOT_FACTOR_MAX) {
    return `spot $${spotUsdPerHour} against $${usdPerHour} on demand`
  }
  return machine.isFlat ? `$${usdPerHour ?? spotUsdPerHour} whatever the number of cards` : undefined
}

function shorten(usd: number): string {
  return String(Number(usd.toPrecision(3)))
}

/** One row's entry in the search for flat prices. */
export interface PricedMachine extends StatedPrices {
  /** Rows with equal keys are sizes of one machine: same provider, place and card. */
  readonly key: string
  readonly cards: number
}

/** Which `key|price` pairs are carried by three or more different numbers of cards. Ask with `isFlatPrice`. */
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
