import { must } from '../../base/assert.ts'
import type { Fleet, Request, Spot } from '../../fleet/fleet.ts'
import { Evaluator } from './evaluate.ts'
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
  type Packer,
  type PackerOptions,
} from './packer.ts'
import type { PackingPolicy } from './policy.ts'
import { code, int, real } from './read.ts'
import { shapesOf, States, type Pool } from './states.ts'

/** The slow engine that is obviously correct: every request checks every node. The fast engine must choose the same spots. */
export class ReferencePacker implements Packer {
  readonly kinds: Kinds
  readonly pools: readonly Pool[]
  readonly #fleet: Fleet
  readonly #states: States
  readonly #ranks: readonly number[]
  readonly #everywhere: readonly number[]
  readonly #policy: PackingPolicy
  readonly #evaluator: Evaluator
  #landing: Landing | undefined

  constructor(fleet: Fleet, { policy, history = [], ranks = ranksOf(fleet) }: PackerOptions) {
    const { nodes } = fleet
    const { pools, of } = shapesOf(nodes)
    this.#fleet = fleet
    this.pools = pools
    this.kinds = new Kinds(pools)
    this.#ranks = ranks
    this.#everywhere = [...nodes.keys()]
    const states = new States(nodes.length, Math.max(1, ...of.map(({ cards }) => cards)))
    this.#states = states
    this.#policy = policy({
      pools,
      kinds: this.kinds,
      states,
      capacity: capacityOf(fleet),
      machines: machinesOf(fleet, of),
      history: history.map(({ request, count }) => ({ kind: this.kinds.of(request), count })),
    })
    this.#evaluator = new Evaluator(states, this.#policy)
    nodes.forEach((node, row) => {
      states.setShape(row, must(of[row], 'a shape a node'))
      states.cpu[row] = node.cpuMilli
      states.memory[row] = node.memoryMib
      states.disk[row] = node.diskMib ?? 0
      freshCodes(node, states.codes, row * states.width)
      this.#settle(row)
    })
  }

  place(request: Request): Spot | undefined {
    return this.placeKind(this.kinds.of(request)) < 0 ? undefined : this.lastSpot()
  }

  placeKind(kind: Kind): number {
    return this.placeAmong(kind, this.#everywhere)
  }

  placeAmong(kind: Kind, nodes: readonly number[]): number {
    if (this.#policy.arrived(kind)) for (const row of this.#everywhere) this.#settle(row)
    const node = bestOf(nodes, { score: (one) => this.score(kind, one), rank: (one) => this.#rank(one) })
    if (node < 0) return -1
    const states = this.#states
    this.#evaluator.evaluate(node, kind)
    const { change } = this.#evaluator
    const { layout, cards } = must(this.#fleet.nodes[node], 'inside')
    const own = { codes: states.codes, from: node * states.width, cards: cards.length, layout }
    const chosen = cardsFor(change, own)
    this.#landing = { node, chosen, kind, slices: code(change.into, 0) - code(change.from, 0) }
    changeCodes(change, own, chosen)
    this.#use(node, { cpu: -kind.cpu, memory: -kind.memory, disk: -kind.disk })
    return node
  }

  lastSpot(): Spot {
    const landing = must(this.#landing, 'nothing has been placed yet')
    return spotOf(landing, int(this.#states.pool, landing.node), this.pools)
  }

  fits(kind: Kind, node: number): boolean {
    return this.#evaluator.evaluate(node, kind) > Number.NEGATIVE_INFINITY
  }

  score(kind: Kind, node: number): number {
    const score = this.rate(kind, node)
    return score === Number.NEGATIVE_INFINITY ? score : score - this.price(kind, this.poolOf(node))
  }

  rate(kind: Kind, node: number): number {
    return this.#evaluator.evaluate(node, kind)
  }

  rateAll(kind: Kind, into: Float64Array): void {
    for (const node of this.#everywhere) into[node] = this.rate(kind, node)
  }

  price(kind: Kind, pool: number): number {
    return this.#policy.price(kind, pool)
  }

  poolOf(node: number): number {
    return int(this.#states.pool, node)
  }

  clear(node: number): void {
    const states = this.#states
    const { cpuMilli, memoryMib, diskMib = 0, ...fresh } = must(this.#fleet.nodes[node], 'inside')
    freshCodes(fresh, states.codes, node * states.width)
    const [cpu, memory, disk] = [real(states.cpu, node), real(states.memory, node), real(states.disk, node)]
    this.#use(node, { cpu: cpuMilli - cpu, memory: memoryMib - memory, disk: diskMib - disk })
  }

  occupy(request: Request, spot: Spot): void {
    const states = this.#states
    const { node } = spot
    const { cpu, memory, disk } = this.kinds.of(request)
    applyOccupy(spot, { codes: states.codes, from: node * states.width, pool: this.pools[int(states.pool, node)] })
    this.#use(node, { cpu: -cpu, memory: -memory, disk: -disk })
  }

  release(request: Request, spot: Spot): void {
    const states = this.#states
    const { node } = spot
    this.#policy.left()
    const { cpu, memory, disk } = this.kinds.of(request)
    applyRelease(spot, { codes: states.codes, from: node * states.width, pool: this.pools[int(states.pool, node)] })
    this.#use(node, { cpu, memory, disk })
  }

  #rank(node: number): number {
    return this.#ranks[node] ?? Number.POSITIVE_INFINITY
  }

  #use(node: number, by: { readonly cpu: number; readonly memory: number; readonly disk: number }): void {
    const states = this.#states
    states.cpu[node] = real(states.cpu, node) + by.cpu
    states.memory[node] = real(states.memory, node) + by.memory
    states.disk[node] = real(states.disk, node) + by.disk
    this.#settle(node)
  }

  #settle(row: number): void {
    const states = this.#states
    const valueBefore = real(states.value, row)
    states.countIdle(row)
    this.#policy.settle(row)
    this.#policy.moved(int(states.pool, row), real(states.value, row) - valueBefore)
  }
}
