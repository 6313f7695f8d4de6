import { must } from '../../base/assert.ts'
import { cutsLeft } from '../../fleet/slices.ts'
import type { NodeUse } from '../../fleet/use.ts'
import type { Domains } from '../../fleet/fleet.ts'
import type { Domain } from '../../fleet/domain-tree.ts'
import type { OwnedFleet } from '../../fleet/owned-fleet.ts'
import { CARDS_MAX, maskOf } from '../../fleet/topology/card-mask.ts'
import { describeCards } from '../../fleet/topology/describe-cards.ts'
import { islands } from '../../fleet/topology/islands.ts'
import type { OwnPlace } from './ask.ts'

/** A place in a fleet as scripts see it: which node and cards, why these, and what is left. */
export interface OwnReport {
  readonly fleet: string
  readonly node: string
  readonly domains: DomainsReport
  /** What all nodes of a gang have in common; undefined: it is no gang. */
  readonly together?: DomainReport | undefined
  readonly cards: readonly number[]
  /** Cards of the node. */
  readonly cards_in_node: number
  /** A MIG slice and its position, in the terms of the driver. */
  readonly slice?: { readonly profile: string; readonly start: number } | undefined
  /** How much of each card, 0..1; undefined: all of it, or a slice. */
  readonly share?: number | undefined
  /** Whether the links between the node's cards are known; `alone`: it has fewer than two cards. */
  readonly wiring: 'known' | 'unknown' | 'alone'
  /** The smallest island that holds all chosen cards, and GB/s between any two cards of it. */
  readonly island?: { readonly cards: readonly number[]; readonly gbps: number } | undefined
  readonly gbps?: number | undefined
  readonly numa?: readonly number[] | undefined
  readonly nic?: { readonly name: string; readonly shares: 'switch' | 'numa' | 'machine' } | undefined
  readonly leaves: LeavesReport
}

/** What is left of a node. */
interface LeavesReport {
  readonly idle_cards: number
  /** Cards of the largest island that is entirely idle; undefined: there is none, or the wiring is not known. */
  readonly whole_island?: number | undefined
  /** MIG slices that can still be cut from the same card, largest first. */
  readonly slices: readonly string[]
  /** How much of the same card is still free to share, 0..1. */
  readonly share?: number | undefined
  /** No card has any room left. */
  readonly is_full: boolean
  readonly cpu: number
  readonly memory_gib: number
  readonly disk_gib?: number | undefined
}

interface DomainsReport {
  readonly zone?: string | undefined
  readonly fabric?: string | undefined
  readonly rack?: string | undefined
  readonly nvlink_domain?: string | undefined
}

export interface DomainReport {
  readonly level: Domain['level']
  /** Undefined for the fleet itself. */
  readonly name?: string | undefined
}

export function reportOwn(place: OwnPlace, domain: Domain | undefined, fleets: readonly OwnedFleet[]): OwnReport {
  const { node } = place.after
  const { cards, taken } = place.spot
  return {
    fleet: nameOf(fleets, place.fleet),
    node: node.id,
    domains: reportDomains(node.domains),
    together: domain && reportDomain(domain),
    cards,
    cards_in_node: node.cards.length,
    slice: taken?.kind === 'slice' ? { profile: taken.profile, start: taken.start } : undefined,
    share: taken?.kind === 'share' ? taken.milli / 1000 : undefined,
    ...whyThese(place),
    leaves: leavesOf(place),
  }
}

/** A fleet is named after its owner, and after itself if that name differs. */
export function nameOf(fleets: readonly OwnedFleet[], fleet: number): string {
  const { provider, region } = must(fleets[fleet], 'a fleet of the snapshot')
  return provider === region ? provider : `${provider}/${region}`
}

export function reportDomain({ level, path }: Domain): DomainReport {
  const { zone, fabric, rack, nvlink_domain } = reportDomains(path)
  return { level, name: { fleet: undefined, zone, fabric, rack, nvlink_domain }[level] }
}

function reportDomains({ zone, fabric, rack, nvlinkDomain }: Domains): DomainsReport {
  return { zone, fabric, rack, nvlink_domain: nvlinkDomain }
}

type Why = Pick<OwnReport, 'wiring' | 'island' | 'gbps' | 'numa' | 'nic'>

function whyThese({ after, spot }: OwnPlace): Why {
  const { layout, cards } = after.node
  const nothing = { island: undefined, gbps: undefined, numa: undefined, nic: undefined }
  if (layout === undefined || layout.cards > CARDS_MAX)
    return { wiring: cards.length < 2 ? 'alone' : 'unknown', ...nothing }
  const { island, gbps, numa, nic } = describeCards(layout, maskOf(spot.cards))
  return {
    wiring: 'known',
    // A single card, or a part of one, has no links to show.
    island: spot.cards.length < 2 ? undefined : island,
    gbps,
    numa: spot.cards.length === 0 ? undefined : numa,
    nic: nic && { name: nic.nic.name, shares: nic.shares },
  }
}

function leavesOf({ after, spot }: OwnPlace): LeavesReport {
  const { cards, node } = after
  const idle = cards.flatMap(({ state }, card) => (state === 'free' ? [card] : []))
  const same = cards[spot.cards[0] ?? -1]
  const slices = same?.holders.flatMap(({ taken }) => (taken?.kind === 'slice' ? [taken] : [])) ?? []
  return {
    idle_cards: idle.length,
    whole_island: wholeIsland(after, idle),
    slices: spot.taken?.kind === 'slice' ? cutsLeft(node.model, slices).map(({ name }) => name) : [],
    share: spot.taken?.kind === 'share' ? (same?.freeMilli ?? 0) / 1000 : undefined,
    is_full: cards.length > 0 && cards.every(({ state }) => state === 'full' || state === 'failing'),
    cpu: after.cpuFreeMilli / 1000,
    memory_gib: after.memoryFreeMib / 1024,
    disk_gib: after.diskFreeMib === undefined ? undefined : after.diskFreeMib / 1024,
  }
}

function wholeIsland({ node }: NodeUse, idle: readonly number[]): number | undefined {
  if (node.layout === undefined || node.layout.cards > CARDS_MAX) return undefined
  const mask = maskOf(idle)
  const whole = islands(node.layout).filter((island) => (island.mask & mask) === island.mask)
  return whole.length === 0 ? undefined : Math.max(...whole.map(({ size }) => size))
}
