import type { Dice } from '../../core/base/dice.ts'
import type { Hint } from '../../ports/provider.ts'

/** Tells everybody who watches a simulated cloud that something may have changed. */
export class Hints {
  readonly #dice: Dice | undefined
  readonly #followers = new Set<() => void>()

  /** With dice, hints get lost, are sent for nothing, and streams break. */
  constructor(dice: Dice | undefined) {
    this.#dice = dice
  }

  tell(): void {
    if (this.#dice?.oneIn(4) === true) return
    for (const wake of this.#followers) wake()
  }

  async *follow(signal: AbortSignal): AsyncGenerator<Hint> {
    let count = 0
    let waiting = Promise.withResolvers<void>()
    const wake = (): void => {
      count++
      waiting.resolve()
    }
    this.#followers.add(wake)
    signal.addEventListener('abort', wake, { once: true })
    try {
      while (!signal.aborted) {
        if (count === 0) await waiting.promise
        if (signal.aborted) return
        // Hints that came meanwhile are one.
        count = 0
        waiting = Promise.withResolvers()
        if (this.#dice?.oneIn(8) === true) throw new Error('watch: connection reset')
        yield { what: this.#dice?.oneIn(3) === true ? 'offers' : 'instances' }
      }
    } finally {
      this.#followers.delete(wake)
      signal.removeEventListener('abort', wake)
    }
  }
}
