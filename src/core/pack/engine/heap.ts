/** A queue of candidates, highest key first. Entries may be stale: callers check the top before they use it. */
export class Heap {
  readonly keys: number[] = []
  readonly cohorts: number[] = []
  readonly births: number[] = []

  get size(): number {
    return this.keys.length
  }

  push(key: number, cohort: number, birth: number): void {
    const { keys, cohorts, births } = this
    let at = keys.length
    keys.push(key)
    cohorts.push(cohort)
    births.push(birth)
    while (at > 0) {
      const above = (at - 1) >> 1
      const higher = keys[above] ?? 0
      if (higher >= key) break
      keys[at] = higher
      cohorts[at] = cohorts[above] ?? 0
      births[at] = births[above] ?? 0
      at = above
    }
    keys[at] = key
    cohorts[at] = cohort
    births[at] = birth
  }

  /** Replaces the top entry. */
  replaceTop(key: number, cohort: number, birth: number): void {
    const { keys, cohorts, births } = this
    const size = keys.length
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      let higher = keys[below] ?? 0
      const other = keys[below + 1] ?? Number.NEGATIVE_INFINITY
      if (below + 1 < size && other > higher) {
        below++
        higher = other
      }
      if (higher <= key) break
      keys[at] = higher
      cohorts[at] = cohorts[below] ?? 0
      births[at] = births[below] ?? 0
      at = below
    }
    keys[at] = key
    cohorts[at] = cohort
    births[at] = birth
  }

  dropTop(): void {
    const key = this.keys.pop() ?? 0
    const cohort = this.cohorts.pop() ?? 0
    const birth = this.births.pop() ?? 0
    if (this.keys.length > 0) this.replaceTop(key, cohort, birth)
  }

  clear(): void {
    this.keys.length = 0
    this.cohorts.length = 0
    this.births.length = 0
  }
}
