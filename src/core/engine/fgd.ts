import { must } from '../assert.ts'
import type { Kind } from './kinds.ts'
import { mixOf } from './mix.ts'
import { RATING, type Change, type Ground, type MakePolicy, type Past, type Policy, type Rated } from './policy.ts'
import { code, int, real } from './read.ts'

/** Kinds that make up this share of what comes are its typical work. */
const TYPICAL = 0.95

/**
 * Fragmentation gradient descent (Weng et al., USENIX ATC 2023), as published: the place where the expected GPU fragment,
 * over the typical work, grows least. For comparison; our own is `stranding`.
 */
export const fgd: MakePolicy = (ground) => new Fgd(ground)

class Fgd implements Policy {
  readonly name = 'fgd'
  readonly goesByCardOrder = true
  readonly #ground: Ground
  readonly #typical: readonly Typical[]
  readonly #free: Int32Array

  constructor(ground: Ground) {
    this.#ground = ground
    this.#typical = typicalOf(ground.history)
    this.#free = new Int32Array(ground.states.width)
  }

  settle(row: number): void {
    const { states } = this.#ground
    this.#read(row)
    states.worth[row] = this.#fragment(row, real(states.cpu, row))
  }

  rate(row: number, kind: Kind, change: Change): number {
    const { states } = this.#ground
    this.#read(row)
    this.#apply(row, change)
    const drop = real(states.worth, row) - this.#fragment(row, real(states.cpu, row) - kind.cpu)
    return Math.floor(100 / (1 + Math.exp(-drop / 1000)))
  }

  score(_row: number, _kind: Kind, rated: Rated): number {
    return real(rated, RATING)
  }

  price(): number {
    return 0
  }

  moved(): void {}

  left(): void {}

  arrived(): boolean {
    return false
  }

  #read(row: number): void {
    const { states } = this.#ground
    const from = row * states.width
    const free = this.#freeOf(row)
    for (let card = 0; card < int(states.cards, row); card++)
      this.#free[card] = code(free, code(states.codes, from + card))
  }

  #freeOf(row: number): Int16Array {
    const { pools, states } = this.#ground
    return must(pools[int(states.pool, row)], 'a row has a pool').cards.free
  }

  /** Carries a change out on the cards that were read: each entry on the first card with its code. */
  #apply(row: number, change: Change): void {
    const { states } = this.#ground
    const free = this.#freeOf(row)
    const from = row * states.width
    let done = 0
    for (let entry = 0; entry < change.cards; entry++) {
      for (let card = 0; card < int(states.cards, row); card++) {
        if ((done & (1 << card)) !== 0 || code(states.codes, from + card) !== code(change.from, entry)) continue
        done |= 1 << card
        this.#free[card] = code(free, code(change.into, entry))
        break
      }
    }
  }

  /** The idle part of the cards that typical work cannot use, in thousandths of a card. */
  #fragment(row: number, cpu: number): number {
    const cards = int(this.#ground.states.cards, row)
    const pool = int(this.#ground.states.pool, row)
    let idle = 0
    for (let card = 0; card < cards; card++) idle += int(this.#free, card)
    let fragment = 0
    for (const { kind, milli, share } of this.#typical) {
      let fitting = 0
      let short = 0
      for (let card = 0; card < cards; card++) {
        const free = int(this.#free, card)
        if (free >= milli) fitting++
        else short += free
      }
      const isUseless = kind.count === 0 || kind.on[pool] === undefined || kind.cpu > cpu || fitting < kind.count
      fragment += share * (isUseless ? idle : short)
    }
    return fragment
  }
}

interface Typical {
  readonly kind: Kind
  readonly milli: number
  readonly share: number
}

/**
 * Memory is left out of what makes work alike, as in the publication. Which of equally frequent groups are still typical
 * is not published: the smaller first comes nearest to the published curves.
 */
function typicalOf(history: readonly Past[]): readonly Typical[] {
  const groups = new Map<string, { kind: Kind; milli: number; count: number }>()
  for (const { kind, count } of mixOf(history)) {
    const milli = milliOf(kind)
    const key = `${kind.cpu} ${milli} ${kind.count} ${kind.request.models?.join('|') ?? ''}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { kind, milli, count })
    else known.count += count
  }
  const byCount = [...groups.values()].sort(
    (one, two) => two.count - one.count || one.milli * one.kind.count - two.milli * two.kind.count,
  )
  const total = byCount.reduce((sum, { count }) => sum + count, 0)
  const typical: { kind: Kind; milli: number; count: number }[] = []
  let covered = 0
  for (const group of byCount) {
    if (covered >= TYPICAL * total) break
    typical.push(group)
    covered += group.count
  }
  return typical.map(({ kind, milli, count }) => ({ kind, milli, share: count / covered }))
}

function milliOf({ count, request: { part } }: Kind): number {
  if (count === 0) return 0
  return part.kind === 'share' ? part.milli : 1000
}
