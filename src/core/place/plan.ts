import type { Policy } from '../policy/policy.ts'
import type { Reserve, Spread } from '../manifest/manifest.ts'
import type { Need } from '../requirement/need/need.ts'
import type { Snapshot } from '../offer/snapshot.ts'
import {
  choose,
  domainOf,
  runnersUp,
  type Choice,
  type Choosing,
  type TakenRows,
  type ReplicaRequest,
} from './choose.ts'
import { conflict, type Conflict } from './explain/conflict.ts'
import { judge, type Judgement } from './judge.ts'
import { relaxations, type Relaxation } from './explain/loosen.ts'
import { OwnAsk } from './own/ask.ts'
import type { OwnHints } from './own/hint.ts'
import { keepReserve, type ReservePlan } from './own/reserve.ts'
import { OwnRows } from './own/rows.ts'
import { waitsOf, type FleetWait } from './own/wait.ts'
import { rank, type Ranking, type RankedOffer } from './rank.ts'
import { offersIn } from './explain/shadows.ts'
import { tally, type Tally } from './tally.ts'

/** One kind of machine a workload asks for: the workload itself, or one of its roles. */
export interface Ask {
  /** Name of the role; undefined for a workload without roles. */
  readonly role: string | undefined
  readonly need: Need
  readonly replicas: number
  readonly spread: Spread
  /** Room to keep free for more replicas. */
  readonly reserve?: Reserve | undefined
  /** Domains (see `domainAt`) of replicas that already run: the spread counts them, too. */
  readonly placed?: readonly string[]
}

/** Everything that a decision depends on: the same question over the same snapshot always gives the same plan. */
export interface DecisionInput {
  readonly workload: string
  readonly asks: readonly Ask[]
  readonly policy: Policy
  readonly nowMs: number
  /** Spots in a fleet to take instead of the engine's choice. */
  readonly hints?: OwnHints
  /** The image that is to run. It is only shown; it decides nothing. */
  readonly image?: string
}

/** A choice for every replica of every ask, and the explanation. */
export interface Plan {
  readonly workload: string
  readonly policy: Policy
  readonly fits: boolean
  readonly snapshot: Snapshot
  readonly asks: readonly AskPlan[]
  readonly image?: string
}

export interface AskPlan {
  readonly ask: Ask
  readonly choices: readonly Choice[]
  /** Undefined when every replica has its place. */
  readonly shortage: Shortage | undefined
  readonly judgement: Judgement
  readonly tally: Tally
  readonly ranking: Ranking
  /** The best offers that fit and were not chosen. */
  readonly runnersUp: readonly RankedOffer[]
  readonly relaxations: readonly Relaxation[]
  readonly conflict: Conflict | undefined
  /** Fleets that could serve but have no room. */
  readonly waits: readonly FleetWait[]
  /** Undefined: none is requested, or there is no fleet to keep it in. */
  readonly reserve: ReservePlan | undefined
}

/** Why some replicas have no place. */
type Shortage = 'nothing-fits' | 'not-enough-left' | 'one-domain-only'

const RUNNERS_UP = 5

/**
 * The decision, step by step: judge everything, count, rank what fits, choose, and say what would have helped. Once every
 * replica has its place, the reserve is kept.
 */
export function decide(snapshot: Snapshot, input: DecisionInput): Plan {
  return decideBeside(snapshot, input, { taken: new Map(), own: ownRows(snapshot) })
}

/** Several workloads, one after the other: each takes its room before the next one is decided. */
export function decideAll(snapshot: Snapshot, inputs: readonly DecisionInput[]): readonly Plan[] {
  const room: Room = { taken: new Map(), own: ownRows(snapshot) }
  return inputs.map((input) => decideBeside(snapshot, input, room))
}

/** What is left while decisions are made. */
interface Room {
  readonly taken: TakenRows
  readonly own: OwnRows | undefined
}

function ownRows(snapshot: Snapshot): OwnRows | undefined {
  return snapshot.fleets.length === 0 ? undefined : new OwnRows(snapshot)
}

function decideBeside(snapshot: Snapshot, input: DecisionInput, { taken, own }: Room): Plan {
  const decided = input.asks.map((ask, index) => decideAsk(ask, { snapshot, input, index, taken, own }))
  const asks = decided.map(({ plan, own: ask }) =>
    ask === undefined ? plan : { ...plan, reserve: keepReserve(ask, plan.ask.reserve, plan.choices.length) },
  )
  const fits = asks.every((ask) => ask.shortage === undefined)
  const { workload, policy, image } = input
  return { workload, policy, fits, snapshot, asks, ...(image !== undefined && { image }) }
}

/** Offers that fit an ask. */
export function fitCount(ask: AskPlan): number {
  return ask.tally.fits.reduce((sum, band) => sum + band.to - band.from, 0)
}

/** Offers that were considered. */
export function offerCount(plan: Plan): number {
  return offersIn(plan.snapshot)
}

interface Deciding {
  readonly snapshot: Snapshot
  readonly input: DecisionInput
  readonly index: number
  readonly taken: TakenRows
  readonly own: OwnRows | undefined
}

interface Decided {
  readonly plan: AskPlan
  readonly own: OwnAsk | undefined
}

function decideAsk(ask: Ask, { snapshot, input, index, taken, own: rows }: Deciding): Decided {
  const judgement = judge(snapshot, ask.need, input.nowMs)
  const counted = tally(snapshot, judgement)
  const ranking = rank(snapshot, input.policy, { judgement, tally: counted })
  const name = ask.role === undefined ? input.workload : `${input.workload}/${ask.role}`
  const hints = input.hints && { fleet: input.hints.fleet, replicas: input.hints.asks[index] ?? [] }
  const own = rows && new OwnAsk(rows, { name, need: ask.need, tally: counted, ranking, ...(hints && { hints }) })
  const choosing: Choosing = { snapshot, tally: counted, ranking, taken, own }
  const choices = choose(requestOf(ask), choosing)
  const plan: AskPlan = {
    ask,
    choices,
    shortage: shortage(ask, choices, choosing),
    judgement,
    tally: counted,
    ranking,
    runnersUp: runnersUp(choices, choosing, RUNNERS_UP),
    relaxations: relaxations(snapshot, judgement, counted),
    conflict: conflict(snapshot, judgement, counted),
    waits: own === undefined ? [] : waitsOf(own, choices, ask.replicas),
    reserve: undefined,
  }
  return { plan, own }
}

function requestOf({ replicas, need, spread, placed }: Ask): ReplicaRequest {
  return { replicas, nodes: need.nodes, spread, ...(placed && { placed }) }
}

function shortage(ask: Ask, choices: readonly Choice[], { snapshot, tally: counted }: Choosing): Shortage | undefined {
  if (ask.replicas === 0) return undefined
  if (counted.fits.length === 0) return 'nothing-fits'
  if (choices.length < ask.replicas) return 'not-enough-left'
  const placed = ask.placed ?? []
  if (ask.spread === 'none' || ask.replicas + placed.length === 1) return undefined
  const domains = new Set([...placed, ...choices.map(({ standing }) => domainOf(snapshot, standing.row, ask.spread))])
  return domains.size > 1 ? undefined : 'one-domain-only'
}
