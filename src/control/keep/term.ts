import type { NewEvent } from '../../core/keep/event.ts'
import { takenOver } from '../../core/keep/boot.ts'
import { isNothing, NOTHING, type Change, type Kept } from '../../core/keep/change.ts'
import { SKEW_MOST_MS } from '../../core/keep/pace.ts'
import type { Phase } from '../../core/keep/placement.ts'
import type { Moment } from '../../core/keep/settle.ts'
import type { WorkloadState } from '../../core/keep/view.ts'
import type { Write } from '../../ports/store.ts'
import type { Workload } from '../../core/keep/workload.ts'
import type { KeeperDoors } from './doors.ts'
import type { Lanes } from './lanes.ts'
import { Ledger } from './ledger.ts'
import { Market } from './market.ts'
import { ENOUGH, type Tuning } from './tuning.ts'
import { Watch } from './watch.ts'
import { Work } from './work.ts'

export interface TermSeat {
  readonly number: number
  /** On the steady clock. */
  readonly heldUntilMs: number
  readonly tuning: Tuning
  readonly lanes: Lanes
}

export interface TermCounts {
  readonly workloads: Readonly<Partial<Record<WorkloadState, number>>>
  readonly placements: Readonly<Partial<Record<Phase, number>>>
  readonly commits: number
  readonly reconciles: number
  readonly orphans: number
}

/**
 * One stretch of leading, from reading everything to the first sign that it may be over: the lease ran out, another term
 * began, or the store did not answer. Then nothing of it is used again.
 */
export class Term {
  readonly number: number
  readonly doors: KeeperDoors
  readonly tuning: Tuning
  readonly lanes: Lanes
  #heldUntilMs: number
  #overBecause: string | undefined
  #baseMs = 0
  #commits = 0
  #wake: (() => void) | undefined
  #isPoked = false
  #wakePull: (() => void) | undefined
  #isHinted = false
  #ledger: Ledger | undefined
  #market: Market | undefined
  #work: Work | undefined
  #watch: Watch | undefined
  readonly #ended: Promise<undefined>
  readonly #resolveEnd: (value: undefined) => void

  constructor(doors: KeeperDoors, { number, heldUntilMs, tuning, lanes }: TermSeat) {
    this.doors = doors
    this.number = number
    this.tuning = tuning
    this.lanes = lanes
    this.#heldUntilMs = heldUntilMs
    this.#baseMs = doors.clock.nowMs() - doors.clock.tickMs()
    const { promise, resolve } = Promise.withResolvers<undefined>()
    this.#ended = promise
    this.#resolveEnd = resolve
  }

  /** Ends when it is over; rejects when the store does. */
  async run(signal: AbortSignal): Promise<void> {
    void this.#renew(signal)
    void this.#expire()
    const ledger = await Promise.race([this.#load(), this.#ended])
    if (ledger === undefined) return
    this.#ledger = ledger
    const market = new Market(this, ledger)
    this.#market = market
    const work = new Work(this, { ledger, market })
    this.#work = work
    this.#watch = new Watch(this, { ledger, market, work })
    work.lookAtAll()
    void this.#pull(ledger, signal)
    void this.#forget(ledger, signal)
    while (this.holds() && !signal.aborted) {
      this.#watch.start()
      const nextMs = work.turn()
      await this.#rest(nextMs, signal)
    }
    this.end(signal.aborted ? 'stopped' : 'the lease ran out')
  }

  get isOver(): boolean {
    return this.#overBecause !== undefined
  }

  get reconciles(): number {
    return this.#work?.reconciles ?? 0
  }

  get counts(): TermCounts {
    const counted = this.#ledger?.counted() ?? { workloads: {}, placements: {} }
    const { reconciles } = this.#work ?? { reconciles: 0 }
    return { ...counted, reconciles, commits: this.#commits, orphans: this.#watch?.orphans ?? 0 }
  }

  offersOf(provider: string): number {
    return this.#market?.offersOf(provider) ?? 0
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

  poke(): void {
    this.#isPoked = true
    this.#wake?.()
  }

  /** Somebody else has just written something: it is read now instead of at the next look, unless many do so at once. */
  hint(): void {
    this.poke()
    if (this.doors.crowd?.isLarge === true) return
    this.#isHinted = true
    this.#wakePull?.()
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

  /** Everything is taken over by our own clock. */
  async #boot(ledger: Ledger): Promise<void> {
    const nowMs = this.nowMs()
    if ((await this.#write(ledger.recut(nowMs))) === undefined) return
    for (const key of ledger.keys) {
      const kept = ledger.kept(key)
      const chance = this.doors.random.next()
      const change = kept === undefined ? NOTHING : changeOf(kept, { nowMs, chance })
      if (isNothing(change)) continue
      const writes = ledger.write(key, change)
      const versions = await this.commit(writes, [])
      if (versions === undefined) return
      ledger.landed(key, writes, { kind: 'done', versions, seq: 0 })
    }
  }

  async #write(writes: readonly Write[]): Promise<readonly number[] | undefined> {
    return writes.length === 0 ? [] : this.commit(writes, [])
  }

  async #load(): Promise<Ledger> {
    const ledger = await Ledger.load(this.doors.store)
    for (const row of ledger.damaged) this.doors.log.error('a row makes no sense and is left out', { row })
    await this.#boot(ledger)
    return ledger
  }

  /** Also ends a term whose store hangs. */
  async #expire(): Promise<void> {
    while (!this.isOver) {
      const leftMs = this.#heldUntilMs - this.doors.clock.tickMs()
      if (leftMs <= 0) return this.end('the lease ran out')
      await Promise.race([this.doors.timers.sleep(leftMs), this.#ended])
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

  async #pull(ledger: Ledger, signal: AbortSignal): Promise<void> {
    const { store } = this.doors
    while (!this.isOver && !signal.aborted) {
      this.#isHinted = false
      try {
        const { keys, isRules } = await ledger.pull(store)
        if (this.isOver) return
        for (const key of keys) this.#work?.look(key)
        if (isRules) this.#work?.lookAtPending()
        if (keys.length > 0 || isRules) this.poke()
      } catch (error) {
        this.end(`the store did not answer: ${error instanceof Error ? error.message : String(error)}`)
        return
      }
      await this.#nap(this.#isHinted ? 0 : this.tuning.pullMs, signal, (wake) => (this.#wakePull = wake))
    }
  }

  /** Refusals that have had their time are not kept for ever. */
  async #forget(ledger: Ledger, signal: AbortSignal): Promise<void> {
    while (!this.isOver && !signal.aborted) {
      const writes = ledger.expired(this.nowMs())
      if (writes.length > 0) await this.commit(writes, [])
      await this.doors.timers.sleep(FORGET_MS, signal)
    }
  }

  /**
   * Until something is due or somebody pokes; never without letting everybody else run. A rest that follows a full turn is
   * not cut short: whoever pokes is one of those it is for.
   */
  async #rest(nextMs: number | undefined, signal: AbortSignal): Promise<void> {
    const untilMs = Math.min(nextMs ?? Number.POSITIVE_INFINITY, this.nowMs() + this.tuning.renewMs * 2)
    const leftMs = Math.max(0, untilMs - this.nowMs())
    const isPause = leftMs < SHORT_MS
    const waitMs = this.isOver || (this.#isPoked && !isPause) ? 0 : leftMs
    await this.#nap(waitMs, signal, (wake) => (this.#wake = isPause ? undefined : wake))
    this.#isPoked = false
  }

  /** Sleeps; whoever is given the way to end it may do so before. */
  async #nap(ms: number, signal: AbortSignal, hand: (wake: (() => void) | undefined) => void): Promise<void> {
    const nap = new AbortController()
    const wake = (): void => nap.abort(ENOUGH)
    hand(wake)
    signal.addEventListener('abort', wake, { once: true })
    await this.doors.timers.sleep(ms, nap.signal)
    signal.removeEventListener('abort', wake)
    hand(undefined)
  }
}

/** How often it is looked for what has had its time. */
const FORGET_MS = 300_000

/** What makes no sense is set aside when its turn comes. */
function changeOf(kept: Kept, moment: Moment): Change {
  try {
    return takenOver(kept, moment)
  } catch {
    return NOTHING
  }
}

/** Shorter rests are there for others. */
const SHORT_MS = 100
