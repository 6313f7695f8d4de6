import { applySettings } from '../core/policy/labels.ts'
import type { Config } from '../core/policy/policy.ts'
import type { Fleet, Tenant } from '../core/fleet/fleet.ts'
import { usualOf } from '../core/pack/owned/usual.ts'
import { tenantName } from '../core/life/bind/leaver.ts'
import { isSoundOffer } from '../core/life/call/check-reply.ts'
import type { Placement } from '../core/life/placement.ts'
import { assignIds } from '../core/offer/identity.ts'
import type { Ability, Offer, Refusal } from '../core/offer/offer.ts'
import { freeze, type Snapshot } from '../core/offer/snapshot.ts'
import type { OwnedFleet } from '../core/fleet/owned-fleet.ts'
import { lacksOf, type Inventory, type Provider } from '../ports/provider.ts'

/** What a provider offered when it was last read. */
export interface ProviderOffers {
  readonly inventory: Inventory
  readonly askedMs: number
  /** Machines of each offer that we reserved since then. */
  readonly taken: Map<string, number>
  /** Offers with a known number of units left. */
  readonly counted: ReadonlySet<string>
}

export function offersOfProvider(
  inventory: Inventory,
  placements: Iterable<Placement>,
  askedMs: number,
): ProviderOffers {
  const isCounted = ({ stock, quotaLeft, capacity }: Offer): boolean =>
    capacity !== 'owned' && (stock?.units !== undefined || quotaLeft !== undefined)
  const counted = new Set(inventory.offers.filter(isCounted).map(({ id }) => id))
  return { inventory, askedMs, taken: takenSince(placements, askedMs), counted }
}

/** How many offers there are: a node of our own that is listed both as full and with its free part counts once. */
export function offersOn(capacity: Pick<ProviderOffers, 'inventory'> | undefined): number {
  const offers = capacity?.inventory.offers ?? []
  const isFull = ({ stock }: Offer): boolean => stock?.level === 'full'
  if (!offers.some(isFull)) return offers.length
  const nodeOf = ({ region, zone, instance }: Offer): string => JSON.stringify([region, zone, instance])
  const free = new Set(offers.filter((offer) => !isFull(offer)).map(nodeOf))
  return offers.filter((offer) => !isFull(offer) || !free.has(nodeOf(offer))).length
}

export interface SnapshotInput {
  /** By provider; only those that take work now. */
  readonly capacities: ReadonlyMap<string, ProviderOffers>
  readonly refusals: readonly Refusal[]
  readonly config: Config | undefined
  /** What we have or may have there. */
  readonly placements: (provider: string) => Iterable<Placement>
  /** What we have or may have at providers that are not configured: their machine may be offered by another provider, too. */
  readonly lost?: Iterable<Placement>
  /** What a provider cannot do for a workload. */
  readonly lacks: (provider: string) => readonly Ability[]
}

/**
 * All offers as they are now, less what we have reserved since the providers were read: their data is older than our
 * intents.
 */
export function snapshotOf({ capacities, refusals, config, placements, lost = [], lacks }: SnapshotInput): Snapshot {
  const others = [...lost]
  const offers: Offer[] = []
  const fleets: OwnedFleet[] = []
  for (const [name, { inventory, taken }] of capacities) {
    const settings = config?.providers.find((provider) => provider.name === name)
    if (settings?.enabled === false) continue
    const unable = lacks(name)
    const shared = takenByQuota(inventory.offers, taken)
    for (const offer of inventory.offers) {
      const left = { ...lessTaken(lessQuota(offer, taken, shared), taken), lacks: together(unable, offer.lacks) }
      offers.push(settings === undefined ? left : applySettings(left, settings))
    }
    fleets.push(...inventory.fleets.map((fleet) => withTenants(fleet, [...placements(name), ...others])))
  }
  return freeze(distinct(offers), refusals, fleets)
}

/** What a provider cannot do at all, and what it cannot do there. */
function together(unable: readonly Ability[], there: readonly Ability[] = []): readonly Ability[] {
  return there.every((one) => unable.includes(one)) ? unable : [...new Set([...unable, ...there])].sort()
}

/** Like `snapshotOf`, without fleets: they are added as they are at each moment. */
export function offersSnapshot(input: Omit<SnapshotInput, 'placements' | 'lost'>): Snapshot {
  const bare = [...input.capacities].map(([name, { inventory, ...rest }]) => {
    return [name, { ...rest, inventory: { ...inventory, fleets: [] } }] as const
  })
  return snapshotOf({ ...input, capacities: new Map(bare), placements: () => [] })
}

/** What each of these providers cannot do, by name. */
export function lacksIn(
  providers: ReadonlyMap<string, { readonly provider: Pick<Provider, 'can'> }>,
): (name: string) => readonly Ability[] {
  return (name) => {
    const record = providers.get(name)
    return record === undefined ? [] : lacksOf(record.provider.can)
  }
}

/** The offers of a reply that can be trusted; `complete` is false if some cannot, or belong to another provider. */
export function readInventory(value: unknown, provider: string): Inventory | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  // Proven: an object can be read by any key; the values are checked below.
  const { offers, fleets, complete, freshMs } = value as Partial<Record<keyof Inventory, unknown>>
  if (!Array.isArray(offers) || !Array.isArray(fleets)) return undefined
  const sound = offers.filter(isSoundOffer).filter((offer) => offer.provider === provider)
  const isFresh = typeof freshMs === 'number' && Number.isFinite(freshMs) && freshMs > 0
  return {
    offers: sound,
    fleets: fleets.filter(isFleet).filter((fleet) => fleet.provider === provider),
    complete: complete === true && sound.length === offers.length,
    freshMs: isFresh ? freshMs : 60_000,
  }
}

/** Fleets are made by providers of this process from the same types, so checking the outline is enough. */
function isFleet(value: unknown): value is OwnedFleet {
  return typeof value === 'object' && value !== null && 'provider' in value && 'fleet' in value && 'tenants' in value
}

/** What the provider cannot have known when it was read. */
function takenSince(placements: Iterable<Placement>, askedMs: number): Map<string, number> {
  const taken = new Map<string, number>()
  for (const placement of placements) {
    const { offer, node } = placement.order.place
    // The engine counts what is taken of nodes of our own.
    if (node !== undefined || !isNewTo(placement, askedMs)) continue
    taken.set(offer, (taken.get(offer) ?? 0) + 1)
  }
  return taken
}

/** Of all held placements: those at providers that are not configured. */
export function lostIn(held: Iterable<readonly [string, Iterable<Placement>]>, isThere: (name: string) => boolean) {
  return [...held].flatMap(([name, placements]) => (isThere(name) ? [] : [...placements]))
}

/** Whether it was reserved or called after the offers were read. */
function isNewTo({ reservedMs, calledMs, phase }: Placement, askedMs: number): boolean {
  return phase !== 'gone' && (phase === 'reserved' || Math.max(reservedMs, calledMs) >= askedMs)
}

/** For each shared quota, how many machines of its offers were taken. */
function takenByQuota(offers: readonly Offer[], taken: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  if (taken.size === 0) return sums
  for (const { id, quota } of offers) {
    if (quota !== undefined) sums.set(quota, (sums.get(quota) ?? 0) + (taken.get(id) ?? 0))
  }
  return sums
}

/** Reduces the quota by what was taken of this offer or of any offer that shares it. */
function lessQuota(offer: Offer, taken: ReadonlyMap<string, number>, shared: ReadonlyMap<string, number>): Offer {
  const { id, quota, quotaLeft } = offer
  const count = (quota === undefined ? taken.get(id) : shared.get(quota)) ?? 0
  return count === 0 || quotaLeft === undefined ? offer : { ...offer, quotaLeft: Math.max(0, quotaLeft - count) }
}

function lessTaken(offer: Offer, taken: ReadonlyMap<string, number>): Offer {
  const count = taken.get(offer.id) ?? 0
  const { stock } = offer
  if (count === 0 || stock?.units === undefined) return offer
  const units = Math.max(0, stock.units - count)
  return { ...offer, stock: { ...stock, units, level: units === 0 ? 'sold_out' : stock.level } }
}

/** A fleet with what we have or may have there, as far as the provider did not know of it. */
export function withTenants(owned: OwnedFleet, placements: readonly Placement[]): OwnedFleet {
  const known = new Set(owned.tenants.map(({ name }) => name))
  const record = new Map(placements.map((placement) => [placement.order.tag.attempt, placement]))
  const missing = placements.flatMap((placement) => {
    return known.has(placement.order.tag.attempt) ? [] : (tenantOn(owned, placement) ?? [])
  })
  const tenants = [...owned.tenants.map((tenant) => named(tenant, record.get(tenant.name))), ...missing]
  return tenants.length === 0 ? owned : { ...owned, tenants, usual: usualOf(owned.fleet, owned.tenants) }
}

/** What a placement takes of a fleet; undefined: it is not there. A node is found by its id: its index may have changed since. */
export function tenantOn(owned: OwnedFleet, placement: Placement): Tenant | undefined {
  const { tag, place } = placement.order
  if (place.node === undefined || place.region !== owned.region) return undefined
  const { id, request, spot } = place.node
  const node = positionsIn(owned.fleet).get(id)
  if (node === undefined) return undefined
  const plain = { priority: 0, restart: 'inference', checkpointAgeS: undefined } as const
  const cards = spot.cards.filter((card) => owned.fleet.nodes[node]?.cards[card] !== undefined)
  return named({ name: tag.attempt, request, spot: { ...spot, cards, node }, ...plain }, placement)
}

function positionsIn(fleet: Fleet): ReadonlyMap<string, number> {
  const known = POSITIONS.get(fleet) ?? new Map(fleet.nodes.map(({ id }, index) => [id, index]))
  POSITIONS.set(fleet, known)
  return known
}

const POSITIONS = new WeakMap<Fleet, ReadonlyMap<string, number>>()

/** Providers know attempts; users know workloads, and what a restart of them costs. */
export function named(tenant: Tenant, placement: Placement | undefined): Tenant {
  if (placement === undefined) return tenant
  const { tag, restart } = placement.order
  return { ...tenant, name: tenantName(tag), restart: restart ?? tenant.restart }
}

/** Ids come from the providers; two offers with the same id are told apart. */
function distinct(offers: readonly Offer[]): readonly Offer[] {
  if (new Set(offers.map(({ id }) => id)).size === offers.length) return offers
  const ids = assignIds(offers)
  return offers.map((offer, index) => ({ ...offer, id: ids[index] ?? offer.id }))
}
