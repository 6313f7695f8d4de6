import { must } from '../../base/assert.ts'
import type { Fleet, Request, Spot } from '../../fleet/fleet.ts'
import { Evaluator } from './evaluate.ts'
import { Heap } from './heap.ts'
import { Kinds, type Kind } from './kinds.ts'
import {
  applyOccupy,
  applyRelease,
  bestOf,
  capacityOf,
  cardsFor,
  changeCodes,
  freshCodes,
  machinesOf,
  ranksOf,
  spotOf,
  type Landing,
  type NodeCards,
  type Packer,
  type PackerOptions,
} from './packer.ts'
import type { PackingPolicy } from './policy.ts'
import { code, int, real } from './read.ts'
import { RANKS, Cohorts, type Writing } from './cohorts.ts'
import { shapesOf, States, type Pool, type Shape } from './states.ts'

/** A log is started anew when it is this much longer than the number of cohorts. */
const LOG_SLACK = 16_384

/**
 * The fast engine. Nodes in the same state are judged once. Each kind of work keeps a queue of known cohorts for every pool,
 * and a log tells it which cohorts were born since its last look. The cost of a decision does not depend on the number of
 * nodes, only on how much has changed.
 */
export class FastPacker implements Packer {
  readonly kinds: Kinds
  readonly pools: readonly Pool[]
  readonly #fleet: Fleet
  readonly #cohorts: Cohorts
  readonly #policy: PackingPolicy
  readonly #evaluator: Evaluator
  readonly #width: number
  readonly #shapeOf: readonly Shape[]
  /** Cards of each node, in their own order. */
  readonly #codes: Int16Array
  readonly #cohortOf: Int32Array
  readonly #rankOf: Int32Array
  readonly #nodeAt: Int32Array
  readonly #writing: Writing
  readonly #logs: Log[]
  readonly #queues: Queue[][] = []
  #leaving = -1
  #landing: Landing | undefined
  readonly #isHere = (rank: number): boolean => int(this.#cohortOf, int(this.#nodeAt, rank)) === this.#leaving

  constructor(fleet: Fleet, { policy, history = [], ranks = ranksOf(fleet) }: PackerOptions) {
    const { nodes } = fleet
    const { pools, of } = shapesOf(nodes)
    this.#fleet = fleet
    this.pools = pools
    this.#shapeOf = of
    this.kinds = new Kinds(pools)
    this.#width = Math.max(1, ...of.map(({ cards }) => cards))
    const states = new States(roomFor(nodes.length), this.#width)
    this.#cohorts = new Cohorts(states, pools.length)
    this.#logs = pools.map(() => ({ rows: [], births: [], start: 0 }))
    this.#policy = policy({
      pools,
      kinds: this.kinds,
      states,
      capacity: capacityOf(fleet),
      machines: machinesOf(fleet, of),
      history: history.map(({ request, count }) => ({ kind: this.kinds.of(request), count })),
    })
    this.#evaluator = new Evaluator(states, this.#policy)
    this.#codes = new Int16Array(nodes.length * this.#width)
    this.#cohortOf = new Int32Array(nodes.length).fill(-1)
    this.#rankOf = Int32Array.from(ranks)
    this.#nodeAt = new Int32Array(nodes.length)
    ranks.forEach((rank, node) => (this.#nodeAt[rank] = node))
    const shape = of[0] ?? { id: 0, pool: 0, cards: 0, tables: undefined }
    this.#writing = { shape, amounts: new Float64Array(3), codes: new Int16Array(this.#width) }
    nodes.forEach((_, index) => {
      this.#empty(index)
      this.#settle(index, 0)
    })
  }

  place(request: Request): Spot | undefined {
    return this.placeKind(this.kinds.of(request)) < 0 ? undefined : this.lastSpot()
  }

  placeKind(kind: Kind): number {
    if (this.#policy.arrived(kind)) this.#judgeAgain()
    const row = this.#best(kind)
    if (row < 0) return -1
    this.#evaluator.evaluate(row, kind)
    const node = int(this.#nodeAt, int(this.#cohorts.first, row))
    this.#take(node, row, kind)
    return node
  }

  lastSpot(): Spot {
    const landing = must(this.#landing, 'nothing has been placed yet')
    return spotOf(landing, must(this.#shapeOf[landing.node], 'a shape a node').pool, this.pools)
  }

  placeAmong(kind: Kind, nodes: readonly number[]): number {
    if (this.#policy.arrived(kind)) this.#judgeAgain()
    const node = bestOf(nodes, { score: (one) => this.score(kind, one), rank: (one) => int(this.#rankOf, one) })
    if (node < 0) return -1
    const row = int(this.#cohortOf, node)
    this.#evaluator.evaluate(row, kind)
    this.#take(node, row, kind)
    return node
  }

  fits(kind: Kind, node: number): boolean {
    return this.#evaluator.evaluate(int(this.#cohortOf, node), kind) > Number.NEGATIVE_INFINITY
  }

  score(kind: Kind, node: number): number {
    const score = this.rate(kind, node)
    return score === Number.NEGATIVE_INFINITY ? score : score - this.price(kind, this.poolOf(node))
  }

  rate(kind: Kind, node: number): number {
    return this.#evaluator.evaluate(int(this.#cohortOf, node), kind)
  }

  rateAll(kind: Kind, into: Float64Array): void {
    const { alive, states } = this.#cohorts
    const rates = new Float64Array(states.rows)
    for (const rows of alive) for (const row of rows) rates[row] = this.#evaluator.evaluate(row, kind)
    for (let node = 0; node < this.#cohortOf.length; node++) into[node] = real(rates, int(this.#cohortOf, node))
  }

  price(kind: Kind, pool: number): number {
    return this.#policy.price(kind, pool)
  }

  poolOf(node: number): number {
    return int(this.#cohorts.states.pool, int(this.#cohortOf, node))
  }

  clear(node: number): void {
    const row = int(this.#cohortOf, node)
    this.#empty(node)
    this.#move(node, row)
  }

  occupy(request: Request, spot: Spot): void {
    const { node } = spot
    const kind = this.kinds.of(request)
    const row = int(this.#cohortOf, node)
    const pool = this.pools[int(this.#cohorts.states.pool, row)]
    applyOccupy(spot, { codes: this.#codes, from: node * this.#width, pool })
    this.#writeUse(row, kind, -1)
    this.#move(node, row)
  }

  release(request: Request, spot: Spot): void {
    const { node } = spot
    this.#policy.left()
    const kind = this.kinds.of(request)
    const row = int(this.#cohortOf, node)
    const from = node * this.#width
    applyRelease(spot, { codes: this.#codes, from, pool: this.pools[int(this.#cohorts.states.pool, row)] })
    this.#writeUse(row, kind, 1)
    this.#move(node, row)
  }

  /** The row of the best cohort for a kind, or -1. */
  #best(kind: Kind): number {
    let best = Number.NEGATIVE_INFINITY
    let rank = RANKS
    let row = -1
    for (let pool = 0; pool < this.pools.length; pool++) {
      if (kind.on[pool] === undefined) continue
      const top = this.#top(kind, pool)
      if (top === Number.NEGATIVE_INFINITY) continue
      const score = Math.ceil(top / RANKS)
      const first = score * RANKS - top
      const total = score - this.#policy.price(kind, pool)
      if (total < best || (total === best && first > rank)) continue
      best = total
      rank = first
      row = int(this.#cohortOf, int(this.#nodeAt, first))
    }
    return row
  }

  /** The highest key among a kind's cohorts of a pool: its score times RANKS, less the rank of its first node. */
  #top(kind: Kind, pool: number): number {
    const { heap } = this.#upToDate(kind, pool)
    const { birth, first } = this.#cohorts
    const { keys, cohorts, births } = heap
    while (keys.length > 0) {
      const row = cohorts[0] ?? 0
      if (int(birth, row) !== births[0]) {
        heap.dropTop()
        continue
      }
      const key = keys[0] ?? 0
      const fresh = Math.ceil(key / RANKS) * RANKS - int(first, row)
      if (key === fresh) return key
      heap.replaceTop(fresh, row, int(birth, row))
    }
    return Number.NEGATIVE_INFINITY
  }

  /** Scores the cohorts that were born since this kind last looked. */
  #upToDate(kind: Kind, pool: number): Queue {
    const queues = (this.#queues[kind.id] ??= [])
    const queue = (queues[pool] ??= { heap: new Heap(), seen: -1 })
    const log = must(this.#logs[pool], 'a log a pool')
    const end = log.start + log.rows.length
    const alive = this.#cohorts.alive[pool] ?? []
    if (queue.seen < log.start || queue.heap.size > 4 * alive.length + 64) {
      queue.heap.clear()
      for (const row of alive) this.#offer(queue.heap, row, kind)
    } else {
      for (let at = queue.seen - log.start; at < log.rows.length; at++) {
        const row = log.rows[at] ?? 0
        if (int(this.#cohorts.birth, row) === log.births[at]) this.#offer(queue.heap, row, kind)
      }
    }
    queue.seen = end
    return queue
  }

  #offer(heap: Heap, row: number, kind: Kind): void {
    const score = this.#evaluator.evaluate(row, kind)
    if (score === Number.NEGATIVE_INFINITY) return
    heap.push(score * RANKS - int(this.#cohorts.first, row), row, int(this.#cohorts.birth, row))
  }

  /** Applies the change that was evaluated last. */
  #take(node: number, row: number, kind: Kind): void {
    const { change } = this.#evaluator
    const { cards } = must(this.#shapeOf[node], 'a shape a node')
    const { layout } = must(this.#fleet.nodes[node], 'inside')
    const own: NodeCards = { codes: this.#codes, from: node * this.#width, cards, layout }
    const chosen = cardsFor(change, own)
    this.#landing = { node, chosen, kind, slices: code(change.into, 0) - code(change.from, 0) }
    changeCodes(change, own, chosen)
    this.#writeUse(row, kind, -1)
    this.#move(node, row)
  }

  /** Writes what a node has when nothing runs there. */
  #empty(node: number): void {
    const { cpuMilli, memoryMib, diskMib = 0, ...fresh } = must(this.#fleet.nodes[node], 'inside')
    freshCodes(fresh, this.#codes, node * this.#width)
    this.#writing.amounts.set([cpuMilli, memoryMib, diskMib])
  }

  /** Writes what a row would have after a kind arrives or leaves. */
  #writeUse(row: number, kind: Kind, sign: 1 | -1): void {
    const { states } = this.#cohorts
    const { amounts } = this.#writing
    const isLess = sign < 0
    amounts[0] = isLess ? real(states.cpu, row) - kind.cpu : real(states.cpu, row) + kind.cpu
    amounts[1] = isLess ? real(states.memory, row) - kind.memory : real(states.memory, row) + kind.memory
    amounts[2] = isLess ? real(states.disk, row) - kind.disk : real(states.disk, row) + kind.disk
  }

  /** Moves a node from its cohort to the one of its new state. Its cards have changed and its amounts are written already. */
  #move(node: number, row: number): void {
    const valueBefore = real(this.#cohorts.states.value, row)
    this.#cohortOf[node] = -1
    this.#leaving = row
    this.#cohorts.leave(row, this.#isHere)
    this.#settle(node, valueBefore)
  }

  /** Finds or creates the cohort for the written state of a node, and adds the node to it. */
  #settle(node: number, valueBefore: number): void {
    const shape = must(this.#shapeOf[node], 'a shape a node')
    const writing = this.#writing
    writing.shape = shape
    const from = node * this.#width
    for (let card = 0; card < shape.cards; card++) writing.codes[card] = code(this.#codes, from + card)
    if (shape.tables === undefined && !this.#policy.goesByCardOrder) sortCodes(writing.codes, shape.cards)
    const found = this.#cohorts.find(writing)
    const row = found < 0 ? this.#cohorts.bear(writing) : found
    if (found < 0) this.#policy.settle(row)
    this.#cohortOf[node] = row
    if (this.#cohorts.join(row, int(this.#rankOf, node))) this.#tell(shape.pool, row)
    this.#policy.moved(shape.pool, real(this.#cohorts.states.value, row) - valueBefore)
  }

  #tell(pool: number, row: number): void {
    const log = must(this.#logs[pool], 'a log a pool')
    log.rows.push(row)
    log.births.push(int(this.#cohorts.birth, row))
    const excess = log.rows.length - 2 * (this.#cohorts.alive[pool] ?? []).length
    if (excess < LOG_SLACK) return
    log.start += excess
    log.rows.splice(0, excess)
    log.births.splice(0, excess)
  }

  /** The policy has learnt something: every row has a new worth. */
  #judgeAgain(): void {
    this.#cohorts.alive.forEach((rows, pool) => {
      for (const row of rows) {
        const { states, count } = this.#cohorts
        const valueBefore = real(states.value, row)
        this.#policy.settle(row)
        this.#policy.moved(pool, (real(states.value, row) - valueBefore) * int(count, row))
      }
    })
    // Kinds that have not arrived yet, and pools that they may not use, have no queue.
    this.#queues.forEach((queues) => queues.forEach((queue) => (queue.seen = -1)))
  }
}

/** The cohorts that were born, in order; entries before `start` are dropped. */
interface Log {
  readonly rows: number[]
  readonly births: number[]
  start: number
}

interface Queue {
  readonly heap: Heap
  /** How far it has read the log; -1: not at all. */
  seen: number
}

/** Rows to start with: hardly any fleet has more states than nodes, and large fleets have far fewer. */
function roomFor(nodes: number): number {
  let rows = 256
  while (rows < nodes && rows < 8192) rows *= 2
  return rows * 2
}

/** Few and nearly sorted: insertion sort. */
function sortCodes(codes: Int16Array, cards: number): void {
  for (let end = 1; end < cards; end++) {
    const moving = code(codes, end)
    let at = end - 1
    while (at >= 0 && code(codes, at) > moving) {
      codes[at + 1] = code(codes, at)
      at--
    }
    codes[at + 1] = moving
  }
}
