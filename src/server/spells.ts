import { nextTurn } from '../ports/turn.ts'

/**
 * Lets streams that always have more to send take turns: one in each turn of the thread, however many there are. Other
 * work waits for at most one of them.
 */
export class Spells {
  readonly #waiting: (() => void)[] = []
  #isServing = false

  /** Resolves when it is the caller's turn, after all that waited before. */
  readonly rest = (): Promise<void> =>
    new Promise((resolve) => {
      this.#waiting.push(resolve)
      if (!this.#isServing) void this.#serve()
    })

  async #serve(): Promise<void> {
    this.#isServing = true
    while (this.#waiting.length > 0) {
      await nextTurn()
      this.#waiting.shift()?.()
    }
    this.#isServing = false
  }
}
