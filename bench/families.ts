import { must } from '../src/core/base/assert.ts'
import { Dice } from '../src/core/base/dice.ts'
import type { Fleet, Request } from '../src/core/fleet/fleet.ts'
import { FastPacker } from '../src/core/pack/engine/fast.ts'
import { DEFAULT_POLICY_NAME, POLICIES } from '../src/core/pack/engine/registry.ts'
import { curveAt, fillUp, type Filler } from '../src/lab/simulate/fill.ts'
import { milliOf } from '../src/core/pack/optimal/milli.ts'

/** What a family varies: the share of the card demand for several cards, of the pods bound to models, of shared cards. */
const AXES = ['multi-gpu', 'model-bound', 'sharing'] as const
type Axis = (typeof AXES)[number]

/** From where to where each family goes, in percent. */
const RANGES: Readonly<Record<Axis, { readonly from: number; readonly to: number }>> = {
  'multi-gpu': { from: 10, to: 50 },
  'model-bound': { from: 0, to: 33 },
  sharing: { from: 40, to: 100 },
}

export interface Member {
  readonly axis: Axis
  /** In percent. */
  readonly share: number
}

/** The members of all families: `steps` of each, evenly from one end to the other. */
export function membersOf(steps: number): readonly Member[] {
  return AXES.flatMap((axis) => {
    const { from, to } = RANGES[axis]
    return Array.from({ length: steps }, (_, step) => ({
      axis,
      share: Math.round(steps === 1 ? to : from + ((to - from) * step) / (steps - 1)),
    }))
  })
}

/** The work that families are made from: a trace, and requests bound to models as they were seen elsewhere. */
export interface FamilyBase {
  readonly pods: readonly Request[]
  readonly bound: readonly Request[]
}

/** A member's trace: what it asks for, and how often. */
export interface FamilyTrace {
  readonly requests: readonly Request[]
  /** Request of each pod. */
  readonly of: Int32Array
  readonly history: readonly { readonly request: Request; readonly count: number }[]
}

/** Draws the pods of a member, with replacement: the same seed gives the same pods. */
export function traceOf(base: FamilyBase, { axis, share }: Member, seed: number): FamilyTrace {
  const dice = new Dice(seed)
  const draw = (from: readonly Request[], count: number): Request[] =>
    from.length === 0 ? [] : Array.from({ length: count }, () => must(from[dice.roll(from.length)], 'inside'))
  const { pods } = base
  switch (axis) {
    case 'multi-gpu': {
      const [multi, rest] = split(pods, ({ count }) => count > 1)
      const drawn = draw(rest, rest.length)
      return gathered([...drawn, ...drawUntil(multi, (demandOf(drawn) * share) / (100 - share), dice)])
    }
    case 'sharing': {
      const [shared, rest] = split(pods, ({ part }) => part.kind === 'share')
      const [without, whole] = split(rest, ({ count }) => count === 0)
      const total = demandOf(pods)
      return gathered([
        ...draw(without, without.length),
        ...drawUntil(shared, (total * share) / 100, dice),
        ...drawUntil(whole, (total * (100 - share)) / 100, dice),
      ])
    }
    case 'model-bound':
      return gathered(bind(draw(pods, pods.length), { share, like: base.bound, dice }))
  }
}

/** The order in which a trace's pods arrive, each once, then drawn again until this much has arrived; and ranks of nodes. */
export function orderOf(
  { requests, of }: FamilyTrace,
  { seed, untilMilli, nodes }: { readonly seed: number; readonly untilMilli: number; readonly nodes: number },
): { readonly order: Int32Array; readonly ranks: readonly number[] } {
  const dice = new Dice(seed)
  const milli = requests.map(milliOf)
  const first = shuffled([...of], dice)
  const order: number[] = []
  for (let arrived = 0; arrived < untilMilli; arrived += milli[order.at(-1) ?? 0] ?? 0)
    order.push(first[order.length] ?? must(of[dice.roll(of.length)], 'inside'))
  const ranks = shuffled(
    Array.from({ length: nodes }, (_, rank) => rank),
    dice,
  )
  return { order: Int32Array.from(order), ranks }
}

/** Binds this share of the pods with cards to models, as bound pods of the same size are elsewhere. */
function bind(
  pods: readonly Request[],
  { share, like, dice }: { readonly share: number; readonly like: readonly Request[]; readonly dice: Dice },
): readonly Request[] {
  const withCards = pods.flatMap(({ count }, index) => (count > 0 ? [index] : []))
  const chosen = new Set(shuffled(withCards, dice).slice(0, Math.round((withCards.length * share) / 100)))
  const bySize = Map.groupBy(like, sizeOf)
  return pods.map((pod, index) => {
    const known = bySize.get(sizeOf(pod)) ?? like
    if (!chosen.has(index) || known.length === 0) return pod
    return { ...pod, models: must(known[dice.roll(known.length)], 'inside').models }
  })
}

function sizeOf({ count, part }: Request): string {
  return `${count} ${part.kind}`
}

function drawUntil(from: readonly Request[], milli: number, dice: Dice): readonly Request[] {
  const drawn: Request[] = []
  if (from.length === 0) return drawn
  for (let sum = 0; sum < milli;) {
    const pod = must(from[dice.roll(from.length)], 'inside')
    drawn.push(pod)
    sum += milliOf(pod)
  }
  return drawn
}

function demandOf(pods: readonly Request[]): number {
  return pods.reduce((sum, pod) => sum + milliOf(pod), 0)
}

function split<T>(all: readonly T[], isFirst: (one: T) => boolean): readonly [readonly T[], readonly T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))]
}

function shuffled<T>(all: readonly T[], dice: Dice): readonly T[] {
  const mixed = [...all]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = dice.roll(at + 1)
    const moved = must(mixed[at], 'inside')
    mixed[at] = must(mixed[other], 'inside')
    mixed[other] = moved
  }
  return mixed
}

function gathered(pods: readonly Request[]): FamilyTrace {
  const requests: Request[] = []
  const counts: number[] = []
  const indices = new Map<string, number>()
  const of = Int32Array.from(pods, (pod) => {
    const key = JSON.stringify(pod)
    const index = indices.get(key) ?? requests.push(pod) - 1
    indices.set(key, index)
    counts[index] = (counts[index] ?? 0) + 1
    return index
  })
  return { requests, of, history: requests.map((request, index) => ({ request, count: counts[index] ?? 0 })) }
}

/** Figures are taken when work for this much of the cards has arrived, in percent. */
const MARKS = [95, 100, 130] as const
/** A little more than the last mark, so that its bin is full. */
const UNTIL = 1.306

type AtMarks = Readonly<Record<(typeof MARKS)[number], number>>

/** Allocated cards of one member in percent, the mean over its orders, under our policy and FGD. */
export interface Compared extends Member {
  /** What had come by then, and so the most that any policy can have allocated. */
  readonly arrived: AtMarks
  readonly berth: AtMarks
  readonly fgd: AtMarks
  /** How far our policy is ahead, in percent of the cards. */
  readonly ahead: AtMarks
  /** The orders in which it is ahead or level. */
  readonly ahead_in: AtMarks
}

/** Plays every member in several orders under both policies. Every order draws its pods anew, so that no figure hangs on a draw. */
export function compare(members: readonly Member[], given: Comparing): readonly Compared[] {
  return members.map((member) => {
    const runs = Array.from({ length: given.orders }, (_, order) => {
      const seed = given.seed * 1000 + order
      const one = { trace: traceOf(given.base, member, seed), seed, fleet: given.fleet }
      return { berth: fill(DEFAULT_POLICY_NAME, one), fgd: fill('fgd', one), arrived: fill(undefined, one) }
    })
    const berth = atMarks((mark) => mean(runs.map((run) => run.berth[mark])))
    const fgd = atMarks((mark) => mean(runs.map((run) => run.fgd[mark])))
    return {
      ...member,
      arrived: atMarks((mark) => hundredths(mean(runs.map(({ arrived }) => arrived[mark])))),
      berth: atMarks((mark) => hundredths(berth[mark])),
      fgd: atMarks((mark) => hundredths(fgd[mark])),
      ahead: atMarks((mark) => hundredths(berth[mark] - fgd[mark])),
      ahead_in: atMarks((mark) => runs.filter((run) => run.berth[mark] >= run.fgd[mark]).length),
    }
  })
}

export interface Comparing {
  readonly base: FamilyBase
  readonly fleet: Fleet
  readonly orders: number
  readonly seed: number
}

/** Under a policy; undefined: without one, on cards without end. */
function fill(
  policy: string | undefined,
  { trace, seed, fleet }: { readonly trace: FamilyTrace; readonly seed: number; readonly fleet: Fleet },
): AtMarks {
  const capacityMilli = 1000 * fleet.nodes.reduce((sum, { cards }) => sum + cards.length, 0)
  const { order, ranks } = orderOf(trace, { seed, untilMilli: UNTIL * capacityMilli, nodes: fleet.nodes.length })
  const makePacker = (): Filler => {
    const name = policy ?? DEFAULT_POLICY_NAME
    const makePolicy = must(POLICIES[name], name)
    const packer = new FastPacker(fleet, { policy: makePolicy, history: trace.history, ranks })
    return policy === undefined
      ? { kinds: packer.kinds, placeKind: () => 0, lastSpot: () => packer.lastSpot() }
      : packer
  }
  const { curve } = fillUp({ requests: trace.requests, order }, { capacityMilli, makePacker, cpuMs: () => 0 })
  return atMarks((mark) => must(curveAt(curve, mark), 'the stream goes beyond the last mark'))
}

function atMarks(figure: (mark: (typeof MARKS)[number]) => number): AtMarks {
  return { 95: figure(95), 100: figure(100), 130: figure(130) }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
