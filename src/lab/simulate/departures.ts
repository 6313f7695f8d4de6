import { must } from '../../core/base/assert.ts'

/** What leaves when: by time, and at the same time in the order in which it was added. */
export class Departures<T> {
  readonly #heap: Entry<T>[] = []
  #turn = 0

  /** When the next leaves; infinity: nobody does. */
  get nextS(): number {
    return this.#heap[0]?.atS ?? Number.POSITIVE_INFINITY
  }

  add(atS: number, what: T): void {
    const heap = this.#heap
    const entry = { atS, what, turn: this.#turn++ }
    let at = heap.length
    heap.push(entry)
    while (at > 0) {
      const above = (at - 1) >> 1
      const other = heap[above]
      if (other === undefined || isBefore(other, entry)) break
      heap[at] = other
      at = above
    }
    heap[at] = entry
  }

  /** The next that leaves; a bug when there is none. */
  take(): T {
    const heap = this.#heap
    const first = must(heap[0], 'somebody is leaving')
    const last = must(heap.pop(), 'somebody is leaving')
    if (heap.length === 0) return first.what
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      let other = heap[below]
      if (other === undefined) break
      const right = heap[below + 1]
      if (right !== undefined && isBefore(right, other)) {
        other = right
        below++
      }
      if (isBefore(last, other)) break
      heap[at] = other
      at = below
    }
    heap[at] = last
    return first.what
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
