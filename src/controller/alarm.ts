/** Who wants to be woken when: of several times the earliest. Waking somebody for nothing does no harm. */
export class Alarm {
  readonly #at = new Map<string, number>()
  #nextMs = Number.POSITIVE_INFINITY

  /** The earliest; undefined: nobody waits. It may be earlier than anybody's, never later. */
  get nextMs(): number | undefined {
    return this.#at.size === 0 ? undefined : this.#nextMs
  }

  set(key: string, atMs: number): void {
    this.#at.set(key, Math.min(atMs, this.#at.get(key) ?? Number.POSITIVE_INFINITY))
    this.#nextMs = Math.min(this.#nextMs, atMs)
  }

  /** Takes out everybody whose time has come. */
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
