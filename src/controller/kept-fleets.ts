import type { Tenant } from '../core/fleet/fleet.ts'
import type { OwnedFleet } from '../core/fleet/owned-fleet.ts'
import type { Placement } from '../core/life/placement.ts'
import type { FleetPacking } from '../core/pack/owned/packing.ts'
import { keptFleet, packingOf } from '../core/pack/owned/room.ts'
import { usualOf } from '../core/pack/owned/usual.ts'
import { named, tenantOn, withTenants } from './provider-offers.ts'

/** A fleet of a provider with its packing, and who is in it. */
interface Kept {
  /** As the provider told it. */
  readonly told: OwnedFleet
  readonly fleet: OwnedFleet
  readonly packing: FleetPacking
  /** Attempts that the provider knew of when it was read: they stay until it is read again. */
  readonly known: ReadonlySet<string>
  /** By attempt: what we have reserved there since. */
  readonly ours: Map<string, Tenant>
}

/** A fleet that cannot be packed, because two pieces of work are said to have the same cards. */
type Unpacked = Pick<Kept, 'told' | 'fleet'>

/**
 * The fleets of all providers, packed once and kept up to date: a placement that comes or goes changes one node. A fleet is
 * packed anew only when its provider is read again and tells something else.
 */
export class KeptFleets {
  readonly #kept = new Map<string, readonly (Kept | Unpacked)[]>()
  /** Rises whenever fleets are packed anew, or have to be. */
  version = 0
  /** Whether a provider is configured. */
  readonly #isThere: (provider: string) => boolean

  constructor(isThere: (provider: string) => boolean) {
    this.#isThere = isThere
  }

  /** Packs the fleets of a provider, with what we have or may have there. */
  set(provider: string, fleets: readonly OwnedFleet[], placements: Iterable<Placement>): void {
    const all = fleets.length === 0 ? [] : [...placements]
    this.#kept.set(
      provider,
      fleets.map((told) => keep(told, all)),
    )
    this.version++
  }

  /** Whether the fleets of a provider are packed as it told them. */
  isOf(provider: string, fleets: readonly OwnedFleet[]): boolean {
    const kept = this.#kept.get(provider)
    return kept?.length === fleets.length && kept.every(({ told }, index) => told === fleets[index])
  }

  clear(): void {
    this.#kept.clear()
    this.version++
  }

  drop(provider: string): void {
    this.#kept.delete(provider)
    this.version++
  }

  of(provider: string): readonly OwnedFleet[] {
    return this.#kept.get(provider)?.map(({ fleet }) => fleet) ?? []
  }

  /** A placement has changed; undefined: it does not hold anything before, or after. */
  moved(before: Placement | undefined, after: Placement | undefined): void {
    const [from, into] = [before?.order.place.node && before, after?.order.place.node && after]
    if (from === undefined && into === undefined) return
    if (from?.order.tag.attempt === into?.order.tag.attempt) return
    try {
      if (from !== undefined) this.#leave(from)
      if (into !== undefined) this.#enter(into)
    } catch {
      // Two pieces of work at one spot: the next decision about the fleet says so. Nothing else is held up by it.
      this.clear()
    }
  }

  #leave({ order: { tag, place } }: Placement): void {
    for (const { ours, packing } of this.#at(place.provider)) {
      const tenant = ours.get(tag.attempt)
      if (tenant === undefined) continue
      ours.delete(tag.attempt)
      packing.lend(undefined)
      packing.remove(tenant)
    }
  }

  #enter(placement: Placement): void {
    const { tag, place } = placement.order
    for (const { told, known, ours, packing } of this.#at(place.provider)) {
      const tenant = known.has(tag.attempt) || ours.has(tag.attempt) ? undefined : tenantOn(told, placement)
      if (tenant === undefined) continue
      packing.lend(undefined)
      packing.add(tenant)
      ours.set(tag.attempt, tenant)
    }
  }

  /** A machine of a provider that is not configured any more may be offered by another provider, too. */
  *#at(provider: string): Iterable<Kept> {
    const all = this.#isThere(provider) ? (this.#kept.get(provider) ?? []) : [...this.#kept.values()].flat()
    for (const kept of all) if ('packing' in kept) yield kept
  }
}

function keep(told: OwnedFleet, placements: readonly Placement[]): Kept | Unpacked {
  try {
    return packed(told, placements)
  } catch {
    return { told, fleet: withTenants(told, placements) }
  }
}

function packed(told: OwnedFleet, placements: readonly Placement[]): Kept {
  const record = new Map(placements.map((placement) => [placement.order.tag.attempt, placement]))
  const known = new Set(told.tenants.map(({ name }) => name))
  const usual = usualOf(told.fleet, told.tenants)
  const tenants = told.tenants.map((tenant) => named(tenant, record.get(tenant.name)))
  const packing = packingOf({ ...told, tenants, usual })
  const ours = new Map<string, Tenant>()
  for (const placement of placements) {
    const { attempt } = placement.order.tag
    const tenant = known.has(attempt) || ours.has(attempt) ? undefined : tenantOn(told, placement)
    if (tenant === undefined) continue
    packing.add(tenant)
    ours.set(attempt, tenant)
  }
  const { tenants: _, ...about } = told
  return { told, fleet: keptFleet({ ...about, usual }, packing), packing, known, ours }
}
