/** How many entries may wait to be taken before their sources have to wait. */
const ROOM = 64

/** Merges streams into one with bounded memory: a source waits until there is room. */
export class Funnel<T> {
  #entries: T[] = []
  #sources = 0
  #wake = Promise.withResolvers<void>()
  #room = Promise.withResolvers<void>()
  /** The error that ended a source early. */
  failure: unknown

  add(source: AsyncIterable<T>): void {
    this.#sources++
    void this.#drain(source)
  }

  /** How many sources have not ended. */
  get open(): number {
    return this.#sources
  }

  /** Whether there is nothing to take and nothing more will come. */
  get isDry(): boolean {
    return this.#sources === 0 && this.#entries.length === 0
  }

  take(): readonly T[] {
    const taken = this.#entries
    this.#entries = []
    this.#room.resolve()
    this.#room = Promise.withResolvers()
    return taken
  }

  /** Resolves when there is something to take, when a source has ended, or on a nudge. */
  async news(): Promise<void> {
    if (this.#entries.length > 0) return
    await this.#wake.promise
  }

  nudge(): void {
    this.#tell()
  }

  async #drain(source: AsyncIterable<T>): Promise<void> {
    try {
      for await (const entry of source) {
        this.#entries.push(entry)
        this.#tell()
        if (this.#entries.length >= ROOM) await this.#room.promise
      }
    } catch (error) {
      this.failure ??= error
    }
    this.#sources--
    this.#tell()
  }

  #tell(): void {
    this.#wake.resolve()
    this.#wake = Promise.withResolvers()
  }
}
