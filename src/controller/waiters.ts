/** How many of those who look in one pass are let through before other workloads look for room. */
const BEFORE_OTHERS = 64

/**
 * Workloads without room, and when they look again unless something changes before. They look in one pass, the oldest first,
 * and work that comes meanwhile looks after them.
 */
export class Waiters {
  readonly #untilMs = new Map<string, number>()
  /** The next common look. */
  #passMs = 0
  /** Those of the pass under way that have not looked yet. */
  readonly #passing = new Set<string>()
  readonly #others = new Set<string>()

  get isAny(): boolean {
    return this.#untilMs.size > 0
  }

  /** When it looks again; 0: it does not wait. */
  untilMs(key: string): number {
    return this.#untilMs.get(key) ?? 0
  }

  /** It looks again with all others, at the latest after `waitMs`. */
  wait(key: string, { nowMs, waitMs }: { readonly nowMs: number; readonly waitMs: number }): void {
    const untilMs = nowMs + waitMs
    this.#passMs = this.#passMs <= nowMs ? untilMs : Math.min(this.#passMs, untilMs)
    this.#untilMs.set(key, this.#passMs)
  }

  leave(key: string): void {
    this.#untilMs.delete(key)
  }

  /** When it is time for the common look. */
  get nextMs(): number {
    return this.isAny ? this.#passMs : Number.POSITIVE_INFINITY
  }

  /** Begins a pass: removes and returns at most `most`, in this order: the oldest first, as their uids grow with time. */
  take(most: number, orderOf: (key: string) => string): readonly string[] {
    const all = [...this.#untilMs.keys()].map((key) => ({ key, order: orderOf(key) }))
    all.sort((one, two) => (one.order < two.order ? -1 : 1))
    const taken = all.slice(0, most).map(({ key }) => key)
    for (const key of taken) this.#untilMs.delete(key)
    for (const key of taken.slice(0, BEFORE_OTHERS)) this.#passing.add(key)
    return taken
  }

  /** Whether a workload may look for room now; if not, `looked` names it later. */
  mayLook(key: string): boolean {
    if (this.#passing.size === 0 || this.#passing.has(key)) return true
    this.#others.add(key)
    return false
  }

  /** A workload has had its turn. Returns the workloads that may look now. */
  looked(key: string): readonly string[] {
    if (!this.#passing.delete(key) || this.#passing.size > 0) return []
    const others = [...this.#others]
    this.#others.clear()
    return others
  }
}
