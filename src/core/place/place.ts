import type { Snapshot } from '../offer/snapshot.ts'
import { choose, domainOf, type Choice, type Choosing, type ReplicaRequest, type TakenRows } from './choose.ts'
import { elsewhere, isWrongEverywhere, type WrongAt } from './elsewhere.ts'
import { asAgreed, NOTHING_USED, within, type ProjectLimits, type Usage } from './limits.ts'
import { OwnAsk } from './own/ask.ts'
import { keepReserve } from './own/reserve.ts'
import { OwnRows } from './own/rows.ts'
import type { Ask, AskPlan, DecisionInput, Decisions, Plan, Shortage } from './plan.ts'
import { survey } from './survey.ts'

/** Everything that decides where workloads go. The same input always gives the same choices. */
export interface PlaceInput {
  readonly capacity: Snapshot
  /** In order: each takes its room, and its share of its project's limits, before the next one is decided. */
  readonly workloads: readonly WorkloadInput[]
  /** By project; one that is left out has no limits. */
  readonly limits?: ReadonlyMap<string, ProjectLimits>
}

/** One workload: what it asks under its policy, and what is known about it. */
export interface WorkloadInput extends DecisionInput {
  /** Left out: no limits apply. */
  readonly project?: string
  /** Places that rejected it as invalid; left out: none. */
  readonly wrongAt?: WrongAt
  /** Providers that take work are missing from the offers: places that rejected it wait until they are back. */
  readonly isPartial?: boolean
}

/**
 * Where workloads go: the only way to a decision, for plans, dry runs and the controller alike. It chooses and keeps the
 * evidence; `explain` makes sense of the evidence for those who read it.
 */
export function place({ capacity, workloads, limits = NO_PROJECTS }: PlaceInput): readonly Plan[] {
  const deciding = new Deciding(capacity)
  const used = new Map<string, Usage>()
  return workloads.map((workload) => {
    const { project = '', wrongAt = () => [], isPartial = false, ...input } = workload
    const stated = limits.get(project) ?? UNLIMITED
    const decided = placeOne({ ...input, wrongAt, isPartial }, deciding, {
      project,
      limits: { ...stated, used: used.get(project) ?? stated.used },
    })
    used.set(project, decided.used)
    return decided.plan
  })
}

const NO_PROJECTS: ReadonlyMap<string, ProjectLimits> = new Map()
const UNLIMITED: ProjectLimits = { gpusMax: undefined, usdPerHourMax: undefined, used: NOTHING_USED }

interface Decided {
  readonly plan: Plan
  readonly used: Usage
}

/**
 * Places that rejected the workload come last. Where the best offers cost more than was agreed, cheaper ones are tried. What
 * limits do not allow is not taken.
 */
function placeOne(
  { wrongAt, isPartial, ...input }: DecisionInput & Required<Pick<WorkloadInput, 'wrongAt' | 'isPartial'>>,
  deciding: Deciding,
  about: { readonly project: string; readonly limits: ProjectLimits },
): Decided {
  const limiting = { ...about, snapshot: deciding.capacity }
  let asks = elsewhere(input.asks, wrongAt)
  let plan = deciding.try({ ...input, asks })
  if (!isPartial && plan.asks.some(isWrongEverywhere)) {
    asks = input.asks
    plan = deciding.try({ ...input, asks })
  }
  let allowed = within(plan.asks, limiting)
  // What costs less may be left only at places that rejected it: they come last, and not never.
  for (const cheaper of new Set([asks, input.asks])) {
    if (allowed.held?.code !== 'PRICE_NOT_AGREED') break
    const other = deciding.try({ ...input, asks: asAgreed(cheaper) })
    const better = within(other.asks, limiting)
    if (count(better.kept) > count(allowed.kept)) [plan, allowed] = [other, better]
  }
  const { kept, held, used } = allowed
  deciding.take(plan, kept)
  if (held === undefined && plan.asks.every(({ choices }, index) => choices.length === kept[index]))
    return { plan, used }
  const trimmed = plan.asks.map((ask, index) => ({ ...ask, choices: ask.choices.slice(0, kept[index]) }))
  return { plan: { ...plan, asks: trimmed, held, fits: false }, used }
}

function count(kept: readonly number[]): number {
  return kept.reduce((sum, each) => sum + each, 0)
}

/** What is left while decisions are made. */
interface Room {
  readonly capacity: Snapshot
  readonly taken: TakenRows
  readonly own: OwnRows | undefined
}

/** Sees the fleets as an ask left them, before anything else is placed. */
export type OnAsk = (own: OwnAsk, choices: readonly Choice[], ask: Ask) => void

/** Workloads one after the other over the same capacity. A workload may be tried several times before its choices count. */
class Deciding {
  readonly capacity: Snapshot
  #before: Decisions | undefined
  #room: Room
  #tried: DecisionInput | undefined

  constructor(capacity: Snapshot) {
    this.capacity = capacity
    this.#room = roomIn(capacity)
  }

  /** A decision beside everything that was taken. What an earlier try chose is free again. */
  try(input: DecisionInput): Plan {
    if (this.#tried !== undefined) this.#room = roomAfter(this.capacity, this.#before)
    this.#tried = input
    const asks = decideAsks(input, this.#room)
    const fits = asks.every(({ shortage }) => shortage === undefined)
    const { workload, policy, image } = input
    const decided = { input, before: this.#before }
    const known = { workload, policy, fits, snapshot: this.capacity, asks, held: undefined, decided }
    return { ...known, ...(image !== undefined && { image }) }
  }

  /** The first `kept` choices of each ask are taken. */
  take(plan: Plan, kept: readonly number[]): void {
    const { input } = plan.decided
    const isWhole = plan.asks.every(({ choices }, index) => choices.length === kept[index])
    const asks = isWhole ? input.asks : input.asks.map((ask, index) => ({ ...ask, replicas: kept[index] ?? 0 }))
    this.#before = { input: { ...input, asks }, before: this.#before }
    // The last try has left its choices in the room; they may stay there if they are the ones that count.
    if (isWhole && this.#tried === input) this.#tried = undefined
  }
}

function roomIn(capacity: Snapshot): Room {
  return { capacity, taken: new Map(), own: capacity.fleets.length === 0 ? undefined : new OwnRows(capacity) }
}

function roomAfter(capacity: Snapshot, before: Decisions | undefined): Room {
  const room = roomIn(capacity)
  const inputs: DecisionInput[] = []
  for (let one = before; one !== undefined; one = one.before) inputs.push(one.input)
  for (const input of inputs.toReversed()) decideAsks(input, room)
  return room
}

/** The last of these decisions once more, to look at the fleets while it is made. */
export function decideAgain(capacity: Snapshot, { input, before }: Decisions, onAsk: OnAsk): void {
  decideAsks(input, roomAfter(capacity, before), onAsk)
}

/**
 * The decision, step by step: judge everything, count, rank what fits, and choose. Once every replica has its place, the
 * reserve is kept.
 */
function decideAsks(input: DecisionInput, room: Room, onAsk?: OnAsk): readonly AskPlan[] {
  const decided = input.asks.map((ask, index) => {
    const one = decideAsk(ask, { input, index, room })
    if (one.own !== undefined) onAsk?.(one.own, one.plan.choices, ask)
    return one
  })
  return decided.map(({ plan, own }) =>
    own === undefined ? plan : { ...plan, reserve: keepReserve(own, plan.ask.reserve, plan.choices.length) },
  )
}

interface AskInput {
  readonly input: DecisionInput
  readonly index: number
  readonly room: Room
}

interface DecidedAsk {
  readonly plan: AskPlan
  readonly own: OwnAsk | undefined
}

function decideAsk(ask: Ask, { input, index, room }: AskInput): DecidedAsk {
  const { capacity } = room
  const asked = { need: ask.need, policy: input.policy, nowMs: input.nowMs }
  const { judgement, tally: counted, ranking } = survey(capacity, asked)
  const name = ask.role === undefined ? input.workload : `${input.workload}/${ask.role}`
  const hints = input.hints && { fleet: input.hints.fleet, replicas: input.hints.asks[index] ?? [] }
  const question = { name, need: ask.need, tally: counted, ranking, ...(hints && { hints }) }
  const own = room.own && new OwnAsk(room.own, question)
  const choosing: Choosing = { snapshot: capacity, tally: counted, ranking, taken: room.taken, own }
  const choices = choose(requestOf(ask), choosing)
  const lack = shortage(ask, choices, choosing)
  return { plan: { ask, choices, shortage: lack, judgement, tally: counted, ranking, reserve: undefined }, own }
}

function requestOf({ replicas, need, spread, placed }: Ask): ReplicaRequest {
  return { replicas, nodes: need.nodes, spread, ...(placed && { placed }) }
}

function shortage(ask: Ask, choices: readonly Choice[], { snapshot, tally: counted }: Choosing): Shortage | undefined {
  if (ask.replicas === 0) return undefined
  if (counted.fits.length === 0) return 'nothing-fits'
  const isShort = choices.length < ask.replicas
  const placed = ask.placed ?? []
  // Too few places in one domain alone are no better than enough of them.
  const isAlone = (isShort ? choices.length : ask.replicas) + placed.length <= 1
  if (isShort && (isAlone || choices.length === 0 || ask.spread === 'none')) return 'not-enough-left'
  if (ask.spread === 'none' || isAlone) return undefined
  const domains = new Set([...placed, ...choices.map(({ standing }) => domainOf(snapshot, standing.row, ask.spread))])
  if (domains.size === 1) return 'one-domain-only'
  return isShort ? 'not-enough-left' : undefined
}
