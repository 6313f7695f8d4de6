import { assert, must } from '../base/assert.ts'
import type { OwnedFleet } from '../fleet/owned-fleet.ts'
import { fingerprint } from './hash.ts'
import { offerId, type OfferPlace } from './identity.ts'
import { machineOf, siteOf, type Machine, type Price, type Site, type State } from './machine.ts'
import type { Offer, Refusal } from './offer.ts'
import { stateOf } from './state.ts'

/**
 * All offers at one version, immutable. Offers that share machine, site and state form a group. Inside a group they
 * differ only in name and price and are sorted by price. A decision looks at machines, sites, states and groups first
 * and at single offers last, so its cost hardly grows with the number of offers of one class.
 */
export interface Snapshot {
  /** Fingerprint of the content, which does not depend on the order of the offers. */
  readonly version: string
  readonly machines: readonly Machine[]
  readonly sites: readonly Site[]
  readonly states: readonly State[]
  readonly strings: readonly string[]
  readonly groups: Groups
  readonly rows: Rows
  /** Fleets whose nodes are among the offers, with what the packing engine needs. */
  readonly fleets: readonly OwnedFleet[]
}

export interface Groups {
  readonly machine: Uint32Array
  readonly site: Uint32Array
  readonly state: Uint32Array
  /** First row of each group, and the number of rows at the end. */
  readonly start: Uint32Array
}

/** Texts are indices into `strings`; a price of NaN means not sold on these terms. */
export interface Rows {
  readonly instance: Uint32Array
  readonly zone: Uint32Array
  readonly id: Uint32Array
  readonly usdPerHour: Float64Array
  readonly spotUsdPerHour: Float64Array
}

/** One row with all its shared facts looked up. */
export interface Listing {
  readonly row: number
  readonly id: string
  readonly instance: string
  readonly zone: string | undefined
  readonly machine: Machine
  readonly site: Site
  readonly state: State
  /** Of the whole machine. */
  readonly price: Price
  /** It is a node of a fleet, which others use, too. */
  readonly isShared?: boolean
}

/** Sorts offers and shares equal parts. The order of the input does not matter. */
export function freeze(
  offers: readonly Offer[],
  refusals: readonly Refusal[] = [],
  fleets: readonly OwnedFleet[] = [],
): Snapshot {
  const sorted = [...offers].sort(byId)
  const shared = shareParts(sorted, refusals)
  const order = groupOrder(sorted, shared)
  const groups = cutGroups(order, shared)
  const strings = pool<string>((text) => text)
  assert(new Set(sorted.map((offer) => offer.id)).size === sorted.length, 'every offer has an id of its own')
  const rows: Rows = {
    instance: Uint32Array.from(order, (at) => strings.index(offerAt(sorted, at).instance)),
    zone: Uint32Array.from(order, (at) => strings.index(offerAt(sorted, at).zone ?? '')),
    id: Uint32Array.from(order, (at) => strings.index(shortId(offerAt(sorted, at)))),
    usdPerHour: Float64Array.from(order, (at) => offerAt(sorted, at).usdPerHour ?? Number.NaN),
    spotUsdPerHour: Float64Array.from(order, (at) => offerAt(sorted, at).spotUsdPerHour ?? Number.NaN),
  }
  const { machines, sites, states } = shared
  return sealed({
    machines: machines.values,
    sites: sites.values,
    states: states.values,
    strings: strings.values,
    groups,
    rows,
    fleets: fleets.toSorted(byFleetName),
  })
}

/** Adds the version to the parts of a snapshot. */
function sealed(parts: Omit<Snapshot, 'version'>): Snapshot {
  const print = fingerprint()
  print.text(JSON.stringify([parts.machines, parts.sites, parts.states, parts.strings]))
  if (parts.fleets.length > 0) print.text(JSON.stringify(parts.fleets.map(brief)))
  for (const words of [...Object.values(parts.groups), ...Object.values(parts.rows)]) {
    print.words(new Uint32Array(words.buffer, words.byteOffset, words.byteLength / 4))
  }
  return { ...parts, version: print.digest() }
}

export function rowCount(snapshot: Snapshot): number {
  return snapshot.rows.instance.length
}

/** The group a row belongs to. */
export function groupOf(snapshot: Snapshot, row: number): number {
  const { start } = snapshot.groups
  let low = 0
  let high = start.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (at(start, middle) <= row) low = middle
    else high = middle - 1
  }
  return low
}

export function listingAt(snapshot: Snapshot, row: number): Listing {
  return listingIn(snapshot, groupOf(snapshot, row), row)
}

/** Like listingAt, for callers that know the group. The id is built only when it is read. */
export function listingIn(snapshot: Snapshot, group: number, row: number): Listing {
  const { rows, strings } = snapshot
  const site = siteIn(snapshot, group)
  const instance = must(strings[at(rows.instance, row)], 'a row has an instance')
  const zone = must(strings[at(rows.zone, row)], 'a row has a zone') || undefined
  return {
    row,
    get id() {
      return longId(must(strings[at(rows.id, row)], 'a row has an id'), { ...site, zone, instance })
    },
    instance,
    zone,
    machine: machineIn(snapshot, group),
    site,
    state: stateIn(snapshot, group),
    price: priceOf(snapshot, row),
    isShared: isShared(snapshot, group),
  }
}

/** Whether the machines of a group are nodes of a fleet: work takes a part of one, beside others. */
export function isShared(snapshot: Snapshot, group: number): boolean {
  const { fleets } = snapshot
  if (fleets.length === 0 || machineIn(snapshot, group).capacity !== 'owned') return false
  const { provider, region } = siteIn(snapshot, group)
  return fleets.some((fleet) => fleet.provider === provider && fleet.region === region)
}

export function machineIn({ machines, groups }: Snapshot, group: number): Machine {
  return must(machines[at(groups.machine, group)], 'a group has a machine')
}

export function siteIn({ sites, groups }: Snapshot, group: number): Site {
  return must(sites[at(groups.site, group)], 'a group has a site')
}

export function stateIn({ states, groups }: Snapshot, group: number): State {
  return must(states[at(groups.state, group)], 'a group has a state')
}

export function priceOf({ rows }: Snapshot, row: number): Price {
  return { usdPerHour: priceAt(rows.usdPerHour, row), spotUsdPerHour: priceAt(rows.spotUsdPerHour, row) }
}

/** Reads a typed array where the index is known to be inside. */
export function at(array: Uint32Array | Float64Array, index: number): number {
  const value = array[index]
  if (value === undefined) throw new Error(`assertion failed: ${index} lies outside of ${array.length} values`)
  return value
}

interface Shared {
  readonly machines: Pool<Machine>
  readonly sites: Pool<Site>
  readonly states: Pool<State>
  /** For each offer, which of them it has. */
  readonly machine: Uint32Array
  readonly site: Uint32Array
  readonly state: Uint32Array
}

function shareParts(offers: readonly Offer[], refusals: readonly Refusal[]): Shared {
  const machines = pool<Machine>(JSON.stringify)
  const sites = pool<Site>(
    ({ provider, region, residency, trust, lacks }) =>
      `${provider}\n${region}\n${residency}\n${trust}\n${lacks?.join()}`,
  )
  const states = pool<State>((state) => Object.values(state).join())
  const refusedProviders = new Set(refusals.map((refusal) => refusal.provider))
  const known = new Map<string, number>()
  const machine = Uint32Array.from(offers, (offer) => {
    const key = machineKey(offer)
    const index = known.get(key) ?? machines.index(machineOf(offer))
    known.set(key, index)
    return index
  })
  const site = Uint32Array.from(offers, (offer) => sites.index(siteOf(offer)))
  const state = Uint32Array.from(offers, (offer) =>
    states.index(stateOf(offer, refusedProviders.has(offer.provider) ? refusals : NONE)),
  )
  return { machines, sites, states, machine, site, state }
}

const NONE: readonly Refusal[] = []

/** Cheaper than building the machine: equal keys mean equal machines. */
function machineKey(offer: Offer): string {
  const { gpu } = offer
  const cards =
    gpu === undefined
      ? ''
      : `${gpu.model},${gpu.count},${gpu.slice?.kind},${gpu.slice?.gib},${gpu.slice?.profile},${gpu.link},${gpu.of}`
  const host = `${offer.cpu},${offer.memoryGib},${offer.diskGib},${offer.volumeGib},${offer.hostArch}`
  return `${cards};${host};${offer.driver},${offer.cuda},${offer.inbound},${offer.domain},${offer.capacity},${offer.quarantine}`
}

function groupOrder(offers: readonly Offer[], { machine, site, state }: Shared): Uint32Array {
  const order = Uint32Array.from(offers, (_, index) => index)
  return order.sort(
    (one, two) =>
      at(machine, one) - at(machine, two) ||
      at(site, one) - at(site, two) ||
      at(state, one) - at(state, two) ||
      comparePrices(offerAt(offers, one).usdPerHour, offerAt(offers, two).usdPerHour) ||
      one - two,
  )
}

function comparePrices(one: number | undefined, two: number | undefined): number {
  if (one === undefined) return two === undefined ? 0 : 1
  return two === undefined ? -1 : one - two
}

function cutGroups(order: Uint32Array, { machine, site, state }: Shared): Groups {
  const starts: number[] = []
  order.forEach((offer, row) => {
    const before = row === 0 ? undefined : at(order, row - 1)
    const same =
      before !== undefined &&
      at(machine, before) === at(machine, offer) &&
      at(site, before) === at(site, offer) &&
      at(state, before) === at(state, offer)
    if (!same) starts.push(row)
  })
  const of = (part: Uint32Array): Uint32Array => Uint32Array.from(starts, (row) => at(part, at(order, row)))
  return { machine: of(machine), site: of(site), state: of(state), start: Uint32Array.from([...starts, order.length]) }
}

/**
 * Most ids follow from the place of the offer, so only the difference is stored: `''`, `~#2`, or the whole id. The
 * comparison may use only what a row stores, because the id must be rebuilt from it.
 */
function shortId(offer: Offer): string {
  const { provider, region, instance } = offer
  const standard = offerId({ provider, region, zone: offer.zone || undefined, instance }, 1)
  if (offer.id === standard) return ''
  return offer.id.startsWith(standard) ? `~${offer.id.slice(standard.length)}` : offer.id
}

function longId(short: string, place: OfferPlace): string {
  if (short !== '' && !short.startsWith('~')) return short
  return offerId(place, 1) + short.slice(1)
}

function offerAt(offers: readonly Offer[], index: number): Offer {
  return must(offers[index], 'index inside the offers')
}

function priceAt(prices: Float64Array, row: number): number | undefined {
  const price = at(prices, row)
  return Number.isNaN(price) ? undefined : price
}

function byId(one: Offer, two: Offer): number {
  return one.id < two.id ? -1 : one.id > two.id ? 1 : 0
}

/** A fleet in which the name of a layout replaces the layout itself. */
function brief({ fleet, ...rest }: OwnedFleet): unknown {
  return { ...rest, nodes: fleet.nodes.map((node) => ({ ...node, layout: node.layout?.id })) }
}

/** The order of fleets in a snapshot. */
export function byFleetName(one: OwnedFleet, two: OwnedFleet): number {
  const [first, second] = [`${one.provider}\n${one.region}`, `${two.provider}\n${two.region}`]
  return first < second ? -1 : first > second ? 1 : 0
}

/** Keeps one of each value and returns its index, in order of first appearance. */
interface Pool<T> {
  readonly values: readonly T[]
  readonly index: (value: T) => number
}

function pool<T>(keyOf: (value: T) => string): Pool<T> {
  const values: T[] = []
  const indices = new Map<string, number>()
  return {
    values,
    index(value) {
      const key = keyOf(value)
      const known = indices.get(key)
      if (known !== undefined) return known
      indices.set(key, values.length)
      return values.push(value) - 1
    },
  }
}
