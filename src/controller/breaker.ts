import { doublingMs, type Backoff } from '../core/base/backoff.ts'

/** How a call may go: `probe` feels, alone, whether the other side is back. */
export type Passage = 'free' | 'probe'

/** Faults in a row after which the other side counts as down. */
const DOWN_AFTER = 3
const PAUSE: Backoff = { firstMs: 1000, mostMs: 30_000, surely: 0.5 }

/**
 * A circuit breaker: what fails again and again is left alone, for longer each time, and then felt for by one call after
 * the other until one is answered. It knows neither time nor chance: both are given, the time on a steady clock.
 */
export class Breaker {
  #faultsInARow = 0
  #pausedUntilMs = 0
  #isProbing = false

  get isDown(): boolean {
    return this.#faultsInARow >= DOWN_AFTER
  }

  /** Whether the answer of a probe has to be waited for. */
  get isProbing(): boolean {
    return this.isDown && this.#isProbing
  }

  /** How long nothing may be called. */
  pauseMs(nowMs: number): number {
    return Math.max(0, this.#pausedUntilMs - nowMs)
  }

  /** A call goes. `leave` is told when it has ended. */
  enter(): Passage {
    this.#isProbing = this.isDown
    return this.isDown ? 'probe' : 'free'
  }

  leave(way: Passage): void {
    if (way === 'probe') this.#isProbing = false
  }

  answered(): void {
    this.#faultsInARow = 0
  }

  /** The other side asks to be left alone, and is not down for that. */
  rest(untilMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs)
  }

  failed(nowMs: number, chance: () => number): void {
    this.#faultsInARow++
    if (this.isDown) this.rest(nowMs + doublingMs(PAUSE, this.#faultsInARow - DOWN_AFTER, chance()))
  }
}
