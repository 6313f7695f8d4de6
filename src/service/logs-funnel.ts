/** Entries that wait to be taken before their sources are made to wait. */
const ROOM = 64

/** Many streams into one, none of which can fill the memory: each waits until there is room. */
export class Funnel<T> {
  #entries: T[] = []
  #sources = 0
  #wake = Promise.withResolvers<void>()
  #room = Promise.withResolvers<void>()
  /** What ended a source early. */
  failure: unknown

  add(source: AsyncIterable<T>): void {
    this.#sources++
    void this.#drain(source)
  }

  /** Sources that have not ended. */
  get open(): number {
    return this.#sources
  }

  /** Whether nothing is there and nothing more will come. */
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

  /** Ends when there is something to take, a source has ended, or on a nudge. */
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
