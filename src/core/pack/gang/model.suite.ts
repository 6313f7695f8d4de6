import type { Domains, Fleet } from '../../fleet/fleet.ts'
import type { Level } from '../../fleet/domain-tree.ts'
import type { Gang } from './gang.ts'
import type { GangQueue, QueueStep } from './queue.ts'

// A slow and simple model of what a scheduler of gangs may do, written independently of trees, counts and queues.

/** Workers of one gang that run, one on each of the nodes. */
export interface Running {
  readonly gang: Gang
  readonly nodes: readonly number[]
}

/** The world before a step. */
export interface World {
  readonly fleet: Fleet
  /** Working cards of each node. */
  readonly cards: readonly number[]
  readonly running: readonly Running[]
  readonly nowMs: number
  readonly patienceMs: number
}

/** Everything that is wrong with a step, as text; empty: it was right. */
export function wrongWith(world: World, before: GangQueue, step: QueueStep): readonly string[] {
  const wrong: string[] = []
  const running = [...world.running]
  const owner = step.queue.kept
  for (const { gang, spot } of step.starts) {
    if (!before.waiting.some((each) => each.gang.id === gang.id)) wrong.push(`${gang.id} starts without having waited`)
    if (running.some((each) => each.gang.id === gang.id)) wrong.push(`${gang.id} starts twice`)
    const given = new Set(running.slice(world.running.length).flatMap(({ nodes }) => nodes))
    const kept = new Set(owner === undefined || owner.gang === gang.id ? [] : owner.nodes)
    const open = hostsIn(world, running, gang).filter((node) => !given.has(node) && !kept.has(node))
    wrong.push(...wrongSpot({ fleet: world.fleet, open }, gang, spot))
    running.push({ gang, nodes: spot.nodes })
  }
  wrong.push(...overfull(world, running), ...wrongQueue(before, step), ...wrongKept(world, step))
  return [...wrong, ...idle(world, running, step)]
}

/** The narrowest level at which one domain has enough of these nodes; undefined: none that the gang may use. */
export function lowestLevel(fleet: Fleet, gang: Gang, open: readonly number[]): Level | undefined {
  const bound = gang.within === undefined || gang.nodes === 1 ? undefined : KEY[gang.within]
  const usable = open.filter((node) => bound === undefined || domainsAt(fleet, node)[bound] !== undefined)
  for (const level of ['nvlink_domain', 'rack', 'fabric', 'zone'] as const) {
    const sizes = new Map<string, number>()
    for (const node of usable) {
      const key = pathTo(domainsAt(fleet, node), level)
      if (key !== undefined) sizes.set(key, (sizes.get(key) ?? 0) + 1)
    }
    if ([...sizes.values()].some((size) => size >= gang.nodes)) return level
    if (gang.within === level && gang.nodes > 1) return undefined
  }
  return usable.length >= gang.nodes ? 'fleet' : undefined
}

/** Nodes with room for one more worker. */
export function hostsIn(world: Pick<World, 'cards'>, running: readonly Running[], gang: Gang): readonly number[] {
  return world.cards.flatMap((cards, node) => (cards - usedOn(node, running) >= gang.request.count ? [node] : []))
}

export function usedOn(node: number, running: readonly Running[]): number {
  let used = 0
  for (const { gang, nodes } of running) {
    for (const each of nodes) if (each === node) used += gang.request.count
  }
  return used
}

const KEY = { zone: 'zone', fabric: 'fabric', rack: 'rack', nvlink_domain: 'nvlinkDomain' } as const
const WIDE_TO_NARROW = ['zone', 'fabric', 'rack', 'nvlink_domain'] as const

const NOWHERE: Domains = { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined }

function domainsAt(fleet: Fleet, node: number): Domains {
  return fleet.nodes[node]?.domains ?? NOWHERE
}

/** What two nodes must share to be in one domain; undefined: the node is in no domain of that level. */
function pathTo(domains: Domains, level: Exclude<Level, 'fleet'>): string | undefined {
  if (domains[KEY[level]] === undefined) return undefined
  const names = WIDE_TO_NARROW.slice(0, WIDE_TO_NARROW.indexOf(level) + 1).map((each) => domains[KEY[each]] ?? '?')
  return names.join(' ')
}

function wrongSpot(
  { fleet, open }: { readonly fleet: Fleet; readonly open: readonly number[] },
  gang: Gang,
  { nodes, domain }: QueueStep['starts'][number]['spot'],
): readonly string[] {
  const wrong: string[] = []
  if (nodes.length !== gang.nodes) wrong.push(`${gang.id} gets ${nodes.length} of ${gang.nodes} nodes`)
  if (new Set(nodes).size !== nodes.length) wrong.push(`${gang.id} gets a node twice`)
  if (nodes.some((node) => !open.includes(node))) wrong.push(`${gang.id} gets a node that is not available`)
  if (gang.nodes === 1) return wrong
  const lowest = lowestLevel(fleet, gang, open)
  if (domain.level !== lowest) wrong.push(`${gang.id} gets a ${domain.level} where a ${lowest} would do`)
  const { level } = domain
  if (level !== 'fleet') {
    const paths = new Set([domain.path, ...nodes.map((node) => domainsAt(fleet, node))].map((at) => pathTo(at, level)))
    if (paths.size > 1 || paths.has(undefined)) wrong.push(`${gang.id} is not in one ${level}`)
  }
  if (gang.within !== undefined) {
    const { within } = gang
    const bounds = new Set(nodes.map((node) => pathTo(domainsAt(fleet, node), within)))
    if (bounds.size > 1 || bounds.has(undefined)) wrong.push(`${gang.id} is not within one ${within}`)
  }
  return wrong
}

function overfull({ cards }: World, running: readonly Running[]): readonly string[] {
  return cards.flatMap((have, node) => (usedOn(node, running) > have ? [`node ${node} holds more than it has`] : []))
}

/** No gang is lost, and none appears from nowhere. */
function wrongQueue(before: GangQueue, { queue, starts, waits }: QueueStep): readonly string[] {
  const was = before.waiting.map(({ gang }) => gang.id)
  const started = starts.map(({ gang }) => gang.id)
  const still = queue.waiting.map(({ gang }) => gang.id)
  const wrong: string[] = []
  if ([...started, ...still].sort().join() !== was.sort().join())
    wrong.push(`of ${was} there are ${started} and ${still}`)
  if (
    waits
      .map(({ gang }) => gang.id)
      .sort()
      .join() !== still.sort().join()
  )
    wrong.push(`${still} wait for no reason`)
  return wrong
}

/** Only a gang that has waited too long has nodes held for it, as many as it needs and where it may run. */
function wrongKept({ fleet, cards, nowMs, patienceMs }: World, { queue }: QueueStep): readonly string[] {
  const { kept } = queue
  if (kept === undefined) return []
  const owner = queue.waiting.find(({ gang }) => gang.id === kept.gang)
  if (owner === undefined) return [`nodes are kept for ${kept.gang}, which does not wait`]
  const wrong: string[] = []
  if (nowMs - owner.sinceMs <= patienceMs) wrong.push(`nodes are kept for ${kept.gang} too soon`)
  if (kept.nodes.length !== owner.gang.nodes) wrong.push(`${kept.nodes.length} nodes are kept for ${kept.gang}`)
  const able = hostsIn({ cards }, [], owner.gang)
  const useful = kept.nodes.filter((node, index) => able.includes(node) && kept.nodes.indexOf(node) === index)
  if (lowestLevel(fleet, owner.gang, useful) === undefined) wrong.push(`the nodes kept for ${kept.gang} are of no use`)
  return wrong
}

/** No gang waits that could run on nodes that are neither used nor held. */
function idle(world: World, running: readonly Running[], { queue, starts }: QueueStep): readonly string[] {
  const given = new Set(starts.flatMap(({ spot }) => spot.nodes))
  return queue.waiting.flatMap(({ gang }) => {
    const kept = new Set(queue.kept === undefined || queue.kept.gang === gang.id ? [] : queue.kept.nodes)
    const open = hostsIn(world, running, gang).filter((node) => !given.has(node) && !kept.has(node))
    return lowestLevel(world.fleet, gang, open) === undefined ? [] : [`${gang.id} waits but could run`]
  })
}
