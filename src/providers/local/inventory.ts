import { fleetOffers } from '../../core/pack/owned/fleet-offers.ts'
import type { OwnedFleet } from '../../core/fleet/owned-fleet.ts'
import type { Tenant } from '../../core/fleet/fleet.ts'
import type { Inventory } from '../../ports/provider.ts'
import type { LocalHost } from './host.ts'
import type { HostClaim } from './note.ts'
import type { Run } from './runtime.ts'

/** The host with what runs on it, of every owner. */
export function inventoryOf(
  provider: string,
  { region, node, host }: LocalHost,
  { runs, complete }: { readonly runs: readonly Run[]; readonly complete: boolean },
): Inventory {
  const tenants = runs.filter(holds).map(tenantOf)
  const owned: OwnedFleet = { provider, region, fleet: { nodes: [node] }, tenants }
  return { offers: fleetOffers(owned, [host]), fleets: [owned], complete, freshMs: FRESH_MS }
}

const FRESH_MS = 15_000

/** Why a claim does not fit on what is left; undefined: it does. */
export function crowdedBy(claim: HostClaim, { node }: LocalHost, runs: readonly Run[]): string | undefined {
  const others = runs.filter(holds).map(({ note }) => note.claim)
  const taken = new Set(others.flatMap(({ cards }) => cards))
  const twice = claim.cards.filter((card) => taken.has(card))
  if (twice.length > 0) return `Card ${twice.join(', ')} of this host is in use.`
  const strange = claim.cards.filter((card) => node.cards[card] === undefined)
  if (strange.length > 0) return `This host has no card ${strange.join(', ')}.`
  const left = (room: number, key: 'cpuMilli' | 'memoryMib'): number =>
    others.reduce((free, other) => free - other[key], room)
  if (claim.cpuMilli > left(node.cpuMilli, 'cpuMilli')) return 'Not enough processors are free on this host.'
  return claim.memoryMib > left(node.memoryMib, 'memoryMib') ? 'Not enough memory is free on this host.' : undefined
}

/** Cards for an order that does not name any; undefined: there are not enough. */
export function freeCards(count: number, { node }: LocalHost, runs: readonly Run[]): readonly number[] | undefined {
  const taken = new Set(runs.filter(holds).flatMap(({ note }) => note.claim.cards))
  const free = [...node.cards.keys()].filter((card) => !taken.has(card))
  return free.length < count ? undefined : free.slice(0, count)
}

function holds({ state }: Run): boolean {
  return state !== 'ended'
}

function tenantOf({ note: { tag, claim } }: Run): Tenant {
  const { cards, ...room } = claim
  return {
    name: tag.attempt,
    request: { ...room, count: cards.length, part: { kind: 'whole' }, models: undefined },
    spot: { node: 0, cards, taken: undefined },
    priority: 0,
    restart: 'inference',
    checkpointAgeS: undefined,
  }
}
