import { must } from '../src/core/base/assert.ts'
import type { Domains, Fleet } from '../src/core/fleet/fleet.ts'
import { domainTree } from '../src/core/fleet/domain-tree.ts'
import { generator, nodeOf, tenantOn, wholeCards } from '../src/core/pack/gang/fleet.suite.ts'
import type { Gang, GangSpot, HostView } from '../src/core/pack/gang/gang.ts'
import { lowestLevel } from '../src/core/pack/gang/model.suite.ts'
import { placeGang } from '../src/core/pack/gang/place-gang.ts'
import { playSchedule } from '../src/core/pack/gang/schedule.suite.ts'
import { flag, percentile, round, type Bench, type Figures } from './bench.ts'

const NODES = 5000
const CARDS = 8
const WARM_UP = 20

/** Whether gangs are all or nothing in many schedules, and how long a large one takes to place in a large fleet. */
export const gang: Bench = {
  name: 'gang',
  about: 'random gang schedules under a slow model; 64 nodes placed among 5,000 (--schedules N, --states N)',
  run(argv) {
    return Promise.resolve({
      schedules: schedules(Number(flag(argv, 'schedules', '100000'))),
      placement: placement(Number(flag(argv, 'states', '2000'))),
    })
  },
}

function schedules(count: number): Figures {
  const startMs = performance.now()
  const sums = { steps: 0, starts: 0, keeping: 0 }
  const wrong: string[] = []
  let violations = 0
  for (let seed = 0; seed < count; seed++) {
    const outcome = playSchedule(seed)
    sums.steps += outcome.steps
    sums.starts += outcome.starts
    sums.keeping += outcome.keeping
    violations += outcome.wrong.length
    if (wrong.length < 5) wrong.push(...outcome.wrong.map((text) => `seed ${seed}: ${text}`))
  }
  const { steps, starts, keeping } = sums
  const seconds = round((performance.now() - startMs) / 1000)
  return { schedules: count, steps, starts, steps_with_nodes_kept: keeping, violations, wrong, seconds }
}

/** Fits and holdups are timed apart: an explanation looks at more. */
function placement(states: number): Figures {
  const fitMs: number[] = []
  const waitMs: number[] = []
  const levels: Record<string, number> = { nvlink_domain: 0, rack: 0, fabric: 0, zone: 0, fleet: 0 }
  let violations = 0
  for (let seed = -WARM_UP; seed < states; seed++) {
    const chance = generator(seed)
    const fleet = largeFleet(chance)
    const free = fill(fleet, chance)
    const tree = domainTree(fleet)
    const asked = largeGang(chance)
    const view = viewOf(free)
    const startMs = performance.now()
    const answer = placeGang(tree, asked, view)
    const tookMs = performance.now() - startMs
    const spot = answer.kind === 'fits' ? answer : undefined
    violations += isRight({ fleet, free }, asked, spot) ? 0 : 1
    if (seed < 0) continue
    if (spot !== undefined) levels[spot.domain.level] = (levels[spot.domain.level] ?? 0) + 1
    const samples = spot === undefined ? waitMs : fitMs
    samples.push(tookMs)
  }
  return { nodes: NODES, gang: 64, violations, levels, fits: timesOf(fitMs), waits: timesOf(waitMs) }
}

function timesOf(samples: readonly number[]): Figures {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => round(percentile(samples, share)))
  return { samples: samples.length, p50_ms: p50, p99_ms: p99, max_ms: max }
}

/** Nodes in each NVLink domain, NVLink domains in each rack, racks in each fabric, fabrics in each zone. */
const SHAPES = [
  [4, 4, 16, 4],
  [18, 1, 16, 4],
  [8, 8, 8, 3],
  [16, 6, 6, 2],
  [72, 1, 8, 4],
  [1, 32, 20, 2],
  [4, 4, 3, 2],
] as const

/** One of seven shapes; every second fleet does not know the domains of all of its nodes. */
function largeFleet(chance: (below: number) => number): Fleet {
  const [inDomain, inRack, inFabric, inZone] = must(SHAPES[chance(SHAPES.length)], 'a shape')
  const unknown = chance(2) * chance(30)
  const known = (name: string): string | undefined => (chance(100) < unknown ? undefined : name)
  const domainsAt = (index: number): Domains => {
    const domain = Math.floor(index / inDomain)
    const rack = Math.floor(domain / inRack)
    const fabric = Math.floor(rack / inFabric)
    return {
      zone: known(`z${Math.floor(fabric / inZone)}`),
      fabric: known(`f${fabric}`),
      rack: known(`r${rack}`),
      nvlinkDomain: known(`n${domain}`),
    }
  }
  return { nodes: Array.from({ length: NODES }, (_, index) => nodeOf(`node-${index}`, domainsAt(index))) }
}

/** Free cards of each node. The fleet is as full as chance wants, and each rack fuller or emptier than the fleet. */
function fill(fleet: Fleet, chance: (below: number) => number): Uint8Array {
  const fleetFull = chance(3) === 0 ? 90 + chance(11) : chance(101)
  const racks = new Map<string | undefined, number>()
  return Uint8Array.from(fleet.nodes, ({ domains }) => {
    const full = racks.get(domains.rack) ?? (chance(8) === 0 ? chance(101) : fleetFull)
    racks.set(domains.rack, full)
    return chance(100) < full ? chance(CARDS) : CARDS
  })
}

function largeGang(chance: (below: number) => number): Gang {
  const within = ([undefined, undefined, undefined, 'zone', 'rack', 'nvlink_domain'] as const)[chance(6)]
  return { id: 'gang', nodes: 64, request: wholeCards(CARDS), within }
}

function viewOf(free: Uint8Array): HostView {
  return {
    canHost: (node) => (free[node] ?? 0) >= CARDS,
    score: (node) => -(free[node] ?? 0),
    tenancy: { wouldHost: () => true, tenantsOn: (node) => [tenantOn(node)] },
  }
}

interface State {
  readonly fleet: Fleet
  readonly free: Uint8Array
}

/** Whether it got 64 different hosts in the narrowest domain that has them, or waits because none has. */
function isRight({ fleet, free }: State, asked: Gang, spot: GangSpot | undefined): boolean {
  const open = fleet.nodes.flatMap((_, node) => (free[node] === CARDS ? [node] : []))
  const lowest = lowestLevel(fleet, asked, open)
  if (spot === undefined || lowest === undefined) return spot === undefined && lowest === undefined
  const hosts = new Set(spot.nodes.filter((node) => free[node] === CARDS))
  return (
    hosts.size === asked.nodes &&
    spot.nodes.length === asked.nodes &&
    spot.domain.level === lowest &&
    isInside(fleet, spot)
  )
}

function isInside(fleet: Fleet, { nodes, domain }: GangSpot): boolean {
  const names = Object.entries(domain.path).filter(([, name]) => name !== undefined)
  return nodes.every((node) => {
    const own = new Map(Object.entries(must(fleet.nodes[node], 'a node').domains))
    return names.every(([key, name]) => own.get(key) === name)
  })
}
