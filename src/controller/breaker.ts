import { doublingMs, type Backoff } from '../core/base/backoff.ts'

/** How a call may go: `probe` is a single call that tests whether the other side is back. */
export type Passage = 'free' | 'probe'

/** Consecutive faults after which the other side counts as down. */
const DOWN_AFTER = 3
/** A call that failed only after so long counts as two: three in a row would take minutes, and work waits to be placed elsewhere. */
const LONG_MS = 10_000
const PAUSE: Backoff = { firstMs: 1000, mostMs: 30_000, surely: 0.5 }

/**
 * A circuit breaker: a provider that keeps failing is left alone, longer each time, and then probed with one call at a time
 * until one is answered. It reads neither clock nor chance: both are passed in; the time is monotonic.
 */
export class Breaker {
  #faultsInARow = 0
  #pausedUntilMs = 0
  #isProbing = false

  get isDown(): boolean {
    return this.#faultsInARow >= DOWN_AFTER
  }

  /** Whether a probe is under way and its answer has to be awaited. */
  get isProbing(): boolean {
    return this.isDown && this.#isProbing
  }

  /** How long no call may be made. */
  pauseMs(nowMs: number): number {
    return Math.max(0, this.#pausedUntilMs - nowMs)
  }

  /** A call starts. `leave` must be called when it has ended. */
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

  /** The other side asks for a pause; that does not count as down. */
  rest(untilMs: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs)
  }

  failed(nowMs: number, chance: () => number, tookMs = 0): void {
    this.#faultsInARow += tookMs >= LONG_MS ? 2 : 1
    if (this.isDown) this.rest(nowMs + doublingMs(PAUSE, this.#faultsInARow - DOWN_AFTER, chance()))
  }
}
