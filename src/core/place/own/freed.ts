import { must } from '../../base/assert.ts'
import type { Tenant } from '../../fleet/fleet.ts'
import { UNKNOWN_HOST, type OwnedFleet } from '../../fleet/owned-fleet.ts'
import { extended, type NewListing } from '../../offer/extend.ts'
import { machineOf, type GpuFacts, type Machine } from '../../offer/machine.ts'
import type { Offer } from '../../offer/offer.ts'
import {
  at,
  listingAt,
  listingIn,
  machineIn,
  siteIn,
  stateIn,
  type Listing,
  type Snapshot,
} from '../../offer/snapshot.ts'
import { fleetOffers } from '../../pack/owned/fleet-offers.ts'
import { whileGone } from '../../pack/owned/room.ts'
import { fleetRows } from './fleet-rows.ts'

/** Something that would leave, and where it is. */
export interface Leaver {
  /** As the tenants of a fleet are called. */
  readonly name: string
  readonly provider: string
  readonly region: string
  readonly offer: string
  /** The node of a fleet; undefined: a machine of its own. */
  readonly node: string | undefined
}

interface Freeing {
  readonly snapshot: Snapshot
  readonly leavers: readonly Leaver[]
  /** `freed`: only what they leave is of interest, and that is much less to look at. */
  readonly rows: 'all' | 'freed'
}

/**
 * Looks at a snapshot as it would be if some work had left: its parts of nodes are free, and so is its share of a quota. What it
 * leaves of rented stock is not counted, because others may take it first; nor is anything at a provider that is not in the
 * snapshot. Undefined: nothing would be free. Nothing of what is seen may outlast the look.
 */
export function whileFreed<T>({ snapshot, leavers, rows }: Freeing, look: (freed: Snapshot) => T): T | undefined {
  const quotas = quotasLeft(snapshot, leavers)
  const parts = snapshot.fleets.map((fleet) => ({ fleet, gone: tenantsIn(fleet, leavers) }))
  return whileGone(parts, () => {
    const rooms = parts.flatMap(({ fleet, gone }, index) => {
      const nodes = [...new Set(gone.map(({ spot }) => spot.node))]
      return nodes.flatMap((node) => freeForms(snapshot, { fleet, index, node, gone, rows }))
    })
    const isFreed = quotas.length > 0 || parts.some(({ gone }) => gone.length > 0)
    const known = rows === 'all' ? snapshot : bare(snapshot)
    return isFreed ? look(extended(known, [...quotas, ...rooms])) : undefined
  })
}

/** Without its rows, for those that are added. */
function bare(snapshot: Snapshot): Snapshot {
  const none = new Uint32Array()
  const groups = { machine: none, site: none, state: none, start: Uint32Array.of(0) }
  const prices = new Float64Array()
  const rows = { instance: none, zone: none, id: none, usdPerHour: prices, spotUsdPerHour: prices }
  return { ...snapshot, machines: [], sites: [], states: [], strings: [], groups, rows }
}

/** Those of a fleet that would leave. */
function tenantsIn({ provider, region, fleet, tenants }: OwnedFleet, leavers: readonly Leaver[]): readonly Tenant[] {
  const here = leavers.filter((one) => one.node !== undefined && one.provider === provider && one.region === region)
  if (here.length === 0) return []
  const names = new Set(here.map(({ name, node }) => `${node}\n${name}`))
  return tenants.filter(({ name, spot }) => names.has(`${fleet.nodes[spot.node]?.id}\n${name}`))
}

interface Left extends Pick<Freeing, 'rows'> {
  readonly fleet: OwnedFleet
  /** Among the fleets of the snapshot. */
  readonly index: number
  readonly node: number
  readonly gone: readonly Tenant[]
}

/** What a node would offer without them, in the forms in which its provider is known to offer it. */
function freeForms(snapshot: Snapshot, { fleet, index, node, gone, rows }: Left): readonly NewListing[] {
  const known = listingsOf(snapshot, index, node)
  const [first] = known
  if (first === undefined) return []
  const own = gone.filter(({ spot }) => spot.node === node)
  const nodes = [must(fleet.fleet.nodes[node], 'a node of the fleet')]
  const tenants = fleet.tenants
    .filter((tenant) => tenant.spot.node === node && !own.includes(tenant))
    .map((tenant) => ({ ...tenant, spot: { ...tenant.spot, node: 0 } }))
  return fleetOffers({ ...fleet, fleet: { nodes }, tenants }, [UNKNOWN_HOST]).flatMap(
    (offer): readonly NewListing[] => {
      if (offer.stock?.level !== 'available' || !isKnownForm(offer, known, own)) return []
      const like = known.find(({ machine }) => (machine.gpu === undefined) === (offer.gpu === undefined)) ?? first
      const form = { ...like, machine: machineLike(offer, like.machine), state: stateLike(offer, like) }
      return rows === 'all' && known.some((one) => isSameForm(one, form)) ? [] : [form]
    },
  )
}

function listingsOf(snapshot: Snapshot, fleet: number, node: number): readonly Listing[] {
  const { nodeOf } = fleetRows(snapshot)
  const { provider, region } = must(snapshot.fleets[fleet], 'a fleet of the snapshot')
  const found: Listing[] = []
  nodeOf.forEach((each, row) => {
    if (each !== node) return
    const listing = listingAt(snapshot, row)
    if (listing.site.provider === provider && listing.site.region === region) found.push(listing)
  })
  return found
}

/** Whether it is listed already: its provider was read before the node filled up. */
function isSameForm(one: NewListing, other: NewListing): boolean {
  return one.state.stock === other.state.stock && JSON.stringify(one.machine) === JSON.stringify(other.machine)
}

/** A provider need not offer every form that its cards could be cut into: only what it lists, or what was taken in this form. */
function isKnownForm({ gpu }: Offer, known: readonly Listing[], own: readonly Tenant[]): boolean {
  if (gpu === undefined) return true
  const { kind: sharing = 'whole', profile } = gpu.slice ?? {}
  const isListed = known.some(({ machine, state }) => {
    const isForm = machine.gpu?.sharing === sharing && machine.gpu.profile === profile
    return isForm && (sharing === 'whole' || state.stock !== 'full')
  })
  const isHeld = own.some(({ spot: { cards, taken } }) => {
    if (cards.length === 0) return false
    if (taken === undefined) return sharing === 'whole'
    return taken.kind === 'share' ? sharing === 'share' : sharing === 'mig' && taken.profile === profile
  })
  return isListed || isHeld
}

/** The machine of a form, with what is known of its host. */
function machineLike(offer: Offer, { gpu: like, volumeGib, hostArch, inbound }: Machine): Machine {
  const made = machineOf(offer)
  return { ...made, volumeGib, hostArch, inbound, gpu: made.gpu && gpuLike(made.gpu, like) }
}

function gpuLike(gpu: GpuFacts, like: GpuFacts | undefined): GpuFacts {
  if (like === undefined) return gpu
  const { driver, driverMin, driverMax, cuda, cudaMax } = like
  return { ...gpu, driver, driverMin, driverMax, cuda, cudaMax }
}

function stateLike({ stock, health }: Offer, { state }: Listing): Listing['state'] {
  return { ...state, stock: stock?.level, units: undefined, health }
}

/** Offers with a quota of the account, of which the machines that leave give their own back. */
function quotasLeft(snapshot: Snapshot, leavers: readonly Leaver[]): readonly NewListing[] {
  const machines = leavers.filter(({ node }) => node === undefined)
  const byOffer = Map.groupBy(machines, ({ offer }) => offer)
  const providers = new Set(machines.map(({ provider }) => provider))
  const { groups } = snapshot
  const found: NewListing[] = []
  for (let group = 0; providers.size > 0 && group < groups.site.length; group++) {
    const { quotaLeft } = stateIn(snapshot, group)
    const isRented = machineIn(snapshot, group).capacity === 'rented'
    if (quotaLeft === undefined || !isRented || !providers.has(siteIn(snapshot, group).provider)) continue
    for (let row = at(groups.start, group); row < at(groups.start, group + 1); row++) {
      const listing = listingIn(snapshot, group, row)
      const back = byOffer.get(listing.id)?.length ?? 0
      if (back > 0) found.push({ ...listing, state: { ...listing.state, quotaLeft: quotaLeft + back } })
    }
  }
  return found
}
