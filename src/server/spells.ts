/**
 * Streams that always have more, one after the other: one in each turn of the thread, however many there are. Everybody
 * else waits for one of them at most.
 */
export class Spells {
  readonly #waiting: (() => void)[] = []
  #isServing = false

  /** Ends when it is this one's turn, after all that waited before it. */
  readonly rest = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (!this.#isServing) void this.#serve()
    })

  async #serve(): Promise<void> {
    this.#isServing = true
    while (this.#waiting.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      this.#waiting.shift()?.()
    }
    this.#isServing = false
  }
}
