import { must } from '../../base/assert.ts'
import type { Kind } from './kinds.ts'
import { mixOf } from './mix.ts'
import {
  RATING,
  type CardChange,
  type PackingInput,
  type MakePolicy,
  type PastRequests,
  type PackingPolicy,
  type Rated,
} from './policy.ts'
import { code, int, real } from './read.ts'

/** Kinds that make up this share of arrivals are the typical work. */
const TYPICAL = 0.95

/**
 * Fragmentation gradient descent (Weng et al., USENIX ATC 2023), as published: the place where the expected GPU fragment,
 * over the typical work, grows least. For comparison; our own policy is `stranding`.
 */
export const fgd: MakePolicy = (ground) => new Fgd(ground)

class Fgd implements PackingPolicy {
  readonly name = 'fgd'
  readonly goesByCardOrder = true
  readonly #ground: PackingInput
  readonly #typical: readonly Typical[]
  readonly #free: Int32Array
  readonly #sums = new Float64Array(WHYS)

  constructor(ground: PackingInput) {
    this.#ground = ground
    this.#typical = typicalOf(ground.history)
    this.#free = new Int32Array(ground.states.width)
  }

  settle(row: number): void {
    const { states } = this.#ground
    this.#read(row)
    states.worth[row] = this.#fragment(row, real(states.cpu, row))
  }

  rate(row: number, kind: Kind, change: CardChange): number {
    const { states } = this.#ground
    this.#read(row)
    this.#apply(row, change)
    const drop = real(states.worth, row) - this.#fragment(row, real(states.cpu, row) - kind.cpu)
    return Math.floor((1 / (1 + Math.exp(-drop / 1000))) * 100)
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

  /** Applies a change to the cards that were read: each entry to the first card with its code. */
  #apply(row: number, change: CardChange): void {
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

  /**
   * The idle part of the cards that typical work cannot use, in thousandths of a card. It is added up by cause and then in
   * total, as in the publication: scores are cut to whole numbers, so where a placement changes nothing, the last bit of
   * the sums decides.
   */
  #fragment(row: number, cpu: number): number {
    const cards = int(this.#ground.states.cards, row)
    const pool = int(this.#ground.states.pool, row)
    let idle = 0
    for (let card = 0; card < cards; card++) idle += int(this.#free, card)
    const sums = this.#sums.fill(0)
    for (const { kind, milli, share } of this.#typical) {
      let fitting = 0
      let short = 0
      for (let card = 0; card < cards; card++) {
        const free = int(this.#free, card)
        if (free >= milli) fitting++
        else short += free
      }
      const why = whyUseless(kind, { pool, cpu, fitting })
      const fits = why === LACKS_CARDS && fitting >= kind.count
      sums[why] = real(sums, why) + share * (fits ? short : idle)
    }
    let fragment = 0
    for (let why = 0; why < sums.length; why++) fragment += real(sums, why)
    return fragment
  }
}

/** Why work cannot use idle cards, in the order in which the publication adds them up. */
const LACKS_BOTH = 0
/** Also used for remainders that are too small where the work itself fits. */
const LACKS_CARDS = 1
const LACKS_CPU = 2
const WANTS_NO_CARD = 3
const WANTS_NO_CARD_LACKS_CPU = 4
const WANTS_OTHER_MODEL = 5
const WHYS = 6

function whyUseless(kind: Kind, { pool, cpu, fitting }: { pool: number; cpu: number; fitting: number }): number {
  const hasCpu = kind.cpu <= cpu
  if (kind.count === 0) return hasCpu ? WANTS_NO_CARD : WANTS_NO_CARD_LACKS_CPU
  if (kind.on[pool] === undefined) return WANTS_OTHER_MODEL
  if (fitting >= kind.count) return hasCpu ? LACKS_CARDS : LACKS_CPU
  return hasCpu ? LACKS_CARDS : LACKS_BOTH
}

interface Typical {
  readonly kind: Kind
  readonly milli: number
  readonly share: number
}

/**
 * Memory does not count for similarity, as in the publication. Of equally frequent groups, the larger is the more typical:
 * by CPU, then by share, then by cards, then by the names of the models.
 */
function typicalOf(history: readonly PastRequests[]): readonly Typical[] {
  const groups = new Map<string, { kind: Kind; milli: number; count: number }>()
  for (const { kind, count } of mixOf(history)) {
    const milli = milliOf(kind)
    const key = `${kind.cpu} ${milli} ${kind.count} ${kind.request.models?.join('|') ?? ''}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { kind, milli, count })
    else known.count += count
  }
  const byCount = [...groups.values()].sort((one, two) => two.count - one.count || compareSizes(two, one))
  const total = byCount.reduce((sum, { count }) => sum + count, 0)
  const typical: { kind: Kind; milli: number; count: number }[] = []
  let covered = 0
  for (const group of byCount) {
    if (covered >= TYPICAL * total) break
    typical.push(group)
    covered += group.count
  }
  return typical.map(({ kind, milli, count }) => ({ kind, milli, share: count / total / (covered / total) }))
}

function compareSizes(one: Omit<Typical, 'share'>, two: Omit<Typical, 'share'>): number {
  const [models, others] = [one, two].map(({ kind }) => kind.request.models?.join('|') ?? '')
  return (
    one.kind.cpu - two.kind.cpu ||
    one.milli - two.milli ||
    one.kind.count - two.kind.count ||
    Number((models ?? '') > (others ?? '')) - Number((models ?? '') < (others ?? ''))
  )
}

function milliOf({ count, request: { part } }: Kind): number {
  if (count === 0) return 0
  return part.kind === 'share' ? part.milli : 1000
}
