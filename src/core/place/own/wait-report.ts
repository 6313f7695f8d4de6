import { must } from '../../base/assert.ts'
import type { Spot, Tenant } from '../../fleet/fleet.ts'
import type { BlockedNode, Help, Nearest } from '../../pack/gang/holdup.ts'
import type { OwnedFleet } from '../../fleet/owned-fleet.ts'
import { mayStop } from '../../pack/proposal/cost.ts'
import type { Moves } from '../../pack/proposal/defragment.ts'
import { nameOf, reportDomain, type DomainReport } from './report.ts'
import type { FleetWait } from './wait.ts'

/** Why a fleet has no room for one more replica, and what would change that. */
export interface WaitReport {
  readonly fleet: string
  /** Undefined: no node is known to be in a domain of the requested level. */
  readonly nearest?: NearestNodeReport | undefined
  /** Whether it would fit if nothing ran; undefined: not known. */
  readonly fits_when_empty?: boolean | undefined
  readonly helps: readonly HelpReport[]
  /** A proposal only: nothing is moved. */
  readonly would_free?: FreeingReport | undefined
}

export interface NearestNodeReport {
  readonly domain: DomainReport
  /** Nodes that have room now. */
  readonly free: readonly string[]
  readonly missing: number
  readonly blocked: readonly BlockedReport[]
}

export interface BlockedReport {
  readonly node: string
  readonly tenants: readonly TenantReport[]
  /** How much more would have to be free; left out: not known, or enough is free. */
  readonly short?: ShortReport | undefined
}

export interface ShortReport {
  readonly cpu?: number | undefined
  readonly memory_gib?: number | undefined
  readonly disk_gib?: number | undefined
  readonly gpus?: number | undefined
}

export interface TenantReport {
  readonly name: string
  readonly cards: readonly number[]
  readonly restart: Tenant['restart']
  readonly priority: number
  readonly checkpoint_age_s?: number | undefined
  /** Whether a move of it may be proposed: inference, or training with a checkpoint. */
  readonly may_move: boolean
  /** It does not run yet: this plan would place it there. */
  readonly planned: boolean
}

export type HelpReport =
  /** `within` undefined: without a limit. */
  | { readonly kind: 'wider'; readonly within?: string | undefined }
  | { readonly kind: 'fewer'; readonly nodes: number }
  | { readonly kind: 'wait'; readonly nodes: readonly string[] }

interface FreeingReport {
  readonly moves: readonly MoveReport[]
  readonly restarts: number
  /** Work that would have to be repeated, in seconds of one card. */
  readonly lost_gpu_seconds: number
  /** Nodes that would have room then. */
  readonly nodes: readonly string[]
}

export interface MoveReport {
  readonly name: string
  readonly from: SpotReport
  readonly to: SpotReport
  /** With room for both copies, the new one starts before the old one stops. */
  readonly how: 'start-first' | 'stop-first'
  readonly restart: Tenant['restart']
}

interface SpotReport {
  readonly node: string
  readonly cards: readonly number[]
  readonly slice?: { readonly profile: string; readonly start: number } | undefined
  readonly share?: number | undefined
}

export function reportWait(
  { fleet, holdup, moves, planned, short }: FleetWait,
  fleets: readonly OwnedFleet[],
): WaitReport {
  const owned = must(fleets[fleet], 'a fleet of the snapshot')
  return {
    fleet: nameOf(fleets, fleet),
    nearest: holdup.nearest && reportNearest(holdup.nearest, { owned, planned, short }),
    fits_when_empty: holdup.fitsWhenEmpty,
    helps: holdup.helps.map((help) => reportHelp(help, owned)),
    would_free: moves && reportMoves(moves, owned),
  }
}

interface Place {
  readonly owned: OwnedFleet
  readonly planned: ReadonlySet<Tenant>
  readonly short: FleetWait['short']
}

function reportNearest({ domain, free, missing, blocked }: Nearest, place: Place): NearestNodeReport {
  return {
    domain: reportDomain(domain),
    free: free.map((node) => nodeName(place.owned, node)),
    missing,
    blocked: blocked.slice(0, BLOCKED_TOLD).map((node) => reportBlocked(node, place)),
  }
}

/** How many are shown, cheapest to clear first; a longer list helps no reader. */
const BLOCKED_TOLD = 32

function reportBlocked({ node, tenants }: BlockedNode, { owned, planned, short }: Place): BlockedReport {
  const { cpu, memoryGib, diskGib, gpus } = short.get(node) ?? {}
  const missing = {
    ...(cpu !== undefined && { cpu }),
    ...(memoryGib !== undefined && { memory_gib: memoryGib }),
    ...(diskGib !== undefined && { disk_gib: diskGib }),
    ...(gpus !== undefined && { gpus }),
  }
  return {
    node: nodeName(owned, node),
    tenants: tenants.map((tenant) => ({
      name: tenant.name,
      cards: tenant.spot.cards,
      restart: tenant.restart,
      priority: tenant.priority,
      checkpoint_age_s: tenant.checkpointAgeS,
      may_move: mayStop(tenant),
      planned: planned.has(tenant),
    })),
    ...(Object.keys(missing).length > 0 && { short: missing }),
  }
}

function reportHelp(help: Help, owned: OwnedFleet): HelpReport {
  switch (help.kind) {
    case 'wider':
    case 'fewer':
      return help
    case 'wait':
      return { kind: 'wait', nodes: help.nodes.map(({ node }) => nodeName(owned, node)) }
  }
}

function reportMoves({ moves, cost, spots }: Moves, owned: OwnedFleet): FreeingReport {
  return {
    moves: moves.map(({ name, from, to, how, restart }) => ({
      name,
      from: reportSpot(from, owned),
      to: reportSpot(to, owned),
      how,
      restart,
    })),
    restarts: cost.restarts,
    lost_gpu_seconds: cost.lostGpuSeconds,
    nodes: spots.map(({ node }) => nodeName(owned, node)),
  }
}

function reportSpot({ node, cards, taken }: Spot, owned: OwnedFleet): SpotReport {
  return {
    node: nodeName(owned, node),
    cards,
    slice: taken?.kind === 'slice' ? { profile: taken.profile, start: taken.start } : undefined,
    share: taken?.kind === 'share' ? taken.milli / 1000 : undefined,
  }
}

function nodeName({ fleet }: OwnedFleet, node: number): string {
  return must(fleet.nodes[node], 'a node of the fleet').id
}

/** `1 CPU and 2 GiB of memory`. */
export function shortText({ cpu, memory_gib: memory, disk_gib: disk, gpus }: ShortReport): string {
  const parts = [
    ...(gpus === undefined ? [] : [`${gpus} ${gpus === 1 ? 'GPU' : 'GPUs'}`]),
    ...(cpu === undefined ? [] : [`${amount(cpu)} CPU`]),
    ...(memory === undefined ? [] : [`${amount(memory)} GiB of memory`]),
    ...(disk === undefined ? [] : [`${amount(disk)} GiB of disk`]),
  ]
  return parts.join(' and ')
}

/** Rounded up: with that much more, it would fit. */
function amount(value: number): string {
  return String(Math.ceil(value * 100 - 1e-6) / 100)
}
