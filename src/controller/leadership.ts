import type { NewEvent } from '../core/event/event.ts'
import { SKEW_MOST_MS } from '../core/life/call/pace.ts'
import type { Change } from '../core/life/change.ts'
import type { Workload } from '../core/life/workload.ts'
import type { Write } from '../ports/store.ts'
import type { KeeperDoors } from './doors.ts'
import type { Lanes } from './lanes.ts'
import type { Tuning } from './tuning.ts'

/** What a leader begins with. */
export interface TermSeat {
  readonly number: number
  /** On the steady clock. */
  readonly heldUntilMs: number
  readonly tuning: Tuning
  readonly lanes: Lanes
}

/**
 * The right to act, for one stretch of leading: until the lease runs out, another leader begins, or the store does not
 * answer. Then it is over, and nothing of it is used again.
 */
export class Leadership {
  readonly number: number
  readonly doors: KeeperDoors
  readonly tuning: Tuning
  readonly lanes: Lanes
  /** Resolves when it is over. */
  readonly ended: Promise<undefined>
  readonly #resolveEnd: (value: undefined) => void
  readonly #baseMs: number
  #heldUntilMs: number
  #overBecause: string | undefined
  #commits = 0
  #wake: (() => void) | undefined
  #isPoked = false

  constructor(doors: KeeperDoors, { number, heldUntilMs, tuning, lanes }: TermSeat) {
    this.doors = doors
    this.number = number
    this.tuning = tuning
    this.lanes = lanes
    this.#heldUntilMs = heldUntilMs
    this.#baseMs = doors.clock.nowMs() - doors.clock.tickMs()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.ended = promise
    this.#resolveEnd = resolve
  }

  /** Keeps the lease until it is over, and ends it in time where that fails. */
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

  /** Time that never jumps, in ms since 1970 as the machine's clock had it when the term began. */
  nowMs(): number {
    return Math.floor(this.#baseMs + this.doors.clock.tickMs())
  }

  /** Whether the lease is surely ours. Asked right before each call that changes anything outside. */
  holds(): boolean {
    return this.#overBecause === undefined && this.doors.clock.tickMs() < this.#heldUntilMs
  }

  end(why: string): void {
    if (this.#overBecause !== undefined) return
    this.#overBecause = why
    this.#resolveEnd(undefined)
    this.doors.log.info('leading no more', { term: this.number, why })
    this.poke()
  }

  /** There is something to do: whatever rests goes on. */
  poke(): void {
    this.#isPoked = true
    this.#wake?.()
  }

  /** Whether it was poked since that was last forgotten. */
  get isPoked(): boolean {
    return this.#isPoked
  }

  forgetPoke(): void {
    this.#isPoked = false
  }

  /** What a poke calls from now on; undefined: nothing. */
  onPoke(wake: (() => void) | undefined): void {
    this.#wake = wake
  }

  /**
   * Writes under this term. Whatever does not land ends the term: memory and store are no longer the same, and reading
   * again is cheaper than finding out where they differ.
   */
  async commit(writes: readonly Write[], events: readonly NewEvent[]): Promise<readonly number[] | undefined> {
    try {
      const committed = await this.doors.store.commit({ term: this.number, writes, events })
      if (this.isOver) return undefined
      if (committed.kind === 'done') {
        this.#commits++
        return committed.versions
      }
      this.end(
        committed.kind === 'fenced'
          ? 'another one leads'
          : `somebody else wrote ${committed.row.kind} ${committed.row.key}`,
      )
    } catch (error) {
      this.end(`the store did not answer: ${error instanceof Error ? error.message : String(error)}`)
    }
    return undefined
  }

  /** Events of a change, as they are stored. */
  eventsOf(workload: Workload, { events }: Pick<Change, 'events'>): readonly NewEvent[] {
    const atMs = this.doors.clock.nowMs()
    const { project, name } = workload
    return events.map(({ kind, facts }) => ({ atMs, project, subject: `workload/${name}`, kind, facts }))
  }

  /** Also ends a term whose store hangs. */
  async #expire(): Promise<void> {
    while (!this.isOver) {
      const leftMs = this.#heldUntilMs - this.doors.clock.tickMs()
      if (leftMs <= 0) return this.end('the lease ran out')
      await Promise.race([this.doors.timers.sleep(leftMs), this.ended])
    }
  }

  async #renew(signal: AbortSignal): Promise<void> {
    const { store, timers, clock, holder } = this.doors
    while (!this.isOver && !signal.aborted) {
      await timers.sleep(this.tuning.renewMs, signal)
      if (this.isOver || signal.aborted) return
      // All that was written down by the wrong clock is read again, and cut, by the right one.
      if (Math.abs(clock.nowMs() - this.nowMs()) > SKEW_MOST_MS) return this.end('the clock was set')
      const askedMs = clock.tickMs()
      // A renewal that fails is tried again until the lease has run out.
      const led = await store.lead(holder, this.tuning.leaseMs).catch(() => undefined)
      if (led === undefined) continue
      if (led.kind === 'leading' && led.term === this.number) this.#heldUntilMs = askedMs + this.tuning.leaseMs
      else this.end('another one leads')
    }
  }
}
