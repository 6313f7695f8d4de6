import type { Tenant } from '../../fleet/fleet.ts'
import type { Within } from '../../manifest/manifest.ts'
import {
  at,
  countHosts,
  domainOf,
  LEVELS,
  type Domain,
  type DomainTree,
  type HostCount,
} from '../../fleet/domain-tree.ts'
import type { Counted, Gang } from './gang.ts'

/** Why a gang waits. */
export interface Holdup {
  readonly kind: 'waits'
  /** The domain that comes closest; undefined: no node is known to be in a domain of the requested level. */
  readonly nearest: Nearest | undefined
  /** Whether some domain could hold the gang if nothing ran there; undefined: it is not known what runs. */
  readonly fitsWhenEmpty: boolean | undefined
  /** What would help, smallest change first. */
  readonly helps: readonly Help[]
}

export interface Nearest {
  readonly domain: Domain
  /** Its free hosts for the gang, by index. */
  readonly free: readonly number[]
  /** How many hosts are missing there. */
  readonly missing: number
  /** Its nodes that would be hosts if nothing ran there, cheapest to clear first. */
  readonly blocked: readonly BlockedNode[]
}

export interface BlockedNode {
  readonly node: number
  readonly tenants: readonly Tenant[]
}

export type Help =
  /** It fits now with a wider limit; undefined: with none. */
  | { readonly kind: 'wider'; readonly within: Within | undefined }
  /** This many nodes, fewer than requested, fit now. */
  | { readonly kind: 'fewer'; readonly nodes: number }
  /** It fits in the nearest domain once these nodes are cleared. */
  | { readonly kind: 'wait'; readonly nodes: readonly BlockedNode[] }

/** What blocks a gang that no domain can hold. */
export function holdupOf(tree: DomainTree, gang: Gang, counted: Counted): Holdup {
  const { count } = counted
  const emptied = emptiedCount(tree, counted)
  const domain = nearestOf(tree, gang, { count, emptied })
  const nearest = domain === undefined ? undefined : nearestIn(tree, gang, { ...counted, domain })
  return {
    kind: 'waits',
    nearest,
    fitsWhenEmpty: emptied && mostHosts(tree, gang, emptied) >= gang.nodes,
    helps: [...widerBound(tree, gang, count), ...fewerNodes(tree, gang, count), ...waiting(nearest)],
  }
}

/** The number of the domain that comes closest to holding a gang; undefined: no node is known to be in one. */
export function nearestDomain(tree: DomainTree, gang: Gang, counted: Counted): number | undefined {
  return nearestOf(tree, gang, { count: counted.count, emptied: emptiedCount(tree, counted) })
}

/** What a domain has for a gang, and what blocks it there. */
export function nearestIn(tree: DomainTree, gang: Gang, place: Counted & { readonly domain: number }): Nearest {
  const { view, count, domain } = place
  const free: number[] = []
  const blocked: BlockedNode[] = []
  for (let position = at(tree.nodesFrom, domain); position < at(tree.nodesTo, domain); position++) {
    const node = at(tree.nodes, position)
    if (at(count.isHost, node) === 1) free.push(node)
    else if (view.tenancy?.wouldHost(node) === true) blocked.push({ node, tenants: view.tenancy.tenantsOn(node) })
  }
  return {
    domain: domainOf(tree, domain),
    free: free.sort((one, two) => one - two),
    missing: gang.nodes - free.length,
    blocked: cheapestFirst(blocked),
  }
}

/** The hosts that there would be if all running work had ended. */
function emptiedCount(tree: DomainTree, { view, count }: Counted): HostCount | undefined {
  const { tenancy } = view
  return tenancy && countHosts(tree, (node) => at(count.isHost, node) === 1 || tenancy.wouldHost(node))
}

interface Counts {
  readonly count: HostCount
  readonly emptied: HostCount | undefined
}

/** The domain with the most hosts, among those that could ever hold the gang if there are any; then the first. */
function nearestOf(tree: DomainTree, gang: Gang, { count, emptied }: Counts): number | undefined {
  const domains = candidates(tree, gang)
  const able = emptied === undefined ? [] : domains.filter((domain) => at(emptied.hosts, domain) >= gang.nodes)
  let best: number | undefined
  for (const domain of able.length > 0 ? able : domains) {
    if (best === undefined || at(count.hosts, domain) > at(count.hosts, best)) best = domain
  }
  return best
}

/** The widest domains that a gang may be spread over. The domains inside them have no more hosts. */
function candidates(tree: DomainTree, { nodes, within }: Gang): readonly number[] {
  if (within === undefined || nodes === 1) return [0]
  const level = LEVELS.indexOf(within)
  const found: number[] = []
  for (let domain = 0; domain < tree.count; domain++) {
    if (at(tree.level, domain) === level) found.push(domain)
  }
  return found
}

/** Training costs more to clear than inference, high priority more than low, many more than few. */
function cheapestFirst(blocked: readonly BlockedNode[]): readonly BlockedNode[] {
  const costs = blocked.map((each) => ({ each, training: trainingOn(each), priority: priorityOf(each) }))
  costs.sort(
    (one, two) =>
      one.training - two.training ||
      one.priority - two.priority ||
      one.each.tenants.length - two.each.tenants.length ||
      one.each.node - two.each.node,
  )
  return costs.map(({ each }) => each)
}

function trainingOn({ tenants }: BlockedNode): number {
  return tenants.filter(({ restart }) => restart === 'training').length
}

function priorityOf({ tenants }: BlockedNode): number {
  return tenants.reduce((highest, { priority }) => Math.max(highest, priority), Number.MIN_SAFE_INTEGER)
}

function mostHosts(tree: DomainTree, gang: Gang, count: HostCount): number {
  return candidates(tree, gang).reduce((most, domain) => Math.max(most, at(count.hosts, domain)), 0)
}

/** From narrow to wide; the last is no limit at all. */
const BOUNDS: readonly (Within | undefined)[] = ['nvlink_domain', 'rack', 'zone', undefined]

function widerBound(tree: DomainTree, gang: Gang, count: HostCount): readonly Help[] {
  const wider = BOUNDS.slice(BOUNDS.indexOf(gang.within) + 1)
  const found = wider.findIndex((within) => mostHosts(tree, { ...gang, within }, count) >= gang.nodes)
  return found < 0 ? [] : [{ kind: 'wider', within: wider[found] }]
}

function fewerNodes(tree: DomainTree, gang: Gang, count: HostCount): readonly Help[] {
  // A gang of one has no limit: any host will do.
  const most = Math.max(mostHosts(tree, gang, count), Math.min(1, at(count.hosts, 0)))
  return most === 0 ? [] : [{ kind: 'fewer', nodes: most }]
}

function waiting(nearest: Nearest | undefined): readonly Help[] {
  if (nearest === undefined || nearest.blocked.length < nearest.missing) return []
  return [{ kind: 'wait', nodes: nearest.blocked.slice(0, nearest.missing) }]
}
