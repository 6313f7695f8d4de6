import type { Kind } from './kinds.ts'
import type { FleetMachine } from './policy.ts'
import { int, real } from './read.ts'

/** Work of one kind in the usual mix, and the share of all card value that it asks for. */
export interface KindShare {
  readonly kind: Kind
  readonly share: number
}

/** Which part of each pool some work can use; kinds that can use the same parts are one entry. */
export interface PoolNeed {
  readonly share: number
  readonly room: Float64Array
}

/** Kinds whose rooms differ by less than one part in this many count as one. */
const GRAIN = 16

/** Needs by the models that work accepts: a pool has room for a kind, or it has none. */
export function needsByModel(work: readonly KindShare[], pools: number): readonly PoolNeed[] {
  return gathered(work, (kind) =>
    Float64Array.from({ length: pools }, (_, pool) => (kind.on[pool] === undefined ? 0 : 1)),
  )
}

/** Rarer needs press on no machine. They count as part of the most frequent one, which keeps decisions fast. */
const RARE = 0.01

/** Needs by the machines that could hold the work when they are empty: eight cards do not fit on machines with two. */
export function needsByMachine(work: readonly KindShare[], machines: Machines): readonly PoolNeed[] {
  const needs = gathered(work, (kind) => machines.roomFor(kind)).toSorted((one, two) => two.share - one.share)
  const rare = needs.slice(1).filter(({ share }) => share < RARE)
  const [first, ...others] = needs.slice(0, needs.length - rare.length)
  if (first === undefined) return []
  return [{ ...first, share: rare.reduce((sum, { share }) => sum + share, first.share) }, ...others]
}

function gathered(work: readonly KindShare[], roomFor: (kind: Kind) => Float64Array): readonly PoolNeed[] {
  const needs = new Map<string, { share: number; readonly room: Float64Array }>()
  for (const { kind, share } of work) {
    const room = roomFor(kind).map((part) => Math.round(part * GRAIN) / GRAIN)
    const key = room.join()
    const known = needs.get(key)
    if (known === undefined) needs.set(key, { share, room })
    else known.share += share
  }
  return [...needs.values()].filter(({ room }) => room.some((part) => part > 0))
}

/** The machines of a fleet, and what fits on them while they are empty. */
export class Machines {
  readonly #machines: readonly FleetMachine[]
  /** Cards of each pool. */
  readonly #cards: Float64Array

  constructor(machines: readonly FleetMachine[], pools: number) {
    this.#machines = machines
    this.#cards = new Float64Array(pools)
    for (const { pool, cards, count } of machines) this.#cards[pool] = real(this.#cards, pool) + cards * count
  }

  /** The part of each pool's cards that is on machines which could hold this kind. */
  roomFor(kind: Kind): Float64Array {
    const room = new Float64Array(this.#cards.length)
    for (const { pool, cards, count } of this.#thatFit(kind))
      room[pool] = real(room, pool) + (cards * count) / real(this.#cards, pool)
    return room
  }

  /** Of the work that would come to each pool if it were spread evenly: the share that takes a machine with all its cards. */
  wholeShares(work: readonly KindShare[]): Float64Array {
    const whole = new Float64Array(this.#cards.length)
    const all = new Float64Array(this.#cards.length)
    for (const { kind, share } of work) {
      const fitting = this.#thatFit(kind)
      const total = fitting.reduce((sum, { cards, count }) => sum + cards * count, 0)
      for (const { pool, cards, count } of fitting) {
        const part = (share * cards * count) / total
        all[pool] = real(all, pool) + part
        if (cards > 1 && kind.count === cards) whole[pool] = real(whole, pool) + part
      }
    }
    return whole.map((part, pool) => (part === 0 ? 0 : part / real(all, pool)))
  }

  #thatFit({ on, count, cpu, memory }: Kind): readonly FleetMachine[] {
    return this.#machines.filter(
      (machine) =>
        on[machine.pool] !== undefined &&
        machine.cards > 0 &&
        machine.cards >= count &&
        machine.cpu >= cpu &&
        machine.memory >= memory,
    )
  }
}

/**
 * The load of each pool if demand for all that is left came and every need were spread evenly over what it can use. Its mean,
 * weighted by what is left, is 1.
 */
export class Loads {
  readonly values: Float64Array
  /** Whether all work can use the same, so that nothing must be kept for some of it. */
  readonly areEqual: boolean
  readonly #shares: Float64Array
  /** Pools and room, need by need: only pools with room. */
  readonly #pools: Int32Array
  readonly #rooms: Float64Array
  /** Where each need begins. */
  readonly #starts: Int32Array

  constructor(needs: readonly PoolNeed[], pools: number) {
    this.values = new Float64Array(pools)
    this.#shares = Float64Array.from(needs, ({ share }) => share)
    const entries = needs.map(({ room }) => [...room.entries()].filter(([, part]) => part > 0))
    this.#pools = Int32Array.from(entries.flat(), ([pool]) => pool)
    this.#rooms = Float64Array.from(entries.flat(), ([, part]) => part)
    this.areEqual = needs.length < 2
    let start = 0
    this.#starts = Int32Array.from([0, ...entries.map(({ length }) => (start += length))])
  }

  update(left: Float64Array, total: number): void {
    const { values } = this
    values.fill(0)
    for (let need = 0; need < this.#shares.length; need++) {
      const end = int(this.#starts, need + 1)
      let within = 0
      for (let at = int(this.#starts, need); at < end; at++)
        within += real(this.#rooms, at) * real(left, int(this.#pools, at))
      const load = (real(this.#shares, need) * total) / Math.max(within, 1e-9)
      for (let at = int(this.#starts, need); at < end; at++) {
        const pool = int(this.#pools, at)
        values[pool] = real(values, pool) + load * real(this.#rooms, at)
      }
    }
  }
}
