/** Something that will happen. It can be called off, and then it does not count. */
export interface Happening {
  readonly atMs: number
  /** Decides between two that fall on the same moment. */
  readonly tie: number
  run: (() => void) | undefined
}

/** What will happen, the soonest first. */
export class EventHeap {
  readonly #items: Happening[] = []

  get size(): number {
    return this.#items.length
  }

  top(): Happening | undefined {
    return this.#items[0]
  }

  push(item: Happening): void {
    const items = this.#items
    let at = items.length
    items.push(item)
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = items[above]
      if (parent === undefined || !isBefore(item, parent)) break
      items[at] = parent
      at = above
    }
    items[at] = item
  }

  pop(): Happening | undefined {
    const items = this.#items
    const first = items[0]
    const last = items.pop()
    if (first === undefined || last === undefined || items.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      const left = items[below]
      if (left === undefined) break
      const right = items[below + 1]
      let child = left
      if (right !== undefined && isBefore(right, left)) {
        below++
        child = right
      }
      if (!isBefore(child, last)) break
      items[at] = child
      at = below
    }
    items[at] = last
    return first
  }
}

function isBefore(one: Happening, two: Happening): boolean {
  return one.atMs < two.atMs || (one.atMs === two.atMs && one.tie < two.tie)
}
