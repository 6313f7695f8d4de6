import { must } from '../../core/base/assert.ts'
import { IDLE } from '../../core/pack/engine/card-code.ts'
import type { Kind } from '../../core/pack/engine/kinds.ts'
import { applyOccupy, applyRelease, freshCodes } from '../../core/pack/engine/packer.ts'
import type { PastRequests } from '../../core/pack/engine/policy.ts'
import { code, int, real } from '../../core/pack/engine/read.ts'
import { shapesOf, type Pool } from '../../core/pack/engine/states.ts'
import type { Fleet, FleetNode, Request, Spot } from '../../core/fleet/fleet.ts'

/** Why a request has no place now. */
export type RefusalKind = (typeof REFUSALS)[number]

/** From what can never change to what the next departure may solve. */
export const REFUSALS = [
  /** No node has a card of an accepted model, or none that can be divided into such a part. */
  'no-such-card',
  /** No node is large enough, even when it is empty. */
  'too-large',
  /** All suitable cards together have less free than requested. */
  'full',
  /** Enough is free in sum, but too few cards have enough free each. */
  'in-pieces',
  /** Enough cards have it, but not on one node. */
  'apart',
  /** A node has the cards, but not the CPU, memory or disk to go with them. */
  'cpu',
  'memory',
  'disk',
  'several',
] as const

/** Why a free part of a card is of no use. */
export type Stuck = (typeof STUCK)[number]

const STUCK = [
  /** It is of use: much of the usual work would fit here. */
  'usable',
  /** Only little of the usual work would fit here. */
  'rare',
  /** The cards suit some usual work, but the CPU or memory to go with them is missing. */
  'cpu',
  'memory',
  'several',
  /** It is large enough for some usual work, but that needs other models, or more cards. */
  'elsewhere',
  /** No usual work needs as little as this. */
  'too-small',
] as const

/** Free parts of cards of similar size that are free for the same reason. */
export interface Leftover {
  /** Thousandths of a card: at least and at most. */
  readonly from: number
  readonly to: number
  readonly why: Stuck
  readonly cards: number
  readonly milli: number
}

/** Work that makes up less than this share of arrivals is rare. */
const RARE = 0.05

/** The size classes of free parts of cards, from whole cards down to scraps. */
const PIECES = [
  [1000, 1000],
  [500, 999],
  [250, 499],
  [100, 249],
  [1, 99],
] as const

/** What is free where, kept next to a packer: it knows why work does not fit, and how the rest is fragmented. */
export class SimulatedRoom {
  readonly capacityMilli: number
  readonly #fleet: Fleet
  readonly #pools: readonly Pool[]
  readonly #poolOf: Int32Array
  readonly #width: number
  readonly #codes: Int16Array
  readonly #cpu: Float64Array
  readonly #memory: Float64Array
  readonly #disk: Float64Array
  /** Free thousandths of cards on each node, and on the freest of its cards. */
  readonly #free: Int32Array
  readonly #largest: Int32Array
  readonly #never: (RefusalKind | 'fits' | undefined)[] = []
  #freeMilli = 0

  constructor(fleet: Fleet) {
    const { nodes } = fleet
    const { pools, of } = shapesOf(nodes)
    this.#fleet = fleet
    this.#pools = pools
    this.#poolOf = Int32Array.from(of, ({ pool }) => pool)
    this.#width = Math.max(1, ...of.map(({ cards }) => cards))
    this.#codes = new Int16Array(nodes.length * this.#width)
    nodes.forEach((node, index) => freshCodes(node, this.#codes, index * this.#width))
    this.#cpu = Float64Array.from(nodes, ({ cpuMilli }) => cpuMilli)
    this.#memory = Float64Array.from(nodes, ({ memoryMib }) => memoryMib)
    this.#disk = Float64Array.from(nodes, ({ diskMib }) => diskMib ?? 0)
    this.#free = new Int32Array(nodes.length)
    this.#largest = new Int32Array(nodes.length)
    nodes.forEach((_, node) => this.#measure(node))
    this.capacityMilli = this.#freeMilli
  }

  /** Free thousandths of cards; a failing card has none. */
  get freeMilli(): number {
    return this.#freeMilli
  }

  take(request: Request, spot: Spot): void {
    this.#change(request, spot, -1)
  }

  giveBack(request: Request, spot: Spot): void {
    this.#change(request, spot, 1)
  }

  /** Why a kind would fit nowhere if nothing ran; undefined: it would. */
  neverFits(kind: Kind): RefusalKind | undefined {
    const known = (this.#never[kind.id] ??= this.#onEmpty(kind))
    return known === 'fits' ? undefined : known
  }

  /** Whether a node could take a kind if nothing ran on it. */
  couldHost(index: number, kind: Kind): boolean {
    const node = must(this.#fleet.nodes[index], 'a node of the fleet')
    const demand = kind.on[int(this.#poolOf, index)]
    if (demand === undefined) return false
    const healthy = node.cards.reduce((sum, { health }) => sum + (health === 'failing' ? 0 : 1), 0)
    const hasCards = kind.count === 0 || (healthy >= kind.count && code(demand.next, IDLE) >= 0)
    return hasCards && node.cpuMilli >= kind.cpu && node.memoryMib >= kind.memory && (node.diskMib ?? 0) >= kind.disk
  }

  /** Why a kind does not fit now; undefined: it does. */
  whyNot(kind: Kind): RefusalKind | undefined {
    const never = this.neverFits(kind)
    if (never !== undefined) return never
    const found = { milli: 0, cards: 0, nodes: 0 }
    const short = { cpu: 0, memory: 0, disk: 0, several: 0 }
    const part = kind.count === 0 ? 0 : partOf(kind)
    for (let node = 0; node < this.#poolOf.length; node++) {
      if (kind.on[int(this.#poolOf, node)] === undefined) continue
      found.milli += int(this.#free, node)
      if (int(this.#largest, node) < part) continue
      const cards = this.#fitting(node, kind)
      found.cards += cards
      if (cards < kind.count) continue
      found.nodes++
      const lack = this.#lack(node, kind)
      if (lack === undefined) return undefined
      short[lack]++
    }
    if (found.nodes > 0) return mostOf(short)
    if (found.cards >= kind.count) return 'apart'
    return found.milli >= kind.count * part ? 'in-pieces' : 'full'
  }

  /** What is free, by size of the pieces and by why usual work cannot use them. */
  leftovers(usual: readonly PastRequests[]): readonly Leftover[] {
    const sums = new Map<
      string,
      { readonly piece: readonly [number, number]; why: Stuck; cards: number; milli: number }
    >()
    const working = usual.filter(({ kind }) => kind.count > 0)
    const rare = RARE * usual.reduce((sum, { count }) => sum + count, 0)
    for (let node = 0; node < this.#poolOf.length; node++) {
      const { free } = this.#cardsOf(node)
      let seen = -1
      let why: Stuck = 'usable'
      for (let at = node * this.#width; at < this.#endOf(node); at++) {
        const state = code(this.#codes, at)
        const milli = code(free, state)
        const piece = PIECES.find(([from]) => milli >= from)
        if (piece === undefined) continue
        if (state !== seen) why = this.#stuck(node, state, { working, rare })
        seen = state
        const key = `${piece[0]} ${why}`
        const sum = sums.get(key) ?? { piece, why, cards: 0, milli: 0 }
        sums.set(key, { ...sum, cards: sum.cards + 1, milli: sum.milli + milli })
      }
    }
    return [...sums.values()]
      .map(({ piece: [from, to], ...rest }) => ({ from, to, ...rest }))
      .sort((one, two) => two.from - one.from || STUCK.indexOf(one.why) - STUCK.indexOf(two.why))
  }

  #change(request: Request, spot: Spot, sign: -1 | 1): void {
    const { node } = spot
    const cards = { codes: this.#codes, from: node * this.#width, pool: this.#pools[int(this.#poolOf, node)] }
    if (sign < 0) applyOccupy(spot, cards)
    else applyRelease(spot, cards)
    this.#cpu[node] = real(this.#cpu, node) + sign * request.cpuMilli
    this.#memory[node] = real(this.#memory, node) + sign * request.memoryMib
    this.#disk[node] = real(this.#disk, node) + sign * request.diskMib
    this.#measure(node)
  }

  #onEmpty(kind: Kind): RefusalKind | 'fits' {
    const isThere = (node: FleetNode, index: number): boolean =>
      kind.on[int(this.#poolOf, index)] !== undefined && (kind.count === 0 || node.cards.length > 0)
    if (this.#fleet.nodes.some((_, index) => this.couldHost(index, kind))) return 'fits'
    return this.#fleet.nodes.some(isThere) ? 'too-large' : 'no-such-card'
  }

  /** How many cards of a node have as much free as a kind needs of each. */
  #fitting(node: number, { on, count }: Kind): number {
    const demand = on[int(this.#poolOf, node)]
    if (demand === undefined || count === 0) return 0
    let fitting = 0
    for (let at = node * this.#width; at < this.#endOf(node); at++)
      if (code(demand.next, code(this.#codes, at)) >= 0) fitting++
    return fitting
  }

  #lack(node: number, kind: Kind): 'cpu' | 'memory' | 'disk' | 'several' | undefined {
    const lacks: ('cpu' | 'memory' | 'disk')[] = []
    if (real(this.#cpu, node) < kind.cpu) lacks.push('cpu')
    if (real(this.#memory, node) < kind.memory) lacks.push('memory')
    if (real(this.#disk, node) < kind.disk) lacks.push('disk')
    return lacks.length > 1 ? 'several' : lacks[0]
  }

  /** Why a card in this state on this node is of no use. */
  #stuck(
    node: number,
    state: number,
    { working, rare }: { readonly working: readonly PastRequests[]; readonly rare: number },
  ): Stuck {
    const pool = int(this.#poolOf, node)
    const milli = code(this.#cardsOf(node).free, state)
    const short = { cpu: 0, memory: 0, several: 0 }
    let isWanted = false
    let fitting = 0
    for (const { kind, count } of working) {
      const demand = kind.on[pool]
      const isLargeEnough = demand !== undefined && code(demand.next, state) >= 0
      isWanted ||= isLargeEnough || milli >= partOf(kind)
      if (!isLargeEnough || this.#fitting(node, kind) < kind.count) continue
      const lack = this.#lack(node, kind)
      if (lack === undefined) fitting += count
      else short[lack === 'disk' ? 'several' : lack]++
    }
    if (fitting > 0) return fitting < rare ? 'rare' : 'usable'
    if (short.cpu + short.memory + short.several > 0) return mostOf(short)
    return isWanted ? 'elsewhere' : 'too-small'
  }

  #measure(node: number): void {
    const { free } = this.#cardsOf(node)
    let sum = 0
    let largest = 0
    for (let at = node * this.#width; at < this.#endOf(node); at++) {
      const milli = code(free, code(this.#codes, at))
      sum += milli
      if (milli > largest) largest = milli
    }
    this.#freeMilli += sum - int(this.#free, node)
    this.#free[node] = sum
    this.#largest[node] = largest
  }

  #endOf(node: number): number {
    return node * this.#width + must(this.#fleet.nodes[node], 'a node of the fleet').cards.length
  }

  #cardsOf(node: number): Pool['cards'] {
    return must(this.#pools[int(this.#poolOf, node)], 'a node has a pool').cards
  }
}

/** Thousandths of each card; a slice counts as the smallest part, because its size depends on the card. */
function partOf({ request: { part } }: Kind): number {
  if (part.kind === 'slice') return 1
  return part.kind === 'share' ? part.milli : IDLE
}

/** What is missing most often; a single cause before several, and the first of equals. */
function mostOf<K extends string>(counts: Readonly<Record<K, number>>): K {
  // The keys of a record are as its type says: it was written out in full right here.
  const keys = Object.keys(counts) as K[]
  const single = keys.filter((key) => key !== 'several' && counts[key] > 0)
  const [first = must(keys.at(-1), 'a record with keys')] = single.toSorted((one, two) => counts[two] - counts[one])
  return first
}
