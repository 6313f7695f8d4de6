import { domainTree, LEVELS, type Level } from '../../../core/fleet/domain-tree.ts'
import { countCards, maskOf } from '../../../core/fleet/topology/card-mask.ts'
import { islands, type Island } from '../../../core/fleet/topology/islands.ts'
import type { CardState, NodeUse } from '../../../core/fleet/use.ts'
import type { Layout } from '../../../core/fleet/layout.ts'

/** What a fleet has and how much of it is free. */
export interface FleetSummary extends RoomSummary {
  readonly tenants: number
  /** Nodes that differ only in what runs on them, grouped; most cards first. */
  readonly kinds: readonly KindSummary[]
  /** From the widest to the narrowest, each followed by the domains inside it; the fleet itself is left out. */
  readonly domains: readonly DomainSummary[]
  /** MIG slices in use, most frequent first. */
  readonly slices: readonly SliceCount[]
}

/** The totals of some nodes. */
export interface RoomSummary {
  readonly nodes: number
  /** Nodes of which every card is free. */
  readonly idleNodes: number
  readonly cards: number
  readonly states: Readonly<Record<CardState, number>>
  readonly cpuMilli: number
  readonly cpuFreeMilli: number
  readonly memoryMib: number
  readonly memoryFreeMib: number
}

export interface KindSummary extends RoomSummary {
  readonly model: string | undefined
  readonly cardsPerNode: number
  readonly layout: Layout | undefined
  /** The most free cards on one node that are joined at its highest speed; undefined: wiring unknown. */
  readonly island: { readonly cards: number; readonly gbps: number | undefined } | undefined
}

export interface DomainSummary extends RoomSummary {
  readonly level: Exclude<Level, 'fleet'>
  readonly name: string
  /** How many known domains it lies inside. */
  readonly depth: number
}

interface SliceCount {
  readonly model: string
  readonly profile: string
  readonly count: number
}

/** The totals of a fleet. */
export function summarise(uses: readonly NodeUse[]): FleetSummary {
  return {
    ...roomOf(uses),
    tenants: uses.reduce((sum, use) => sum + use.tenants.length, 0),
    kinds: kindsOf(uses),
    domains: domainsOf(uses),
    slices: slicesOf(uses),
  }
}

/** The islands with the fastest links: cards that are nearer to each other than to any others. */
function nearestIslands(layout: Layout): readonly Island[] {
  const all = islands(layout)
  return all.filter(({ gbps }) => gbps === all[0]?.gbps)
}

/** The most free cards in any one of these islands; without islands, a free card counts by itself. */
export function mostFree({ cards }: NodeUse, among: readonly Pick<Island, 'mask'>[]): number {
  const free = cards.flatMap(({ state }, card) => (state === 'free' ? [card] : []))
  const mask = maskOf(free)
  return among.reduce((most, island) => Math.max(most, countCards(island.mask & mask)), Math.min(1, free.length))
}

function roomOf(uses: readonly NodeUse[]): RoomSummary {
  const states = { free: 0, partly: 0, full: 0, failing: 0 }
  const sums = { cards: 0, idleNodes: 0, cpuMilli: 0, cpuFreeMilli: 0, memoryMib: 0, memoryFreeMib: 0 }
  for (const { node, cards, cpuFreeMilli, memoryFreeMib } of uses) {
    for (const { state } of cards) states[state]++
    sums.cards += cards.length
    if (cards.length > 0 && cards.every(({ state }) => state === 'free')) sums.idleNodes++
    sums.cpuMilli += node.cpuMilli
    sums.cpuFreeMilli += cpuFreeMilli
    sums.memoryMib += node.memoryMib
    sums.memoryFreeMib += memoryFreeMib
  }
  return { nodes: uses.length, states, ...sums }
}

function kindsOf(uses: readonly NodeUse[]): readonly KindSummary[] {
  const groups = Map.groupBy(uses, ({ node }) => JSON.stringify([node.model, node.cards.length, node.layout?.id]))
  return [...groups.values()]
    .map(kindOf)
    .sort(
      (one, two) => two.cards - one.cards || two.nodes - one.nodes || ((one.model ?? '') < (two.model ?? '') ? -1 : 1),
    )
}

function kindOf(uses: readonly NodeUse[]): KindSummary {
  const node = uses[0]?.node
  return {
    model: node?.model,
    cardsPerNode: node?.cards.length ?? 0,
    layout: node?.layout,
    island: islandOf(uses, node?.layout),
    ...roomOf(uses),
  }
}

/** A single card is an island; for several, the wiring must be known. */
function islandOf(uses: readonly NodeUse[], layout: Layout | undefined): KindSummary['island'] {
  const isAlone = uses[0]?.node.cards.length === 1
  const among = layout === undefined ? [] : nearestIslands(layout)
  if (!isAlone && among.length === 0) return undefined
  const cards = uses.reduce((most, use) => Math.max(most, mostFree(use, among)), 0)
  return { cards, gbps: among[0]?.gbps }
}

function domainsOf(uses: readonly NodeUse[]): readonly DomainSummary[] {
  const tree = domainTree({ nodes: uses.map(({ node }) => node) })
  const depths: number[] = []
  return Array.from({ length: tree.count }, (_, domain) => domain).flatMap((domain): readonly DomainSummary[] => {
    const parent = tree.parent[domain] ?? -1
    depths[domain] = (depths[parent] ?? -2) + 1
    const level = LEVELS[tree.level[domain] ?? 0]
    if (level === undefined || level === 'fleet') return []
    const inside = [...tree.nodes.subarray(tree.nodesFrom[domain], tree.nodesTo[domain])]
    const room = roomOf(inside.flatMap((node) => uses[node] ?? []))
    return [{ level, name: tree.name[domain] ?? '', depth: depths[domain] ?? 0, ...room }]
  })
}

function slicesOf(uses: readonly NodeUse[]): readonly SliceCount[] {
  const counts = new Map<string, SliceCount>()
  for (const { node, cards } of uses) {
    for (const { taken } of cards.flatMap(({ holders }) => holders)) {
      if (taken?.kind !== 'slice' || node.model === undefined) continue
      const key = `${node.model} ${taken.profile}`
      const count = (counts.get(key)?.count ?? 0) + 1
      counts.set(key, { model: node.model, profile: taken.profile, count })
    }
  }
  return [...counts.values()].sort(
    (one, two) => two.count - one.count || (`${one.model} ${one.profile}` < `${two.model} ${two.profile}` ? -1 : 1),
  )
}
