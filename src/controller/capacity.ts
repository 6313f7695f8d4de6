import type { Change } from '../core/life/change.ts'
import type { Place } from '../core/life/call/order.ts'
import type { Placement } from '../core/life/placement.ts'
import type { Snapshot } from '../core/offer/snapshot.ts'
import type { Inventory } from '../ports/provider.ts'
import type { Ledger } from './step/ledger.ts'
import { lacksIn, lostIn, offersOn, offersOfProvider, snapshotOf, type ProviderOffers } from './provider-offers.ts'
import type { KnownPlatform } from './step/platform.ts'

/** How long decisions wait for a provider that is slow to list its offers. */
const ANSWER_WITHIN_MS = 1000

/** All that can be had now: the offers of all providers that take work, and remembered refusals. */
export class Capacity {
  readonly #ledger: Ledger
  readonly #capacities = new Map<string, ProviderOffers>()
  /** By provider: when work of ours ended there and its offers have not been read since. */
  readonly #freed = new Map<string, number>()
  #snapshot: Snapshot | undefined
  #madeFor = ''

  constructor(ledger: Ledger) {
    this.#ledger = ledger
  }

  /** True: it differs from what was known, or from what we have derived since. */
  stocked(provider: string, inventory: Inventory, askedMs: number): boolean {
    const before = this.#capacities.get(provider)
    this.#capacities.set(provider, offersOfProvider(inventory, this.#ledger.on(provider).values(), askedMs))
    const isFreed = (this.#freed.get(provider) ?? Infinity) <= askedMs
    if (isFreed) this.#freed.delete(provider)
    this.#snapshot = undefined
    return isFreed || before === undefined || contentOf(before.inventory) !== contentOf(inventory)
  }

  /** Providers that may have more than they last said, because work of ours has ended there. */
  get freed(): Iterable<string> {
    return this.#freed.keys()
  }

  offersOf(provider: string): number {
    return offersOn(this.#capacities.get(provider))
  }

  /** Something was reserved, refused or released: the next decision sees it if it makes a difference. */
  changed({ placements, refusals }: Change, nowMs: number): void {
    for (const placement of placements) {
      const step = isIntent(placement) ? 1 : placement.phase === 'gone' ? -1 : 0
      const { provider, offer } = placement.order.place
      if (isFreed(placement)) this.#freed.set(provider, nowMs)
      const capacity = this.#capacities.get(provider)
      const sinceMs = Math.max(placement.reservedMs, placement.calledMs)
      if (step === 0 || capacity === undefined || sinceMs < capacity.askedMs) continue
      capacity.taken.set(offer, Math.max(0, (capacity.taken.get(offer) ?? 0) + step))
    }
    const isNews = placements.some(
      ({ order, phase }) => (phase === 'reserved' || phase === 'gone') && this.#isCounted(order.place),
    )
    if (isNews || (refusals !== undefined && refusals.length > 0)) this.#snapshot = undefined
  }

  /** Whether one unit more or less changes what is left; an offer without a count is never sold out. */
  #isCounted({ provider, offer, node }: Place): boolean {
    return node !== undefined || this.#capacities.get(provider)?.counted.has(offer) !== false
  }

  /** The settings of providers may have changed: the next decision sees them. */
  rulesChanged(): void {
    this.#snapshot = undefined
  }

  /** Whether every provider has been asked, or has had time to answer: before that, "nothing fits" would be a guess. */
  isKnown(providers: KnownPlatform['providers'], waitedMs: number): boolean {
    if (waitedMs >= ANSWER_WITHIN_MS) return true
    return [...providers].every(([name, { state, isDown }]) => state !== 'open' || this.#capacities.has(name) || isDown)
  }

  snapshot({ providers, config }: Pick<KnownPlatform, 'providers' | 'config'>): Snapshot {
    const open = [...providers].filter(([, { state, isDown }]) => state === 'open' && !isDown)
    const names = open.map(([name]) => name)
    const madeFor = names.join('\n')
    if (this.#snapshot !== undefined && this.#madeFor === madeFor) return this.#snapshot
    const capacities = new Map(
      names.flatMap((name) => {
        const capacity = this.#capacities.get(name)
        return capacity === undefined ? [] : [[name, capacity] as const]
      }),
    )
    const placements = (name: string) => this.#ledger.on(name).values()
    this.#madeFor = madeFor
    this.#snapshot = snapshotOf({
      capacities,
      refusals: this.#ledger.refusals,
      config,
      placements,
      lost: lostIn(this.#ledger.held(), (name) => providers.has(name)),
      lacks: lacksIn(providers),
    })
    return this.#snapshot
  }
}

/** Whether the place of a placement is free again. */
export function isFreed({ phase, instance }: Placement): boolean {
  return phase === 'gone' && instance !== undefined
}

/** An intent when it is first written. An intent that has to wait is written again, but counts once. */
function isIntent({ phase, tries, sinceMs, reservedMs }: Placement): boolean {
  return phase === 'reserved' && tries === 0 && sinceMs === reservedMs
}

/** The offers and what runs on them, without the time when they were read. */
function contentOf({ offers, fleets }: Inventory): string {
  const timeless = offers.map(({ stock, ...offer }) => ({ ...offer, stock: stock && { ...stock, seenAtMs: 0 } }))
  return JSON.stringify([timeless, fleets])
}
