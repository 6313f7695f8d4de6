import { cardWorth } from '../../core/pack/engine/card-prices.ts'
import type { Kind } from '../../core/pack/engine/kinds.ts'
import type { Packer, PackerOptions } from '../../core/pack/engine/packer.ts'
import type { Spot } from '../../core/fleet/fleet.ts'
import type { Filler } from './fill.ts'
import { milliOf } from '../../core/pack/optimal/milli.ts'

/** When work that fits is declined. */
export interface AdmissionRule {
  /** It strands at least this much, relative to its request. */
  readonly stranded: number
  /** And less than this share of all cards is free. */
  readonly room: number
}

/**
 * Tuned on eight shuffles of our own of each of five traces; results are reported on other orders. A larger share of room
 * declines more, and costs more before the fleet is full: docs/simulate.md shows the price next to the gain.
 */
const ADMISSION: AdmissionRule = { stranded: 0.15, room: 0.2 }

/** How strongly prices are pulled towards sizes where the demands leave a choice. */
const PULL = 0.4

/** Without a history, prices are learnt from arrivals: first after this many requests, then less and less often. */
const FIRST_LESSON = 32
const LESSON_GROWTH = 2

/**
 * A packer that may decline work that fits. What a size strands is its dual price less the size itself: a demand of 810
 * thousandths takes a card that hardly anything else will fit on, so it costs 1000. While room is short, work that strands
 * much is declined in favour of work that will fill what it takes.
 */
export class Admission implements Filler {
  readonly kinds: Packer['kinds']
  readonly #packer: Packer
  readonly #rule: AdmissionRule
  readonly #leastFreeMilli: number
  /** Requested cards, by thousandths of each. */
  readonly #asked = new Map<number, number>()
  readonly #isCold: boolean
  #freeMilli: number
  #declined = 0
  #seen = 0
  #nextLesson = FIRST_LESSON
  /** By kind; undefined: not judged yet. */
  #isWasteful: (boolean | undefined)[] = []
  #worth: Float64Array

  constructor(
    packer: Packer,
    given: Pick<PackerOptions, 'history'> & { readonly capacityMilli: number; readonly rule?: AdmissionRule },
  ) {
    const { history = [], capacityMilli, rule = ADMISSION } = given
    this.kinds = packer.kinds
    this.#packer = packer
    this.#rule = rule
    this.#leastFreeMilli = rule.room * capacityMilli
    this.#freeMilli = capacityMilli
    this.#isCold = history.length === 0
    for (const { request, count } of history) this.#ask(this.kinds.of(request), count)
    this.#worth = this.#learnt()
  }

  get declined(): number {
    return this.#declined
  }

  placeKind(kind: Kind): number {
    if (this.#isCold) this.#learn(kind)
    if (this.#freeMilli < this.#leastFreeMilli && (this.#isWasteful[kind.id] ??= this.#strandsMuch(kind))) {
      this.#declined++
      return -1
    }
    const node = this.#packer.placeKind(kind)
    if (node >= 0) this.#freeMilli -= milliOf(kind.request)
    return node
  }

  lastSpot(): Spot {
    return this.#packer.lastSpot()
  }

  #learn(kind: Kind): void {
    this.#ask(kind, 1)
    this.#seen++
    if (this.#seen < this.#nextLesson) return
    this.#nextLesson *= LESSON_GROWTH
    this.#worth = this.#learnt()
    this.#isWasteful = []
  }

  #ask(kind: Kind, count: number): void {
    const milli = partOf(kind)
    if (milli > 0) this.#asked.set(milli, (this.#asked.get(milli) ?? 0) + count * kind.count)
  }

  #learnt(): Float64Array {
    const demands = [...this.#asked].map(([milli, count]) => ({ milli, count }))
    return cardWorth(
      demands.sort((one, two) => two.milli - one.milli),
      PULL,
    )
  }

  #strandsMuch(kind: Kind): boolean {
    const milli = partOf(kind)
    if (milli === 0) return false
    return (1000 * (this.#worth[milli] ?? 0) - milli) / milli >= this.#rule.stranded
  }
}

/** Thousandths of each card; 0 for no card, and for slices, which have no price here. */
function partOf({ count, request: { part } }: Kind): number {
  if (count === 0 || part.kind === 'slice') return 0
  return part.kind === 'share' ? part.milli : 1000
}
