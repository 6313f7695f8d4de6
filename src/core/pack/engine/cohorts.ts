import { code, int, real } from './read.ts'
import type { Shape, States } from './states.ts'

/** More than any fleet has nodes: all ranks are below it. */
export const RANKS = 2 ** 20

/** The state of a node, written out to find its cohort. */
export interface Writing {
  shape: Shape
  /** CPU, memory and disk. An array, because plain fields would change their representation at run time. */
  readonly amounts: Float64Array
  readonly codes: Int16Array
}

/**
 * Nodes in the same state share a cohort, which is a row of `states`. Cohorts are found by state; they are born with their
 * first node and die with their last. A birth number tells a cohort from an earlier one in the same row.
 */
export class Cohorts {
  readonly states: States
  /** Odd while the cohort lives; changes at birth and at death. */
  birth: Int32Array
  /** Lowest rank of the nodes in a cohort. */
  first: Int32Array
  count: Int32Array
  /** Living rows, by pool. */
  readonly alive: number[][]
  readonly #members: number[][] = []
  readonly #free: number[] = []
  #used = 0
  #hash: Int32Array
  #heads: Int32Array
  #next: Int32Array
  #place: Int32Array

  constructor(states: States, pools: number) {
    this.states = states
    this.alive = Array.from({ length: pools }, () => [])
    this.birth = new Int32Array(states.rows)
    this.first = new Int32Array(states.rows)
    this.count = new Int32Array(states.rows)
    this.#hash = new Int32Array(states.rows)
    this.#heads = new Int32Array(states.rows * 2).fill(-1)
    this.#next = new Int32Array(states.rows)
    this.#place = new Int32Array(states.rows)
  }

  /** The cohort of a state, or -1. */
  find(writing: Writing): number {
    const hash = hashOf(writing)
    let row = int(this.#heads, hash & (this.#heads.length - 1))
    while (row >= 0 && !(int(this.#hash, row) === hash && this.#is(row, writing))) row = int(this.#next, row)
    return row
  }

  /** A new cohort for a state that has none. */
  bear(writing: Writing): number {
    if (this.#free.length === 0 && this.#used === this.states.rows) this.#double()
    const row = this.#free.pop() ?? this.#used++
    const { states } = this
    const { shape } = writing
    states.setShape(row, shape)
    states.cpu[row] = real(writing.amounts, 0)
    states.memory[row] = real(writing.amounts, 1)
    states.disk[row] = real(writing.amounts, 2)
    for (let card = 0; card < shape.cards; card++) states.codes[row * states.width + card] = code(writing.codes, card)
    states.countIdle(row)
    this.birth[row] = int(this.birth, row) + 1
    this.first[row] = RANKS
    this.count[row] = 0
    this.#members[row] ??= []
    this.#chain(row, hashOf(writing))
    const alive = this.alive[shape.pool] ?? []
    this.#place[row] = alive.length
    alive.push(row)
    return row
  }

  /** Adds a node. Returns true if the cohort's lowest rank has changed. */
  join(row: number, rank: number): boolean {
    const members = this.#members[row] ?? []
    this.count[row] = int(this.count, row) + 1
    let at = members.length
    members.push(rank)
    while (at > 0) {
      const above = (at - 1) >> 1
      const lower = members[above] ?? 0
      if (lower <= rank) break
      members[at] = lower
      at = above
    }
    members[at] = rank
    if (rank >= int(this.first, row)) return false
    this.first[row] = rank
    return true
  }

  /** Removes a node; the cohort dies with its last. `isHere` tells which ranks are still members. */
  leave(row: number, isHere: (rank: number) => boolean): void {
    const members = this.#members[row] ?? []
    const left = int(this.count, row) - 1
    this.count[row] = left
    if (left === 0) {
      members.length = 0
      this.#bury(row)
      return
    }
    while (members.length > 0 && !isHere(members[0] ?? 0)) dropFirst(members)
    if (members.length > 2 * left + 16) rebuild(members, isHere)
    this.first[row] = members[0] ?? RANKS
  }

  #bury(row: number): void {
    this.birth[row] = int(this.birth, row) + 1
    this.#unchain(row)
    const alive = this.alive[int(this.states.pool, row)] ?? []
    const last = alive.pop() ?? row
    const place = int(this.#place, row)
    if (last !== row) {
      alive[place] = last
      this.#place[last] = place
    }
    this.#free.push(row)
  }

  #is(row: number, { shape, amounts, codes }: Writing): boolean {
    const { states } = this
    if (states.shape[row] !== shape || real(states.cpu, row) !== real(amounts, 0)) return false
    if (real(states.memory, row) !== real(amounts, 1) || real(states.disk, row) !== real(amounts, 2)) return false
    const from = row * states.width
    for (let card = 0; card < shape.cards; card++)
      if (code(states.codes, from + card) !== code(codes, card)) return false
    return true
  }

  #chain(row: number, hash: number): void {
    const bucket = hash & (this.#heads.length - 1)
    this.#hash[row] = hash
    this.#next[row] = int(this.#heads, bucket)
    this.#heads[bucket] = row
  }

  #unchain(row: number): void {
    const bucket = int(this.#hash, row) & (this.#heads.length - 1)
    let at = int(this.#heads, bucket)
    if (at === row) {
      this.#heads[bucket] = int(this.#next, row)
      return
    }
    while (int(this.#next, at) !== row) at = int(this.#next, at)
    this.#next[at] = int(this.#next, row)
  }

  #double(): void {
    this.states.double()
    const { rows } = this.states
    const wider = (from: Int32Array): Int32Array => {
      const into = new Int32Array(rows)
      into.set(from)
      return into
    }
    this.birth = wider(this.birth)
    this.first = wider(this.first)
    this.count = wider(this.count)
    this.#hash = wider(this.#hash)
    this.#next = wider(this.#next)
    this.#place = wider(this.#place)
    this.#heads = new Int32Array(rows * 2).fill(-1)
    for (const rowsOfPool of this.alive) for (const row of rowsOfPool) this.#chain(row, int(this.#hash, row))
  }
}

function hashOf({ shape, amounts, codes }: Writing): number {
  let hash = Math.imul(shape.id + 1, 0x9e3779b1) ^ Math.imul(real(amounts, 0) | 0, 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) ^ Math.imul(real(amounts, 1) | 0, 0xc2b2ae35)
  hash ^= real(amounts, 2) | 0
  for (let card = 0; card < shape.cards; card++) hash = Math.imul(hash ^ code(codes, card), 0x01000193)
  return (hash ^ (hash >>> 16)) | 0
}

/** Removes the lowest of a heap of ranks. */
function dropFirst(members: number[]): void {
  const last = members.pop() ?? 0
  const size = members.length
  if (size === 0) return
  let at = 0
  for (;;) {
    let below = 2 * at + 1
    if (below >= size) break
    if (below + 1 < size && (members[below + 1] ?? 0) < (members[below] ?? 0)) below++
    const lower = members[below] ?? 0
    if (lower >= last) break
    members[at] = lower
    at = below
  }
  members[at] = last
}

/** Removes ranks that have left, and duplicates of ranks that left and came back. A sorted array is a heap. */
function rebuild(members: number[], isHere: (rank: number) => boolean): void {
  const here = [...new Set(members.filter(isHere))].sort((one, two) => one - two)
  members.length = 0
  members.push(...here)
}
