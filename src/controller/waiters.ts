/** Workloads without room, and when each looks again unless something changes before. */
export class Waiters {
  readonly #untilMs = new Map<string, number>()

  get isAny(): boolean {
    return this.#untilMs.size > 0
  }

  /** When it looks again; 0: it does not wait. */
  untilMs(key: string): number {
    return this.#untilMs.get(key) ?? 0
  }

  wait(key: string, untilMs: number): void {
    this.#untilMs.set(key, untilMs)
  }

  leave(key: string): void {
    this.#untilMs.delete(key)
  }

  /** Removes and returns at most `most`, oldest first (by uid, which grows with time). */
  take(most: number, uidOf: (key: string) => string): readonly string[] {
    const all = [...this.#untilMs.keys()].map((key) => ({ key, uid: uidOf(key) }))
    all.sort((one, two) => (one.uid < two.uid ? -1 : 1))
    const taken = all.slice(0, most).map(({ key }) => key)
    for (const key of taken) this.#untilMs.delete(key)
    return taken
  }
}
