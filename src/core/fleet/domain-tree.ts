import { must } from '../base/assert.ts'
import type { Domains, Fleet } from './fleet.ts'

/** The domains of a fleet, widest to narrowest. `fleet` holds every node; of some nodes nothing more is known. */
export const LEVELS = ['fleet', 'zone', 'fabric', 'rack', 'nvlink_domain'] as const

export type Level = (typeof LEVELS)[number]

/** One domain, by its name and the names of the domains around it. Everything below its own level is undefined. */
export interface Domain {
  readonly level: Level
  readonly path: Domains
}

/**
 * Which node is in which domain. Domains are numbered so that those inside `d` are `d + 1` to `end[d] - 1`, siblings by
 * level and name; 0 is the fleet. A domain is identified by its name and the known domains around it: `rack-7` in two zones
 * is two racks. A node belongs to its narrowest known domain, which is its home.
 */
export interface DomainTree {
  /** The number of domains. */
  readonly count: number
  /** Index into `LEVELS`: the higher the index, the narrower the domain. */
  readonly level: Uint8Array
  readonly name: readonly string[]
  /** -1 for the fleet. */
  readonly parent: Int32Array
  readonly end: Int32Array
  /** Nodes, grouped by domain: first the nodes whose home is the domain, then those of the domains inside it. */
  readonly nodes: Int32Array
  readonly nodesFrom: Int32Array
  /** Where the nodes end whose home is the domain. */
  readonly homesTo: Int32Array
  readonly nodesTo: Int32Array
  /** Home of each node. */
  readonly home: Int32Array
  /** The position of each node in `nodes`. */
  readonly position: Int32Array
}

/** How many nodes of each domain could host a worker of one kind now. Only `setHost` changes it. */
export interface HostCount {
  readonly isHost: Uint8Array
  /** Hosts in a domain, including the domains inside it. */
  readonly hosts: Int32Array
  /** Hosts whose home is the domain. */
  readonly atHome: Int32Array
}

/** Sorts the nodes of a fleet into its domains. */
export function domainTree(fleet: Fleet): DomainTree {
  const root = branchOf('', 0)
  for (const [index, node] of fleet.nodes.entries()) homeIn(root, node.domains).nodes.push(index)
  const branches = inOrder(root)
  const tree = emptyTree(branches, fleet.nodes.length)
  let filled = 0
  for (const [domain, { branch, parent }] of branches.entries()) {
    tree.level[domain] = branch.level
    tree.parent[domain] = parent
    tree.nodesFrom[domain] = filled
    for (const node of branch.nodes) {
      tree.nodes[filled] = node
      tree.home[node] = domain
      tree.position[node] = filled++
    }
    tree.homesTo[domain] = filled
  }
  closeRanges(tree)
  return tree
}

/** Counts every node once. */
export function countHosts(tree: DomainTree, canHost: (node: number) => boolean): HostCount {
  const count: HostCount = {
    isHost: new Uint8Array(tree.home.length),
    hosts: new Int32Array(tree.count),
    atHome: new Int32Array(tree.count),
  }
  for (let node = 0; node < tree.home.length; node++) {
    if (!canHost(node)) continue
    const home = at(tree.home, node)
    count.isHost[node] = 1
    count.atHome[home] = at(count.atHome, home) + 1
  }
  // Domains inside a domain come after it. Going backwards, each count is complete before it is added to its parent.
  for (let domain = tree.count - 1; domain >= 0; domain--) {
    const hosts = at(count.hosts, domain) + at(count.atHome, domain)
    const parent = at(tree.parent, domain)
    count.hosts[domain] = hosts
    if (parent >= 0) count.hosts[parent] = at(count.hosts, parent) + hosts
  }
  return count
}

/** Updates whether a node can host, and recounts only the domains around it. */
export function setHost(
  tree: DomainTree,
  count: HostCount,
  now: { readonly node: number; readonly can: boolean },
): void {
  const { node, can } = now
  const change = Number(can) - at(count.isHost, node)
  if (change === 0) return
  const home = at(tree.home, node)
  count.isHost[node] = Number(can)
  count.atHome[home] = at(count.atHome, home) + change
  for (let domain = home; domain >= 0; domain = at(tree.parent, domain)) {
    count.hosts[domain] = at(count.hosts, domain) + change
  }
}

/** A domain in terms that need no tree. */
export function domainOf(tree: DomainTree, domain: number): Domain {
  const level = LEVELS[at(tree.level, domain)]
  const path: Record<keyof Domains, string | undefined> = { ...NOWHERE }
  for (let situation = domain; situation > 0; situation = at(tree.parent, situation)) {
    const key = KEYS[at(tree.level, situation) - 1]
    if (key !== undefined) path[key] = tree.name[situation]
  }
  return { level: must(level, 'a domain has a level'), path }
}

/** The domain of exactly this level that contains a domain, or is it; undefined: not known. */
export function enclosing(tree: DomainTree, domain: number, level: Level): number | undefined {
  const wanted = LEVELS.indexOf(level)
  let situation = domain
  while (at(tree.level, situation) > wanted) situation = at(tree.parent, situation)
  return at(tree.level, situation) === wanted ? situation : undefined
}

/** An element that is known to exist. */
export function at(array: Uint8Array | Int32Array | Float64Array, index: number): number {
  return must(array[index], 'an index inside the array')
}

/** The key of each level below the fleet in a node's domains. */
const KEYS = ['zone', 'fabric', 'rack', 'nvlinkDomain'] as const

const NOWHERE: Domains = { zone: undefined, fabric: undefined, rack: undefined, nvlinkDomain: undefined }

/** A domain while the tree is built. */
interface Branch {
  readonly name: string
  readonly level: number
  readonly inside: Map<string, Branch>
  readonly nodes: number[]
}

interface Placed {
  readonly branch: Branch
  readonly parent: number
}

function branchOf(name: string, level: number): Branch {
  return { name, level, inside: new Map(), nodes: [] }
}

/** Walks down the known domains, and creates new ones. */
function homeIn(root: Branch, domains: Domains): Branch {
  let branch = root
  for (const [index, key] of KEYS.entries()) {
    const name = domains[key]
    if (name === undefined) continue
    const label = `${index} ${name}`
    const next = branch.inside.get(label) ?? branchOf(name, index + 1)
    branch.inside.set(label, next)
    branch = next
  }
  return branch
}

/** Every domain with its parent's number, parents before what is inside them. */
function inOrder(root: Branch): readonly Placed[] {
  const placed: Placed[] = []
  const visit = (branch: Branch, parent: number): void => {
    const number = placed.length
    placed.push({ branch, parent })
    for (const inside of [...branch.inside.values()].sort(byLevelAndName)) visit(inside, number)
  }
  visit(root, -1)
  return placed
}

function byLevelAndName(one: Branch, two: Branch): number {
  if (one.level !== two.level) return one.level - two.level
  return one.name < two.name ? -1 : 1
}

function emptyTree(branches: readonly Placed[], nodes: number): DomainTree {
  const count = branches.length
  return {
    count,
    level: new Uint8Array(count),
    name: branches.map(({ branch }) => branch.name),
    parent: new Int32Array(count),
    end: new Int32Array(count),
    nodes: new Int32Array(nodes),
    nodesFrom: new Int32Array(count),
    homesTo: new Int32Array(count),
    nodesTo: new Int32Array(count),
    home: new Int32Array(nodes),
    position: new Int32Array(nodes),
  }
}

/** A domain ends where the last one inside it ends. */
function closeRanges(tree: DomainTree): void {
  for (let domain = tree.count - 1; domain >= 0; domain--) {
    const parent = at(tree.parent, domain)
    tree.end[domain] = Math.max(at(tree.end, domain), domain + 1)
    tree.nodesTo[domain] = Math.max(at(tree.nodesTo, domain), at(tree.homesTo, domain))
    if (parent < 0) continue
    tree.end[parent] = Math.max(at(tree.end, parent), at(tree.end, domain))
    tree.nodesTo[parent] = Math.max(at(tree.nodesTo, parent), at(tree.nodesTo, domain))
  }
}
