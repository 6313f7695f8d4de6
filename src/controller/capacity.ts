import type { Change } from '../core/life/change.ts'
import type { Place } from '../core/life/call/order.ts'
import { isIntent, type Placement } from '../core/life/placement.ts'
import type { OwnedFleet } from '../core/fleet/owned-fleet.ts'
import { byFleetName, type Snapshot } from '../core/offer/snapshot.ts'
import type { Inventory } from '../ports/provider.ts'
import type { Ledger } from './step/ledger.ts'
import { KeptFleets } from './kept-fleets.ts'
import { lacksIn, lostIn, offersOn, offersOfProvider, offersSnapshot, type ProviderOffers } from './provider-offers.ts'
import type { KnownPlatform } from './step/platform.ts'
import type { Probes } from './step/probes.ts'

/** How long decisions wait for a provider that is slow to list its offers. */
const ANSWER_WITHIN_MS = 1000

/** All that can be had now: the offers of all providers that take work, and remembered refusals. */
export class Capacity {
  readonly #ledger: Ledger
  readonly #capacities = new Map<string, ProviderOffers>()
  /** By provider: when work of ours ended there and its offers have not been read since. */
  readonly #freed = new Map<string, number>()
  /** The offers, without fleets. */
  #offers: Snapshot | undefined
  #snapshot: Snapshot | undefined
  #madeFor = ''
  /** Providers that are configured, as the last decision saw them. */
  #there: ReadonlySet<string> = new Set()
  readonly #fleets = new KeptFleets((name) => this.#there.has(name))
  #fleetsVersion = -1

  readonly #probes: Probes

  constructor(ledger: Ledger, probes: Probes) {
    this.#ledger = ledger
    this.#probes = probes
    ledger.onBilled = (before, after) => this.#fleets.moved(before, after)
  }

  /** True: it differs from what was known, or from what we have derived since. */
  stocked(provider: string, inventory: Inventory, askedMs: number): boolean {
    const before = this.#capacities.get(provider)
    this.#capacities.set(provider, offersOfProvider(inventory, this.#ledger.on(provider).values(), askedMs))
    const isFreed = (this.#freed.get(provider) ?? Infinity) <= askedMs
    if (isFreed) this.#freed.delete(provider)
    this.#offers = undefined
    this.#fleets.drop(provider)
    return isFreed || before === undefined || contentOf(before.inventory) !== contentOf(inventory)
  }

  /** Providers that may have more than they last said, because work of ours has ended there. */
  get freed(): Iterable<string> {
    return this.#freed.keys()
  }

  /** What each provider said when it was last read. */
  get told(): ReadonlyMap<string, Pick<ProviderOffers, 'inventory' | 'askedMs'>> {
    return this.#capacities
  }

  offersOf(provider: string): number {
    return offersOn(this.#capacities.get(provider))
  }

  /** Something was reserved, refused or released: the next decision sees it if it makes a difference. */
  changed({ placements, refusals }: Change, nowMs: number): void {
    for (const placement of placements) {
      const step = isIntent(placement) ? 1 : placement.phase === 'gone' ? -1 : 0
      const { provider, offer, node } = placement.order.place
      if (isFreed(placement)) this.#freed.set(provider, nowMs)
      const capacity = this.#capacities.get(provider)
      const sinceMs = Math.max(placement.reservedMs, placement.calledMs)
      if (step === 0 || node !== undefined || capacity === undefined || sinceMs < capacity.askedMs) continue
      capacity.taken.set(offer, Math.max(0, (capacity.taken.get(offer) ?? 0) + step))
    }
    const isNews = placements.some(
      ({ order, phase }) => (phase === 'reserved' || phase === 'gone') && this.#isCounted(order.place),
    )
    if (isNews || (refusals !== undefined && refusals.length > 0)) this.#offers = undefined
  }

  /**
   * Whether one unit more or less changes what is offered. An offer without a count is never sold out, and what is left of
   * nodes of our own is counted apart.
   */
  #isCounted({ provider, offer, node }: Place): boolean {
    return node === undefined && this.#capacities.get(provider)?.counted.has(offer) !== false
  }

  /** The settings of providers, or what is asked again, may have changed: the next decision sees them. */
  rulesChanged(): void {
    this.#offers = undefined
  }

  /** Whether every provider has been asked, or has had time to answer: before that, "nothing fits" would be a guess. */
  isKnown(providers: KnownPlatform['providers'], waitedMs: number): boolean {
    if (waitedMs >= ANSWER_WITHIN_MS) return true
    return [...providers].every(([name, { state, isDown }]) => state !== 'open' || this.#capacities.has(name) || isDown)
  }

  /** Whether some providers that take work have no part in decisions now: they are down, or have not said what they offer. */
  isPartial(providers: KnownPlatform['providers']): boolean {
    return [...providers].some(
      ([name, { state, isDown }]) => state === 'open' && (isDown || !this.#capacities.has(name)),
    )
  }

  /** All offers as they are now, and fleets with what runs there now. It is for decisions before the next change. */
  snapshot({ providers, config }: Pick<KnownPlatform, 'providers' | 'config'>): Snapshot {
    const open = [...providers].filter(([, { state, isDown }]) => state === 'open' && !isDown)
    const names = open.map(([name]) => name)
    const madeFor = `${names.join('\n')}\n\n${[...providers.keys()].join('\n')}`
    // What we have at a provider that is not configured any more may be in the fleet of another.
    if (this.#madeFor !== madeFor) {
      this.#there = new Set(providers.keys())
      this.#fleets.clear()
      this.#offers = undefined
    }
    const isAsBefore = this.#offers !== undefined && this.#fleetsVersion === this.#fleets.version
    if (isAsBefore && this.#snapshot !== undefined) return this.#snapshot
    const capacities = new Map(
      names.flatMap((name) => {
        const capacity = this.#capacities.get(name)
        return capacity === undefined ? [] : [[name, capacity] as const]
      }),
    )
    this.#madeFor = madeFor
    const refusals = [...this.#ledger.refusals, ...this.#probes.closed]
    this.#offers ??= offersSnapshot({ capacities, refusals, config, lacks: lacksIn(providers) })
    const enabled = [...capacities].filter(
      ([name]) => config?.providers.find((one) => one.name === name)?.enabled !== false,
    )
    const fleets = enabled.flatMap(([name, { inventory }]) => this.#fleetsOf(name, inventory.fleets))
    this.#fleetsVersion = this.#fleets.version
    this.#snapshot = { ...this.#offers, fleets: fleets.toSorted(byFleetName) }
    return this.#snapshot
  }

  #fleetsOf(name: string, told: Inventory['fleets']): readonly OwnedFleet[] {
    if (!this.#fleets.isOf(name, told)) {
      const lost = lostIn(this.#ledger.held(), (one) => this.#there.has(one))
      this.#fleets.set(name, told, [...this.#ledger.on(name).values(), ...lost])
    }
    return this.#fleets.of(name)
  }
}

/** Whether the place of a placement is free again. */
export function isFreed({ phase, instance }: Placement): boolean {
  return phase === 'gone' && instance !== undefined
}

/** The offers and what runs on them, without the time when they were read. */
function contentOf({ offers, fleets }: Inventory): string {
  const timeless = offers.map(({ stock, ...offer }) => ({ ...offer, stock: stock && { ...stock, seenAtMs: 0 } }))
  return JSON.stringify([timeless, fleets])
}
