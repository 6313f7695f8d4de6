import fc from 'fast-check'
import type { CutSlice, Fleet, FleetCard, FleetNode, CardPart, Request, Spot, Tenant } from '../../fleet/fleet.ts'
import type { Layout } from '../../fleet/layout.ts'
import { CARD_RULES, type CardRules } from './card-rules.ts'
import { fitsAt, freeStateOf, nodeState, withLodger, type FreeState } from './free-state.ts'
import { waysToTake } from './node-state.ts'
import type { World } from './world.ts'

/** Slices of a card with four positions: how many they take and where they may start. */
const PROFILES: Readonly<Record<string, { readonly size: number; readonly starts: readonly number[] }>> = {
  '1g.10gb': { size: 1, starts: [0, 1, 2, 3] },
  '2g.20gb': { size: 2, starts: [0, 2] },
  '4g.40gb': { size: 4, starts: [0] },
}

/** Cards of the model `cut` have four positions for slices of 10 GiB; no other card can be cut. */
export const RULES: CardRules = {
  ...CARD_RULES,
  cuts(model, vramGib) {
    if (model !== 'cut') return undefined
    const [profile, about] = Object.entries(PROFILES).find(([, { size }]) => 10 * size >= vramGib) ?? []
    if (profile === undefined || about === undefined) return []
    return about.starts.map((start) => ({ kind: 'slice', profile, start }))
  },
  /** An idle card is worth most, then aligned pairs of positions, then single ones. */
  valueOf(_, slices) {
    const taken = new Set(slices.flatMap(placesOf))
    if (taken.size < slices.flatMap(placesOf).length) return undefined
    const pairs = [0, 2].filter((place) => !taken.has(place) && !taken.has(place + 1)).length
    return 4 - taken.size + 2 * pairs + (taken.size === 0 ? 4 : 0)
  },
  shareOf: (_, slice) => placesOf(slice).length / 4,
}

function placesOf({ profile, start }: CutSlice): readonly number[] {
  return Array.from({ length: PROFILES[profile]?.size ?? 0 }, (_, place) => start + place)
}

/** Two pairs of cards: fast inside a pair, slow between. */
export const PAIRS: Layout = {
  id: 'pairs',
  cards: 4,
  gbps: [0, 200, 20, 20, 200, 0, 20, 20, 20, 20, 0, 200, 20, 20, 200, 0],
  numa: [0, 0, 1, 1],
  pcieSwitch: [0, 0, 1, 1],
  nics: [],
}

/** A node with shareable cards, and plenty of everything else. */
export function node(id: string, cards: number, change: Partial<FleetNode> = {}): FleetNode {
  return {
    id,
    model: cards > 0 ? 'plain' : undefined,
    cpuMilli: 16_000,
    memoryMib: 64_000,
    diskMib: 100_000,
    cards: Array.from({ length: cards }, () => SHARED),
    layout: undefined,
    domains: { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined },
    ...change,
  }
}

export const SHARED: FleetCard = { health: 'ok', parts: 'share' }
export const MIG: FleetCard = { health: 'ok', parts: 'mig' }

/** A node with cards that can be cut. */
export function cutNode(id: string, cards: number, change: Partial<FleetNode> = {}): FleetNode {
  return node(id, cards, { model: 'cut', cards: Array.from({ length: cards }, () => MIG), ...change })
}

/** A request for whole cards, or a part of each, with one core and one gigabyte. */
export function asks(count: number, part: CardPart = { kind: 'whole' }, change: Partial<Request> = {}): Request {
  return { cpuMilli: 1000, memoryMib: 1000, diskMib: 0, count, part, models: undefined, ...change }
}

/** Part of each card: thousandths of it. */
export function share(milli: number): CardPart {
  return { kind: 'share', milli }
}

export function slice(vramGib: number): CardPart {
  return { kind: 'slice', vramGib }
}

/** Inference of priority 0 at a place: `n0:0,1`, `n0:0/500` for thousandths, `n0:0@2g.20gb+2` for a slice. */
export function tenant(name: string, place: string, change: Partial<Tenant> = {}): Tenant {
  const [, index = '', cards = '', milli, profile, start] =
    /^n(\d+):([\d,]*)(?:\/(\d+))?(?:@([\w.]+)\+(\d))?$/.exec(place) ?? []
  const list = cards === '' ? [] : cards.split(',').map(Number)
  const cut: CutSlice | undefined = profile === undefined ? undefined : { kind: 'slice', profile, start: Number(start) }
  const taken = milli === undefined ? cut : { kind: 'share' as const, milli: Number(milli) }
  return {
    name,
    request: asks(list.length, partOf(taken)),
    spot: { node: Number(index), cards: list, taken },
    priority: 0,
    restart: 'inference',
    checkpointAgeS: undefined,
    ...change,
  }
}

function partOf(taken: Spot['taken']): CardPart {
  if (taken === undefined) return { kind: 'whole' }
  return taken.kind === 'share' ? taken : slice(10 * placesOf(taken).length)
}

/** Training with a checkpoint of the given age. */
export function saved(checkpointAgeS: number): Partial<Tenant> {
  return { restart: 'training', checkpointAgeS }
}

/** Training without a checkpoint. */
export const UNSAVED: Partial<Tenant> = { restart: 'training', checkpointAgeS: undefined }

export function world(nodes: readonly FleetNode[], tenants: readonly Tenant[]): World {
  return { fleet: { nodes }, tenants, rules: RULES }
}

/** Every spot of a node at which the request fits, by trying all sets of cards. */
export function everySpot(state: FreeState, index: number, request: Request): readonly Spot[] {
  const free = nodeState(state, index)
  return waysToTake(free, request).flatMap((taken) =>
    subsets(free.cards.map((_, card) => card))
      .map((cards) => ({ node: index, cards, taken }))
      .filter((spot) => fitsAt(state, request, spot)),
  )
}

/** All of them, the empty one first. */
export function subsets<T>(items: readonly T[]): readonly (readonly T[])[] {
  return items.reduce<readonly (readonly T[])[]>((sets, item) => [...sets, ...sets.map((set) => [...set, item])], [[]])
}

const parts: fc.Arbitrary<CardPart> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<CardPart>({ kind: 'whole' }) },
  { weight: 3, arbitrary: fc.constantFrom(250, 500, 600, 1000).map(share) },
  { weight: 3, arbitrary: fc.constantFrom(5, 10, 15, 30, 50).map(slice) },
)

export const requests: fc.Arbitrary<Request> = fc.record({
  cpuMilli: fc.constantFrom(0, 1000, 2000, 5000, 9000),
  memoryMib: fc.constantFrom(0, 1000, 4000),
  diskMib: fc.constantFrom(0, 0, 0, 500),
  count: fc.constantFrom(0, 1, 1, 1, 1, 2, 2, 4),
  part: parts,
  models: fc.constantFrom(undefined, undefined, undefined, ['plain'], ['cut', 'other']),
})

const cards: fc.Arbitrary<FleetCard> = fc.record({
  health: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', undefined, 'degraded', 'failing'),
  parts: fc.constantFrom('share', 'share', 'none', 'mig'),
})

const domains = fc.record({
  zone: fc.constantFrom('z', 'z', undefined),
  fabric: fc.constant(undefined),
  rack: fc.constantFrom('r1', 'r2', undefined),
  nvlinkDomain: fc.constant(undefined),
})

function nodesOf(id: string): fc.Arbitrary<FleetNode> {
  const bodies = fc.record({
    cpuMilli: fc.constantFrom(4000, 8000, 12_000),
    memoryMib: fc.constantFrom(4000, 16_000),
    diskMib: fc.constantFrom(undefined, 1000),
    domains,
  })
  const plain = fc
    .tuple(bodies, fc.array(cards, { maxLength: 4 }))
    .map(([body, list]) => node(id, list.length, { ...body, cards: list }))
  const cut = fc.tuple(bodies, fc.integer({ min: 1, max: 2 })).map(([body, count]) => cutNode(id, count, body))
  const paired = bodies.map((body) => node(id, 4, { ...body, layout: PAIRS }))
  return fc.oneof(plain, cut, paired)
}

/** One to `max` nodes of all kinds. Their ids are not in the order of their indices. */
function fleets(max: number): fc.Arbitrary<Fleet> {
  return fc
    .integer({ min: 1, max })
    .chain((count) => fc.tuple(...Array.from({ length: count }, (_, index) => nodesOf(`node-${(index * 5) % 7}`))))
    .map((nodes) => ({ nodes }))
}

const lives = fc.record({
  priority: fc.integer({ min: 0, max: 3 }),
  restart: fc.constantFrom('inference', 'inference', 'training'),
  checkpointAgeS: fc.constantFrom(undefined, 0, 10, 100, 3600),
} satisfies Record<string, fc.Arbitrary<Tenant['priority' | 'restart' | 'checkpointAgeS']>>)

/** A fleet with a limited number of tenants, each at a random spot that was free when it came. */
export function worlds({ nodes, tenants }: { readonly nodes: number; readonly tenants: number }): fc.Arbitrary<World> {
  const arrivals = fc.array(fc.tuple(requests, lives, fc.nat(), fc.nat()), {
    minLength: Math.ceil(tenants / 2),
    maxLength: tenants,
    size: 'max',
  })
  return fc.tuple(fleets(nodes), arrivals).map(([fleet, list]) => {
    const living: Tenant[] = []
    let state = freeStateOf(fleet, [], RULES)
    for (const [at, [request, life, first, pick]] of list.entries()) {
      const order = fleet.nodes.map((_, index) => (index + first) % fleet.nodes.length)
      const spots = order.map((index) => everySpot(state, index, request)).find((list) => list.length > 0) ?? []
      const spot = spots[pick % Math.max(1, spots.length)]
      if (spot === undefined) continue
      // Names are in the reverse order of arrival.
      const tenant: Tenant = { name: `t${99 - at}`, request, spot, ...life }
      state = withLodger(state, tenant)
      living.push(tenant)
    }
    return { fleet, tenants: living, rules: RULES }
  })
}

/** Whether all of this can be in a fleet together: every sum and every card is checked from the plain list. */
export function isSound({ nodes }: Fleet, lodgers: readonly Pick<Tenant, 'request' | 'spot'>[]): boolean {
  return nodes.every((about, index) => {
    const here = lodgers.filter(({ spot }) => spot.node === index)
    const sum = (key: 'cpuMilli' | 'memoryMib' | 'diskMib'): number =>
      here.reduce((total, { request }) => total + request[key], 0)
    const isHosted =
      sum('cpuMilli') <= about.cpuMilli && sum('memoryMib') <= about.memoryMib && sum('diskMib') <= (about.diskMib ?? 0)
    return isHosted && about.cards.every((card, at) => isCardSound(card, takenOf(here, at)))
  })
}

function takenOf(here: readonly Pick<Tenant, 'spot'>[], card: number): readonly Spot['taken'][] {
  return here.filter(({ spot }) => spot.cards.includes(card)).map(({ spot }) => spot.taken)
}

function isCardSound({ health, parts }: FleetCard, taken: readonly Spot['taken'][]): boolean {
  if (taken.length === 0) return true
  if (health === 'failing') return false
  if (taken.some((part) => part === undefined)) return taken.length === 1
  if (parts === 'none') return false
  if (parts === 'share') {
    const milli = taken.map((part) => (part?.kind === 'share' ? part.milli : 1001))
    return milli.reduce((sum, part) => sum + part, 0) <= 1000
  }
  const places = taken.flatMap((part) => (part?.kind === 'slice' ? placesOf(part) : [0, 0]))
  return new Set(places).size === places.length
}
