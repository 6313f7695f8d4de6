import type { Spot } from '../../fleet/fleet.ts'
import { domainOf, enclosing, LEVELS, type Domain, type DomainTree } from '../../fleet/domain-tree.ts'
import { checkPlaces } from '../../pack/optimal/check.ts'
import type { Need } from '../../requirement/need/need.ts'
import type { Asking } from './options.ts'
import type { OwnRows } from './rows.ts'

/** Spots that were found for all replicas together. Replicas without a spot get nothing of the fleet. */
export interface OwnHints {
  readonly fleet: number
  /** For each ask, the spots of its replicas: one for each node of a gang. */
  readonly asks: readonly (readonly (readonly Spot[])[])[]
}

/** A hint that can be taken now. */
export interface OwnHint {
  readonly workers: readonly Hinted[]
  /** The narrowest domain that holds the whole gang; undefined: it is no gang. */
  readonly domain: Domain | undefined
}

interface Hinted {
  readonly option: Asking
  readonly spot: Spot
}

/** What a hint is checked against: its ask, and the room that is left. */
export interface HintedAsk {
  readonly own: Pick<OwnRows, 'room'>
  readonly question: { readonly need: Pick<Need, 'nodes' | 'within'> }
  optionsIn(fleet: number): readonly Asking[]
  kindOf(fleet: number, node: number): string
  isLinked(option: Asking, among: readonly number[]): boolean
}

/**
 * What an ask would take at these spots; undefined: they do not suit it, or are taken. The source of the hint is not trusted.
 */
export function hintFor(ask: HintedAsk, fleet: number, spots: readonly Spot[]): OwnHint | undefined {
  const { nodes, within } = ask.question.need
  const workers = spots.flatMap((spot) => hintedAt(ask, fleet, spot))
  const kinds = new Set(spots.map(({ node }) => ask.kindOf(fleet, node)))
  const different = new Set(spots.map(({ node }) => node))
  if (workers.length !== nodes || different.size !== nodes || kinds.size > 1) return undefined
  if (nodes === 1) return { workers, domain: undefined }
  const { tree } = ask.own.room(fleet)
  const isTogether = within === undefined || commonDomain(tree, spots, within) !== undefined
  const level = LEVELS.findLast((each) => commonDomain(tree, spots, each) !== undefined) ?? 'fleet'
  return isTogether ? { workers, domain: domainOf(tree, commonDomain(tree, spots, level) ?? 0) } : undefined
}

/** The way to take the spot, if there is one. */
function hintedAt(ask: HintedAsk, fleet: number, spot: Spot): readonly Hinted[] {
  const room = ask.own.room(fleet)
  const options = ask.optionsIn(fleet).filter(({ node }) => node === spot.node)
  if (options.length === 0) return []
  const nodes = [room.nodeAt(spot.node)]
  const tenants = room.tenantsOn(spot.node).map((tenant) => ({ ...tenant, spot: { ...tenant.spot, node: 0 } }))
  const option = options.find(({ request }) => {
    const problem = { fleet: { nodes }, tenants, pending: [{ request }] }
    return checkPlaces(problem, [[{ ...spot, node: 0 }]]).length === 0
  })
  return option === undefined || !ask.isLinked(option, spot.cards) ? [] : [{ option, spot }]
}

function commonDomain(tree: DomainTree, spots: readonly Spot[], level: Domain['level']): number | undefined {
  const domains = new Set(spots.map(({ node }) => enclosing(tree, tree.home[node] ?? 0, level)))
  const [only] = domains
  return domains.size === 1 ? only : undefined
}
