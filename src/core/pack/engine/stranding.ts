import { valueOf } from '../../fleet/mig/rules.ts'
import { CODES, IDLE } from './card-code.ts'
import { cardWorth } from './card-prices.ts'
import type { Kind } from './kinds.ts'
import { coldMix, mixOf, type Mix } from './mix.ts'
import { Loads, Machines, needsByMachine, needsByModel, type KindShare } from './pool-loads.ts'
import {
  IDLE_AFTER,
  RATING,
  type CardChange,
  type PackingInput,
  type MakePolicy,
  type PastRequests,
  type PackingPolicy,
  type Rated,
} from './policy.ts'
import { code, int, real } from './read.ts'

/** Worths are multiples of this fraction of a card, so that sums are exact in any order. */
const EXACT = 2 ** 20

/** Scores are compared in ten-thousandths of a card. */
const UNIT = 10_000

/** The weights of the terms. They were tuned on shuffles of traces other than those we report on; see docs/benchmarks.md. */
export interface StrandingWeights {
  /** Smaller differences do not count: then the fuller node decides, then the rank. */
  readonly step: number
  /** The part of a card's worth that depends on size alone, however rarely the size is requested. */
  readonly bySize: number
  /** How strongly prices are pulled towards sizes where the demands leave a choice. */
  readonly pull: number
  /**
   * For each card that would stay idle on the node, so that used nodes are filled first. Stronger if work leaves as fast as it
   * comes.
   */
  readonly idleAfter: { readonly filling: number; readonly churning: number }
  readonly idleBefore: number
  /** For using an empty node; and in addition, times the share of a pool's work that takes whole nodes. */
  readonly empty: number
  readonly emptyForWhole: number
  /** For value on cards that part of the demand may not use. */
  readonly elsewhere: number
  /** The cost of using a pool that work with few models to choose from depends on. */
  readonly pressure: {
    readonly weight: number
    /** The less work is choosy, the less it costs to keep room for it: below this share of the demand, this much more. */
    readonly few: { readonly under: number; readonly more: number }
    readonly most: number
    readonly free: number
    readonly power: number
  }
  /** The cost of using a pool whose machines are the only ones large enough for some work. */
  readonly large: { readonly weight: number; readonly most: number }
}

export const TUNING: StrandingWeights = {
  step: 0.0145,
  bySize: 0.2,
  pull: 0.35,
  idleAfter: { filling: 0.0207, churning: 0.045 },
  idleBefore: 0.0008,
  empty: 0.025,
  emptyForWhole: 0.1,
  elsewhere: 0.0126,
  pressure: { weight: 0.38, few: { under: 0.15, more: 1.5 }, most: 1.63, free: 0.06, power: 0.53 },
  large: { weight: 2, most: 3 },
}

/**
 * Value minus stranding. A node is worth what its free cards could hold, less the part that would stay unused for lack of
 * CPU or memory if the rest of the node were filled with each usual kind of work alone. The best place is the one whose
 * worth drops least.
 */
export const stranding: MakePolicy = (ground) => strandingWith(TUNING)(ground)

export function strandingWith(tuning: StrandingWeights): MakePolicy {
  return (ground) => new Stranding(ground, tuning)
}

class Stranding implements PackingPolicy {
  readonly name = 'stranding'
  readonly goesByCardOrder = false
  readonly #ground: PackingInput
  readonly #tuning: StrandingWeights
  /** What is learnt; undefined if there is a history, which is enough. */
  readonly #seen: Seen | undefined
  #learnt: Learnt
  readonly #poolValue: Float64Array
  /** The value of all pools. */
  #value = 0
  readonly #prices: Float64Array
  #pricesAreOld = true
  /** Recent arrivals and departures; both decay. */
  #came = 0
  #left = 0
  #isChurning = false

  constructor(ground: PackingInput, tuning: StrandingWeights) {
    this.#ground = ground
    this.#tuning = tuning
    const isCold = ground.history.length === 0
    this.#seen = isCold ? { counts: [], total: 0, next: FIRST_LESSON } : undefined
    this.#learnt = learn(ground, isCold ? coldMix(ground) : mixOf(ground.history), tuning)
    this.#poolValue = new Float64Array(ground.pools.length)
    this.#prices = new Float64Array(ground.pools.length)
  }

  settle(row: number): void {
    const { states } = this.#ground
    const worth = this.#learnt.worth[int(states.pool, row)] ?? NOTHING
    const from = row * states.width
    let value = 0
    for (let at = from; at < from + int(states.cards, row); at++) value += real(worth, code(states.codes, at))
    states.value[row] = value
    states.worth[row] = value - this.#stranded(row, value, NO_WORK)
  }

  rate(row: number, kind: Kind, change: CardChange): number {
    const { states } = this.#ground
    const worth = this.#learnt.worth[int(states.pool, row)] ?? NOTHING
    let value = real(states.value, row)
    for (let card = 0; card < change.cards; card++)
      value += real(worth, code(change.into, card)) - real(worth, code(change.from, card))
    return value - this.#stranded(row, value, kind) - real(states.worth, row)
  }

  score(row: number, _: Kind, rated: Rated): number {
    const { step, idleBefore } = this.#tuning
    const after = this.#isChurning ? this.#tuning.idleAfter.churning : this.#tuning.idleAfter.filling
    const { states } = this.#ground
    const idle = int(states.idle, row)
    let score =
      Math.floor(real(rated, RATING) / step + 1e-7) * step - after * real(rated, IDLE_AFTER) - idleBefore * idle
    if (idle === int(states.cards, row))
      score -= this.#isChurning ? this.#tuning.empty : real(this.#learnt.empty, int(states.pool, row))
    return Math.round(score * UNIT)
  }

  price(kind: Kind, pool: number): number {
    if (this.#learnt.allFits) return 0
    if (this.#pricesAreOld) this.#reprice()
    return this.#weightOf(kind) * real(this.#prices, pool) * UNIT
  }

  moved(pool: number, gained: number): void {
    this.#poolValue[pool] = real(this.#poolValue, pool) + gained
    this.#value += gained
    this.#pricesAreOld = true
  }

  left(): void {
    this.#left++
  }

  arrived(kind: Kind): boolean {
    const hasTurned = this.#turn()
    const seen = this.#seen
    if (seen === undefined) return hasTurned
    seen.counts[kind.id] = (seen.counts[kind.id] ?? 0) + 1
    seen.total++
    if (seen.total < seen.next) return hasTurned
    seen.next = Math.ceil(seen.next * LESSON_GROWTH)
    const past = this.#ground.kinds.all.map((known): PastRequests => ({
      kind: known,
      count: seen.counts[known.id] ?? 0,
    }))
    this.#learnt = learn(this.#ground, mixOf(past), this.#tuning)
    return true
  }

  /** Notices when work starts or stops leaving about as fast as it comes. Returns true if that has changed. */
  #turn(): boolean {
    this.#came = this.#came * FADE + 1
    this.#left *= FADE
    const isChurning = this.#left > this.#came * (this.#isChurning ? STILL_CHURNING : CHURNING)
    if (isChurning === this.#isChurning) return false
    this.#isChurning = isChurning
    this.#pricesAreOld = true
    return true
  }

  /** The value that a row would strand once the kind has taken its CPU and memory. */
  #stranded(row: number, value: number, kind: Pick<Kind, 'cpu' | 'memory'>): number {
    const { states } = this.#ground
    const pool = int(states.pool, row)
    const cpu = real(states.cpu, row) - kind.cpu
    const memory = real(states.memory, row) - kind.memory
    const limits = this.#learnt.limits[pool] ?? NOTHING
    let sum = 0
    for (let at = 0; at < limits.length; at += 3) {
      const byCpu = cpu * real(limits, at)
      const byMemory = memory * real(limits, at + 1)
      const left = value - (byCpu < byMemory ? byCpu : byMemory)
      if (left > 0) sum += left * real(limits, at + 2)
    }
    return sum + this.#tuning.elsewhere * value * real(this.#learnt.elsewhere, pool)
  }

  #weightOf(kind: Kind): number {
    return (this.#learnt.weights[kind.id] ??= weightOf(kind, this.#learnt.worth))
  }

  /** Pressure on a pool: how far the demand that depends on it exceeds what is left. */
  #reprice(): void {
    this.#pricesAreOld = false
    const { byModel, byMachine, choosyWeight } = this.#learnt
    const { pressure, large } = this.#tuning
    const prices = this.#prices
    // Where work leaves as fast as it comes, machines fall empty again for the work that needs them.
    const weight = this.#isChurning ? 0 : large.weight
    byMachine.update(this.#poolValue, this.#value)
    if (!byModel.areEqual) byModel.update(this.#poolValue, this.#value)
    for (let pool = 0; pool < prices.length; pool++) {
      const load = byModel.areEqual ? 1 : real(byModel.values, pool)
      const needed = Math.min(large.most, real(byMachine.values, pool))
      prices[pool] = needed > 1 && needed > load ? weight * (needed - Math.max(1, load)) : 0
      // Where all work accepts all models, they cost the same.
      if (byModel.areEqual) continue
      const pressed = Math.min(pressure.most, load) - pressure.free
      if (pressed > 0) prices[pool] = real(prices, pool) + choosyWeight * pressed ** pressure.power
    }
  }
}

/** About the last thousand arrivals tell whether work leaves. */
const FADE = 1 - 1 / 1024
const CHURNING = 0.5
const STILL_CHURNING = 0.25

const NOTHING = new Float64Array(0)
const NO_WORK = { cpu: 0, memory: 0 }

/** Without a history it learns from arrivals: first after this many requests, then less and less often. */
const FIRST_LESSON = 16
const LESSON_GROWTH = 1.3

interface Seen {
  readonly counts: number[]
  total: number
  next: number
}

/** What a mix of work teaches about a fleet. */
interface Learnt {
  /** What a card is worth in each state, pool by pool. */
  readonly worth: readonly Float64Array[]
  /**
   * Triples for each kind that may use a pool: card value that it fills per unit of CPU, per unit of memory, and its weight.
   */
  readonly limits: readonly Float64Array[]
  /** Weight of the kinds that may not use a pool. */
  readonly elsewhere: Float64Array
  /** Demand against what is left: by the models that work accepts, and by the machines that are large enough for it. */
  readonly byModel: Loads
  readonly byMachine: Loads
  /** The weight of pressure by model. */
  readonly choosyWeight: number
  /** Whether all work can use the same, so that pools cost nothing. */
  readonly allFits: boolean
  /** What using an empty node of each pool costs: the more, the more of the work takes whole nodes. */
  readonly empty: Float64Array
  /** The card value that each kind takes; filled in as kinds appear. */
  readonly weights: (number | undefined)[]
}

function learn({ pools, machines }: PackingInput, mix: Mix, tuning: StrandingWeights): Learnt {
  const worth = worthByPool(pools, mix, tuning)
  const past = mix.map(({ kind, count }) => ({ kind, takes: weightOf(kind, worth), count }))
  const total = past.reduce((sum, { takes, count }) => sum + takes * count, 0)
  const shareOf = ({ takes, count }: { takes: number; count: number }): number =>
    total === 0 ? 0 : (takes * count) / total
  const working = past.filter(({ takes }) => takes > 0)
  const directions = working.map((one) => directionOf(one, shareOf(one)))
  const byList = new Map<string, Float64Array>()
  const limits = pools.map((_, pool) => {
    // Pools that the same kinds may use have the same limits.
    const allowed = working.map(({ kind }) => kind.on[pool] !== undefined)
    const key = allowed.join()
    const known = byList.get(key) ?? limitsOf(directions.filter((__, index) => allowed[index] === true))
    byList.set(key, known)
    return known
  })
  const elsewhere = Float64Array.from(pools, (_, pool) =>
    working.reduce((sum, one) => (one.kind.on[pool] === undefined ? sum + shareOf(one) : sum), 0),
  )
  return {
    worth,
    limits,
    elsewhere,
    ...dependence(
      { pools, machines },
      working.map((one) => ({ kind: one.kind, share: shareOf(one) })),
      tuning,
    ),
    weights: [],
  }
}

/** Which pools and machines the work depends on. */
function dependence(
  { pools, machines }: Pick<PackingInput, 'pools' | 'machines'>,
  work: readonly KindShare[],
  tuning: StrandingWeights,
): Pick<Learnt, 'byModel' | 'byMachine' | 'allFits' | 'choosyWeight' | 'empty'> {
  const sized = new Machines(machines, pools.length)
  const needs = needsByModel(work, pools.length)
  const byModel = new Loads(needs, pools.length)
  const choosy = needs.reduce((sum, { share, room }) => (room.includes(0) ? sum + share : sum), 0)
  const { weight, few } = tuning.pressure
  const choosyWeight = weight * (1 + few.more * Math.max(0, 1 - choosy / few.under))
  const byMachine = new Loads(needsByMachine(work, sized), pools.length)
  const empty = sized.wholeShares(work).map((share) => tuning.empty + tuning.emptyForWhole * share)
  return { byModel, byMachine, allFits: byModel.areEqual && byMachine.areEqual, choosyWeight, empty }
}

/** Kinds whose needs per card value differ by less than this factor count as one. */
const ALIKE = Math.log(1.2)

/** What a kind needs per card value, and which kinds are similar. */
interface Direction {
  readonly byCpu: number
  readonly byMemory: number
  readonly share: number
  readonly alike: string
}

function directionOf({ kind, takes }: { readonly kind: Kind; readonly takes: number }, share: number): Direction {
  const byCpu = takes / Math.max(kind.cpu, 1)
  const byMemory = takes / Math.max(kind.memory, 1)
  const alike = `${Math.round(Math.log(byCpu) / ALIKE)} ${Math.round(Math.log(byMemory) / ALIKE)}`
  return { byCpu, byMemory, share, alike }
}

/** Triples, see `Learnt.limits`: kinds with similar CPU and memory needs are merged, with their weights added. */
function limitsOf(directions: readonly Direction[]): Float64Array {
  const merged = new Map<string, { byCpu: number; byMemory: number; share: number }>()
  for (const { byCpu, byMemory, share, alike } of directions) {
    const known = merged.get(alike) ?? { byCpu: 0, byMemory: 0, share: 0 }
    known.byCpu += byCpu * share
    known.byMemory += byMemory * share
    known.share += share
    merged.set(alike, known)
  }
  return Float64Array.from(
    [...merged.values()].flatMap(({ byCpu, byMemory, share }) => [byCpu / share, byMemory / share, share]),
  )
}

/**
 * Worth by state of a card: what the mix would pay for its free part, and its size. Cut cards are valued by what can still be
 * cut.
 */
function worthByPool(
  pools: PackingInput['pools'],
  mix: Mix,
  { bySize, pull }: StrandingWeights,
): readonly Float64Array[] {
  const asked = new Map<number, number>()
  for (const { kind, count } of mix) {
    const milli = shareOf(kind)
    if (milli > 0) asked.set(milli, (asked.get(milli) ?? 0) + count * kind.count)
  }
  const free = cardWorth(
    [...asked].map(([milli, count]) => ({ milli, count })).sort((one, two) => two.milli - one.milli),
    pull,
  )
  const shared = new Float64Array(CODES)
  for (let milli = 0; milli <= IDLE; milli++)
    shared[milli] = exact((1 - bySize) * (free[milli] ?? 0) + (bySize * milli) / IDLE)
  return pools.map(({ cards: { rules } }) => {
    if (rules === undefined) return shared
    const worth = shared.slice()
    for (let taken = 1; taken < CODES - IDLE; taken++) worth[IDLE + taken] = exact(valueOf(rules, taken) / IDLE)
    return worth
  })
}

function exact(value: number): number {
  return Math.round(value * EXACT) / EXACT
}

/** Thousandths of each card that a kind requests; 0 for no card, and for slices, which have their own worths. */
function shareOf({ count, request: { part } }: Kind): number {
  if (count === 0 || part.kind === 'slice') return 0
  return part.kind === 'share' ? Math.min(part.milli, IDLE) : IDLE
}

/** The card value that a kind takes where it fits best. */
function weightOf(kind: Kind, worth: readonly Float64Array[]): number {
  if (kind.count === 0) return 0
  const pool = kind.on.findIndex((demand) => demand !== undefined)
  const of = worth[pool]
  const demand = kind.on[pool]
  if (of === undefined || demand === undefined) return 0
  const milli = shareOf(kind)
  if (milli > 0) return kind.count * real(of, milli)
  return kind.count * (real(of, IDLE) - real(of, Math.max(0, code(demand.next, IDLE))))
}
