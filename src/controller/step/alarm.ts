/** Which workload to wake when: of several times, the earliest. A needless wake does no harm. */
export class Alarm {
  readonly #at = new Map<string, number>()
  #nextMs = Number.POSITIVE_INFINITY

  /** The earliest time; undefined: there is none. It may be too early, never too late. */
  get nextMs(): number | undefined {
    return this.#at.size === 0 ? undefined : this.#nextMs
  }

  set(key: string, atMs: number): void {
    this.#at.set(key, Math.min(atMs, this.#at.get(key) ?? Number.POSITIVE_INFINITY))
    this.#nextMs = Math.min(this.#nextMs, atMs)
  }

  /** Removes and returns all whose time has come. */
  due(nowMs: number): readonly string[] {
    if (nowMs < this.#nextMs) return []
    const due: string[] = []
    this.#nextMs = Number.POSITIVE_INFINITY
    for (const [key, atMs] of this.#at) {
      if (atMs <= nowMs) due.push(key)
      else this.#nextMs = Math.min(this.#nextMs, atMs)
    }
    for (const key of due) this.#at.delete(key)
    return due
  }
}
