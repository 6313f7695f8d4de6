import { assert, must } from '../../base/assert.ts'
import { at, countHosts, domainOf, enclosing, LEVELS, type DomainTree, type Level } from '../../fleet/domain-tree.ts'
import type { Counted, Gang, GangSpot, HostView } from './gang.ts'
import { holdupOf, type Holdup } from './holdup.ts'
import { choosePieces } from './pieces.ts'

/** Finds nodes for all workers of a gang in the narrowest domain that can hold them, or says what is in the way. */
export function placeGang(tree: DomainTree, gang: Gang, view: HostView): GangSpot | Holdup {
  return placeCounted(tree, gang, { view, count: countHosts(tree, (node) => view.canHost(node)) })
}

/** The same for a caller that keeps the count up to date. */
export function placeCounted(tree: DomainTree, gang: Gang, counted: Counted): GangSpot | Holdup {
  return findSpot(tree, gang, counted) ?? holdupOf(tree, gang, counted)
}

/** The same for a caller that does not need the reason. */
export function findSpot(tree: DomainTree, gang: Gang, counted: Counted): GangSpot | undefined {
  assert(Number.isInteger(gang.nodes) && gang.nodes >= 1, `gang ${gang.id} has ${gang.nodes} nodes`)
  const holder = bestHolder({ tree, ...counted }, { inside: 0, hosts: gang.nodes, within: gang.within })
  if (holder === undefined) return undefined
  const nodes: number[] = []
  fill({ tree, ...counted, nodes }, holder, gang.nodes)
  nodes.sort((one, two) => at(tree.position, one) - at(tree.position, two))
  return { kind: 'fits', nodes, domain: domainOf(tree, holder) }
}

interface Ground extends Counted {
  readonly tree: DomainTree
}

interface Wanted {
  /** Only this domain and those inside it. */
  readonly inside: number
  readonly hosts: number
  readonly within: Gang['within']
}

/** The domain to use: of the narrowest that can hold all hosts, the one with the best fit; then the first. */
function bestHolder(ground: Ground, wanted: Wanted): number | undefined {
  const { level, end } = ground.tree
  let best: number | undefined
  for (let domain = wanted.inside; domain < at(end, wanted.inside); domain++) {
    if (!canHold(ground, domain, wanted)) continue
    // A node is narrower than every domain: for a single host, the width of its domain does not matter.
    const width = best === undefined || wanted.hosts === 1 ? 0 : at(level, best) - at(level, domain)
    if (best === undefined || width < 0 || (width === 0 && isTighter(ground, domain, best))) best = domain
  }
  return best
}

/** A single host counts only in its home domain, not again in wider ones. */
function canHold({ tree, count }: Ground, domain: number, { hosts, within }: Wanted): boolean {
  if (hosts === 1) return at(count.atHome, domain) > 0
  if (at(count.hosts, domain) < hosts) return false
  return within === undefined || enclosing(tree, domain, within) !== undefined
}

/**
 * Whether less is left over: in the domains themselves and, if that is equal, in the domains around them, narrow before
 * wide. So domains that could hold a larger gang are spared. Where a domain is not known, nothing is broken up.
 */
function isTighter(ground: Ground, one: number, two: number): boolean {
  for (const level of NARROW_TO_WIDE) {
    const difference = hostsAround(ground, one, level) - hostsAround(ground, two, level)
    if (difference !== 0) return difference < 0
  }
  return !isWhole(ground, one) && isWhole(ground, two)
}

/** Hosts in the domain of a level that contains another; 0 if it is not known. */
function hostsAround({ tree, count }: Ground, domain: number, level: Level): number {
  const situation = enclosing(tree, domain, level)
  return situation === undefined ? 0 : at(count.hosts, situation)
}

const NARROW_TO_WIDE = LEVELS.slice(1).toReversed()

/** Whether every node of a domain is a host. */
function isWhole({ tree, count }: Ground, domain: number): boolean {
  return at(count.hosts, domain) === at(tree.nodesTo, domain) - at(tree.nodesFrom, domain)
}

interface Filling extends Ground {
  /** Nodes taken so far. */
  readonly nodes: number[]
}

/** Takes `hosts` hosts of a domain; no domain inside it could provide them all. */
function fill(filling: Filling, domain: number, hosts: number): void {
  const { count } = filling
  if (hosts === at(count.hosts, domain)) return takeAll(filling, domain)
  if (hosts === 1) return takeBest(filling, domain, 1)
  const inside = domainsInside(filling, domain)
  const sizes = inside.map((each) => at(count.hosts, each))
  const pieces = choosePieces({ sizes, ones: at(count.atHome, domain), total: hosts })
  for (const { index, size } of pieces.chosen) fillPart(filling, must(inside[index], 'a piece of this domain'), size)
  takeBest(filling, domain, pieces.ones)
}

/** The domains directly inside a domain that have hosts, in the order for `choosePieces`: those to be spared come first. */
function domainsInside(ground: Ground, domain: number): readonly number[] {
  const { end } = ground.tree
  const { hosts } = ground.count
  const inside: number[] = []
  for (let each = domain + 1; each < at(end, domain); each = at(end, each)) {
    if (at(hosts, each) > 0) inside.push(each)
  }
  return inside.sort((one, two) => {
    const more = at(hosts, two) - at(hosts, one)
    return more || Number(isWhole(ground, two)) - Number(isWhole(ground, one)) || two - one
  })
}

/** A part of a domain is placed like a gang that may not leave it. */
function fillPart(filling: Filling, domain: number, hosts: number): void {
  if (hosts === at(filling.count.hosts, domain)) return takeAll(filling, domain)
  const holder = bestHolder(filling, { inside: domain, hosts, within: undefined })
  fill(filling, must(holder, 'a domain holds what it has'), hosts)
}

function takeAll({ tree, count, nodes }: Filling, domain: number): void {
  for (let position = at(tree.nodesFrom, domain); position < at(tree.nodesTo, domain); position++) {
    const node = at(tree.nodes, position)
    if (at(count.isHost, node) === 1) nodes.push(node)
  }
}

/** The best hosts whose home is the domain; of equals, the first. */
function takeBest({ tree, count, view, nodes }: Filling, domain: number, hosts: number): void {
  if (hosts === 0) return
  const scored: { readonly node: number; readonly score: number }[] = []
  for (let position = at(tree.nodesFrom, domain); position < at(tree.homesTo, domain); position++) {
    const node = at(tree.nodes, position)
    if (at(count.isHost, node) === 1) scored.push({ node, score: view.score(node) })
  }
  scored.sort((one, two) => two.score - one.score || one.node - two.node)
  for (const { node } of scored.slice(0, hosts)) nodes.push(node)
}
