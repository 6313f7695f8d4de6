import type { Domains, Fleet, FleetNode, Tenant } from '../../fleet/fleet.ts'
import type { CardRules } from './card-rules.ts'
import { addCosts, costOf, mayStop, priceOf, type Cost } from './cost.ts'
import { nodeAt } from './free-state.ts'

/** What a proposal is about: a fleet, what runs in it and what its cards allow. */
export interface World {
  readonly fleet: Fleet
  /** No two have the same name. */
  readonly tenants: readonly Tenant[]
  readonly rules: CardRules
  /** Tenants of one gang start and stop together; left out, or undefined for a tenant: it is in no gang. */
  readonly gangOf?: (tenant: Tenant) => string | undefined
}

/** Tenants that stop together or not at all: a gang, or a single tenant. */
export interface Unit {
  /** By name. */
  readonly members: readonly [Tenant, ...Tenant[]]
  /** The highest priority of its members. */
  readonly priority: number
  readonly cost: Cost
  /** The cost as one number, see `priceOf`. */
  readonly price: number
}

/** Everything that may be stopped at all, in the order in which equals are chosen: by priority, then by name. */
export function unitsOf(world: World): readonly Unit[] {
  return [...gangsOf(world).values()]
    .filter((members) => members.every(mayStop))
    .map((members) => unitOf(world, members))
    .sort((a, b) => a.priority - b.priority || byText(a.members[0].name, b.members[0].name))
}

/** The units on each node; a unit with tenants on several nodes is listed for each of them. */
export function unitsByNode(units: readonly Unit[]): ReadonlyMap<number, readonly Unit[]> {
  const byNode = new Map<number, Unit[]>()
  for (const unit of units) {
    for (const node of new Set(unit.members.map(({ spot }) => spot.node))) {
      const here = byNode.get(node)
      if (here === undefined) byNode.set(node, [unit])
      else here.push(unit)
    }
  }
  return byNode
}

/** How far apart the nodes of a gang may be. */
export type GangLevel = 'zone' | 'fabric' | 'rack' | 'nvlink_domain'

/**
 * The nodes of a fleet by the domain that they share at a level. A domain is identified by its name and the names around it.
 * A node whose domain is not known is in none; without a level, all nodes are in one.
 */
export function domainsOf(fleet: Fleet, level: GangLevel | undefined): readonly (readonly number[])[] {
  const indices = fleet.nodes.map((_, index) => index)
  if (level === undefined) return [indices]
  const known = indices.filter((index) => pathOf(nodeAt(fleet, index), level).at(-1) !== undefined)
  return [...Map.groupBy(known, (index) => JSON.stringify(pathOf(nodeAt(fleet, index), level))).values()]
}

/** Compares texts in the same way on every machine. */
export function byText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

function gangsOf({ tenants, gangOf }: World): ReadonlyMap<string, readonly [Tenant, ...Tenant[]]> {
  const gangs = new Map<string, readonly [Tenant, ...Tenant[]]>()
  for (const tenant of tenants.toSorted((a, b) => byText(a.name, b.name))) {
    const gang = gangOf?.(tenant)
    const key = gang === undefined ? `alone ${tenant.name}` : `gang ${gang}`
    gangs.set(key, [...(gangs.get(key) ?? []), tenant] as const)
  }
  return gangs
}

function unitOf({ fleet, rules }: World, members: readonly [Tenant, ...Tenant[]]): Unit {
  const costs = members.map((tenant) => {
    const { model } = nodeAt(fleet, tenant.spot.node)
    return costOf(tenant, (slice) => rules.shareOf(model, slice))
  })
  const cost = addCosts(costs)
  return { members, cost, price: priceOf(cost), priority: Math.max(...members.map(({ priority }) => priority)) }
}

const LEVELS: readonly (readonly [GangLevel, keyof Domains])[] = [
  ['zone', 'zone'],
  ['fabric', 'fabric'],
  ['rack', 'rack'],
  ['nvlink_domain', 'nvlinkDomain'],
]

/** The names of a node's domains down to a level. */
function pathOf({ domains }: FleetNode, level: GangLevel): readonly (string | undefined)[] {
  const depth = LEVELS.findIndex(([name]) => name === level)
  return LEVELS.slice(0, depth + 1).map(([, key]) => domains[key])
}
