import { must } from '../../base/assert.ts'
import type { FleetNode, CardPart, Request, Spot } from '../../fleet/fleet.ts'
import type { Need } from '../../requirement/need/need.ts'
import { worthPlaced, type Pending, type Places, type PackingProblem } from '../../pack/optimal/problem.ts'
import type { OwnedFleet } from '../../fleet/owned-fleet.ts'
import type { Asking, Option } from './options.ts'
import { OwnRows } from './rows.ts'
import type { OwnHints } from './hint.ts'
import type { Plan } from '../plan.ts'

/** Everything that a plan wants of a fleet, as one problem. */
export interface ExactQuestion {
  readonly kind: 'question'
  /** Index into the snapshot's fleets. */
  readonly fleet: number
  readonly problem: PackingProblem
  /** The ask that each piece of pending work belongs to. */
  readonly askOf: readonly number[]
  /** Index in the fleet of each node of the problem, which has only the nodes that some ask can use. */
  readonly nodes: readonly number[]
}

/** Why there is no problem to solve. */
export interface NotExact {
  readonly kind: 'not-exact'
  readonly why: 'no-fleet' | 'several-fleets' | 'spread' | 'forms'
}

/**
 * The problem for the solver. The solver knows less than the engine: it ignores links between cards, and that a gang needs
 * the same cards everywhere. So its answer is checked before it is used, and its bound still holds.
 */
export function exactQuestion(plan: Plan): ExactQuestion | NotExact {
  const rows = new OwnRows(plan.snapshot)
  const served = plan.asks.map(({ ask, tally }) => rows.fitting(tally, ask.need).all.filter(isAsking))
  const [fleet, another] = new Set(served.flat().map((option) => option.fleet))
  if (fleet === undefined) return { kind: 'not-exact', why: 'no-fleet' }
  if (another !== undefined) return { kind: 'not-exact', why: 'several-fleets' }
  const isSpread = plan.asks.some(({ ask }) => ask.spread !== 'none' && ask.replicas > 1)
  if (isSpread) return { kind: 'not-exact', why: 'spread' }
  const nodes = [...new Set(served.flat().map(({ node }) => node))].sort((one, two) => one - two)
  const owned = must(rows.fleets[fleet], 'a fleet of the snapshot')
  const pending: Pending[] = []
  const askOf: number[] = []
  for (const [index, { ask }] of plan.asks.entries()) {
    const options = served[index] ?? []
    if (options.length === 0) continue
    const request = requestFor(options, nodes, owned)
    if (request === undefined) return { kind: 'not-exact', why: 'forms' }
    for (let replica = 0; replica < ask.replicas; replica++) {
      pending.push(pendingOf(request, ask.need))
      askOf.push(index)
    }
  }
  return { kind: 'question', fleet, problem: { ...partOf(owned, nodes, pending), pending }, askOf, nodes }
}

/** Where a plan places the work, as an answer to the question. */
export function placesIn({ asks }: Plan, { fleet, askOf, nodes }: ExactQuestion): Places {
  const queues = asks.map(({ choices }) =>
    choices.flatMap(({ own }) => (own?.places[0]?.fleet === fleet ? [own.places] : [])),
  )
  return askOf.map((ask) => queues[ask]?.shift()?.map(({ spot }) => ({ ...spot, node: nodes.indexOf(spot.node) })))
}

/** What a plan places in the fleet, in thousandths of cards. */
export function workIn(plan: Plan, question: ExactQuestion): number {
  return worthPlaced(question.problem.pending, placesIn(plan, question))
}

/** An answer in terms of the fleet. The replicas of an ask are interchangeable, so they are filled from the first on. */
export function hintsFrom(places: Places, { fleet, askOf, nodes }: ExactQuestion): OwnHints {
  const asks: (readonly Spot[])[][] = Array.from({ length: Math.max(-1, ...askOf) + 1 }, () => [])
  for (const [index, spots] of places.entries()) {
    if (spots === undefined) continue
    const inFleet = spots.map((spot) => ({ ...spot, node: must(nodes[spot.node], 'a node of the problem') }))
    asks[must(askOf[index], 'an ask of each piece')]?.push(inFleet)
  }
  return { fleet, asks }
}

function isAsking(option: Option): option is Asking {
  return option.request !== undefined
}

/** One request that stands for all forms in which an ask can be served; undefined: there is none. */
function requestFor(options: readonly Asking[], nodes: readonly number[], { fleet }: OwnedFleet): Request | undefined {
  const used = [...new Set(options.map(({ node }) => node))]
  const hosts = used.map((node) => must(fleet.nodes[node], 'a node of the fleet'))
  const form = formOf(options)
  const first = options[0]?.request
  if (form === undefined || first === undefined || (form.kind !== 'whole' && hosts.some(isMixed))) return undefined
  const models = [...new Set(hosts.flatMap(({ model }) => model ?? []))]
  // Nodes that this ask may not use are excluded by their model, where that tells them apart.
  const isNarrow = used.length < nodes.length && hosts.every(({ model }) => model !== undefined)
  const diskMib = Math.max(...options.map(({ request }) => request.diskMib))
  return { ...first, part: form, diskMib, models: isNarrow ? models : undefined }
}

/**
 * A request that accepts a part never needs the whole of a card that can be divided. A slice is the whole of a card that
 * cannot be cut; a share is not. Of parts of different sizes, the smallest gives the weakest, and so a safe, bound.
 */
function formOf(options: readonly Asking[]): CardPart | undefined {
  const parts = options.map(({ request }) => request.part)
  const gib = parts.flatMap((each) => (each.kind === 'slice' ? [each.vramGib] : []))
  const milli = parts.flatMap((each) => (each.kind === 'share' ? [each.milli] : []))
  if (milli.length === 0) return gib.length === 0 ? { kind: 'whole' } : { kind: 'slice', vramGib: Math.min(...gib) }
  const shared = new Set(options.filter(({ request }) => request.part.kind === 'share').map(({ node }) => node))
  const isShared = gib.length === 0 && options.every(({ node }) => shared.has(node))
  return isShared ? { kind: 'share', milli: Math.min(...milli) } : undefined
}

function isMixed({ cards }: FleetNode): boolean {
  return cards.some(({ parts }) => parts !== cards[0]?.parts)
}

function pendingOf(request: Request, { nodes, within }: Need): Pending {
  return nodes === 1 ? { request } : { request, gang: { nodes, within } }
}

/** Some nodes of a fleet and what runs there. Unknown disk counts as enough. */
function partOf({ fleet, tenants }: OwnedFleet, nodes: readonly number[], pending: readonly Pending[]) {
  const wantedMib = pending.reduce((sum, { request, gang }) => sum + request.diskMib * (gang?.nodes ?? 1), 0)
  const here = nodes.map((index, node) => {
    const running = tenants.filter(({ spot }) => spot.node === index)
    return { index, running: running.map(({ request, spot }) => ({ request, spot: { ...spot, node } })) }
  })
  return {
    fleet: {
      nodes: here.map(({ index, running }) => {
        const node = must(fleet.nodes[index], 'a node of the fleet')
        const heldMib = running.reduce((sum, { request }) => sum + request.diskMib, 0)
        return { ...node, diskMib: node.diskMib ?? wantedMib + heldMib }
      }),
    },
    tenants: here.flatMap(({ running }) => running),
  }
}
