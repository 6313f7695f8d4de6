import { must } from '../../core/base/assert.ts'
import { PriorityQueue } from '../../core/base/priority-queue.ts'

/** What leaves when: by time; at the same time, in the order in which it was added. */
export class Departures<T> {
  readonly #queue = new PriorityQueue<Entry<T>>(isBefore)
  #turn = 0

  /** When the next one leaves; infinity: none does. */
  get nextS(): number {
    return this.#queue.top?.atS ?? Number.POSITIVE_INFINITY
  }

  add(atS: number, what: T): void {
    this.#queue.push({ atS, what, turn: this.#turn++ })
  }

  /** The next one that leaves; a bug if there is none. */
  take(): T {
    return must(this.#queue.pop(), 'there is a next departure').what
  }
}

interface Entry<T> {
  readonly atS: number
  readonly what: T
  readonly turn: number
}

function isBefore(one: Entry<unknown>, two: Entry<unknown>): boolean {
  return one.atS < two.atS || (one.atS === two.atS && one.turn < two.turn)
}
