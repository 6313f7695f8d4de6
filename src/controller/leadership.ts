import type { NewEvent } from '../core/event/event.ts'
import { SKEW_MOST_MS } from '../core/life/call/pace.ts'
import type { Write } from '../ports/store.ts'
import { ENOUGH } from '../ports/timers.ts'
import type { ControllerDeps } from './deps.ts'
import type { ProviderGates } from './provider-gates.ts'
import type { ControllerTuning } from './tuning.ts'

/** What a leader starts with. */
export interface LeadershipSeat {
  readonly number: number
  /** On the monotonic clock. */
  readonly heldUntilMs: number
  readonly tuning: ControllerTuning
  readonly gates: ProviderGates
}

/**
 * The right to act, for one term: until the lease expires, another leader begins, or the store does not answer. Then it is
 * over, and nothing of it is used again.
 */
export class Leadership {
  readonly number: number
  readonly deps: ControllerDeps
  readonly tuning: ControllerTuning
  readonly gates: ProviderGates
  readonly #over = new AbortController()
  readonly #baseMs: number
  #heldUntilMs: number
  #overBecause: string | undefined
  #commits = 0
  #wake: (() => void) | undefined
  #pokedMs: number | undefined

  constructor(deps: ControllerDeps, { number, heldUntilMs, tuning, gates }: LeadershipSeat) {
    this.deps = deps
    this.number = number
    this.tuning = tuning
    this.gates = gates
    this.#heldUntilMs = heldUntilMs
    this.#baseMs = deps.clock.nowMs() - deps.clock.tickMs()
  }

  /** Aborted when the leadership is over. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  /** Renews the lease until the leadership is over, and ends the leadership in time if that fails. */
  keep(signal: AbortSignal): void {
    void this.#renew(signal)
    void this.#expire()
  }

  get isOver(): boolean {
    return this.#overBecause !== undefined
  }

  get commits(): number {
    return this.#commits
  }

  /** Monotonic time, in ms since 1970 as the machine's clock had it when the term began. */
  nowMs(): number {
    return Math.floor(this.#baseMs + this.deps.clock.tickMs())
  }

  /** Whether the lease is certainly ours. Checked right before each call that changes anything outside. */
  holds(): boolean {
    return this.#overBecause === undefined && this.deps.clock.tickMs() < this.#heldUntilMs
  }

  end(why: string): void {
    if (this.#overBecause !== undefined) return
    this.#overBecause = why
    this.#over.abort(ENOUGH)
    this.deps.log.info('no longer leading', { term: this.number, why })
    this.poke()
  }

  /** There is something to do: the driver's rest ends. */
  poke(): void {
    this.#pokedMs ??= this.deps.clock.tickMs()
    this.#wake?.()
  }

  /** When it was first poked since this was last forgotten, on the monotonic clock. */
  get pokedMs(): number | undefined {
    return this.#pokedMs
  }

  forgetPoke(): void {
    this.#pokedMs = undefined
  }

  /** What a poke calls from now on; undefined: nothing. */
  onPoke(wake: (() => void) | undefined): void {
    this.#wake = wake
  }

  /**
   * Writes under this term. A write that does not land ends the term: memory and store differ, and reading everything again is
   * cheaper than finding out where.
   */
  async commit(writes: readonly Write[], events: readonly NewEvent[]): Promise<readonly number[] | undefined> {
    try {
      const committed = await this.deps.store.commit({ term: this.number, writes, events }, this.over)
      if (this.isOver) return undefined
      if (committed.kind === 'done') {
        this.#commits++
        return committed.versions
      }
      this.end(
        committed.kind === 'fenced'
          ? 'another process leads'
          : `another process wrote ${committed.row.kind} ${committed.row.key}`,
      )
    } catch (error) {
      this.end(`the store did not answer: ${error instanceof Error ? error.message : String(error)}`)
    }
    return undefined
  }

  /** Also ends a term whose store hangs. */
  async #expire(): Promise<void> {
    while (!this.isOver) {
      const leftMs = this.#heldUntilMs - this.deps.clock.tickMs()
      if (leftMs <= 0) return this.end('the lease expired')
      await this.deps.timers.sleep(leftMs, this.#over.signal)
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { store, timers, clock, holder } = this.deps
    while (!this.isOver && !signal.aborted) {
      await timers.sleep(this.tuning.renewMs, signal)
      if (this.isOver || signal.aborted) return
      // Times written by the wrong clock are read again, and corrected, by the right one.
      if (Math.abs(clock.nowMs() - this.nowMs()) > SKEW_MOST_MS) return this.end('the clock was set')
      const askedMs = clock.tickMs()
      // A failed renewal is tried again until the lease has expired.
      const led = await store.lead(holder, this.tuning.leaseMs, this.over).catch(() => undefined)
      if (led === undefined) continue
      if (led.kind === 'leading' && led.term === this.number) this.#heldUntilMs = askedMs + this.tuning.leaseMs
      else this.end('another process leads')
    }
  }
}
