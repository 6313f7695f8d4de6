/** Which workloads are to be looked at, in which order. One that is being written waits until that has landed. */
export class Agenda {
  /** What a user has just requested comes before everything else. */
  readonly #urgent = new Set<string>()
  readonly #usual = new Set<string>()
  /** Their turn came while they were being written. */
  readonly #held = new Map<string, 'urgent' | 'usual'>()

  /** Whether any waits for a look now. */
  get isAny(): boolean {
    return this.#urgent.size + this.#usual.size > 0
  }

  add(key: string, how: 'urgent' | 'usual' = 'usual'): void {
    if (how === 'urgent') this.#urgent.add(key)
    else this.#usual.add(key)
  }

  /** Removes and returns the next one. */
  next(isWriting: (key: string) => boolean): string | undefined {
    for (const keys of [this.#urgent, this.#usual]) {
      for (const key of keys) {
        keys.delete(key)
        if (!isWriting(key)) return key
        if (this.#held.get(key) !== 'urgent') this.#held.set(key, keys === this.#urgent ? 'urgent' : 'usual')
      }
    }
    return undefined
  }

  /** It has been written, and is looked at again. */
  release(key: string): void {
    this.add(key, this.#held.get(key))
    this.#held.delete(key)
  }
}
