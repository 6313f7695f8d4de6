/** A queue that yields the first entry by an order. A total order makes the result unique. */
export class PriorityQueue<T> {
  readonly #entries: T[] = []
  readonly #isBefore: (one: T, two: T) => boolean

  constructor(isBefore: (one: T, two: T) => boolean) {
    this.#isBefore = isBefore
  }

  get size(): number {
    return this.#entries.length
  }

  /** Returns the first entry and keeps it. */
  get top(): T | undefined {
    return this.#entries[0]
  }

  push(entry: T): void {
    const entries = this.#entries
    let at = entries.length
    entries.push(entry)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = entries[above]
      if (parent === undefined || !this.#isBefore(entry, parent)) break
      entries[at] = parent
      at = above
    }
    entries[at] = entry
  }

  /** Returns the first entry and removes it. */
  pop(): T | undefined {
    const entries = this.#entries
    const first = entries[0]
    const last = entries.pop()
    if (last === undefined || entries.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      let child = entries[below]
      if (child === undefined) break
      const right = entries[below + 1]
      if (right !== undefined && this.#isBefore(right, child)) {
        child = right
        below++
      }
      if (!this.#isBefore(child, last)) break
      entries[at] = child
      at = below
    }
    entries[at] = last
    return first
  }
}
