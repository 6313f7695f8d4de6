import { takenOver } from '../core/life/boot.ts'
import { isNothing, NOTHING, type Change, type WorkloadRecord } from '../core/life/change.ts'
import type { Moment } from '../core/life/settle.ts'
import { LATE, unless } from '../ports/deadline.ts'
import type { Write } from '../ports/store.ts'
import { ENOUGH } from '../ports/timers.ts'
import type { ControllerCounts } from './counts.ts'
import type { Leadership } from './leadership.ts'
import { Ledger } from './ledger.ts'
import { Capacity } from './capacity.ts'
import { Watcher } from './watcher.ts'
import { Reconciler } from './reconciler.ts'

/** Runs one leadership: reads everything, then takes turns until it is over. */
export class Driver {
  readonly #leadership: Leadership
  #wakePull: (() => void) | undefined
  #isHinted = false
  #ledger: Ledger | undefined
  #capacity: Capacity | undefined
  #work: Reconciler | undefined
  #watch: Watcher | undefined

  constructor(leadership: Leadership) {
    this.#leadership = leadership
  }

  /** Ends when the leadership is over; rejects if the store fails. */
  async run(signal: AbortSignal): Promise<void> {
    const leadership = this.#leadership
    leadership.keep(signal)
    const ledger = await unless(leadership.over, this.#load())
    if (ledger === LATE) return
    this.#ledger = ledger
    const capacity = new Capacity(leadership, ledger)
    this.#capacity = capacity
    const work = new Reconciler(leadership, { ledger, capacity })
    this.#work = work
    this.#watch = new Watcher(leadership, { ledger, capacity, work })
    work.lookAtAll()
    void this.#pull(ledger, signal)
    void this.#forget(ledger, signal)
    while (leadership.holds() && !signal.aborted) {
      this.#watch.start()
      const nextMs = work.turn()
      await this.#rest(nextMs, signal)
    }
    leadership.end(signal.aborted ? 'stopped' : 'the lease expired')
  }

  get reconciles(): number {
    return this.#work?.reconciles ?? 0
  }

  get counts(): ControllerCounts {
    const counted = this.#ledger?.counted() ?? { workloads: {}, placements: {} }
    const { commits } = this.#leadership
    return { ...counted, reconciles: this.reconciles, commits, orphans: this.#watch?.orphans ?? 0 }
  }

  offersOf(provider: string): number {
    return this.#capacity?.offersOf(provider) ?? 0
  }

  /**
   * Another process has just written something: it is read now instead of at the next look, unless there are many hints at
   * once.
   */
  hint(): void {
    this.#leadership.poke()
    if (this.#leadership.deps.pressure?.isLarge === true) return
    this.#isHinted = true
    this.#wakePull?.()
  }

  /** Takes over everything by our own clock. */
  async #boot(ledger: Ledger): Promise<void> {
    const nowMs = this.#leadership.nowMs()
    if ((await this.#write(ledger.recut(nowMs))) === undefined) return
    for (const key of ledger.keys) {
      const record = ledger.record(key)
      const chance = this.#leadership.deps.random.next()
      const change = record === undefined ? NOTHING : changeOf(record, { nowMs, chance })
      if (isNothing(change)) continue
      const writes = ledger.write(key, change)
      const versions = await this.#leadership.commit(writes, [])
      if (versions === undefined) return
      ledger.landed(key, writes, { kind: 'done', versions, seq: 0 })
    }
  }

  async #write(writes: readonly Write[]): Promise<readonly number[] | undefined> {
    return writes.length === 0 ? [] : this.#leadership.commit(writes, [])
  }

  async #load(): Promise<Ledger> {
    const ledger = await Ledger.load(this.#leadership.deps.store)
    for (const row of ledger.damaged) this.#leadership.deps.log.error('a row is invalid and is ignored', { row })
    await this.#boot(ledger)
    return ledger
  }

  async #pull(ledger: Ledger, signal: AbortSignal): Promise<void> {
    const { store } = this.#leadership.deps
    while (!this.#leadership.isOver && !signal.aborted) {
      this.#isHinted = false
      try {
        const { keys, isRules, supplied } = await ledger.pull(store)
        if (this.#leadership.isOver) return
        for (const key of keys) this.#work?.look(key)
        for (const key of supplied) this.#work?.tryNow(key)
        if (isRules) this.#work?.lookAtPending()
        if (keys.length + supplied.length > 0 || isRules) this.#leadership.poke()
      } catch (error) {
        this.#leadership.end(`the store did not answer: ${error instanceof Error ? error.message : String(error)}`)
        return
      }
      await this.#nap(this.#isHinted ? 0 : this.#leadership.tuning.pullMs, signal, (wake) => (this.#wakePull = wake))
    }
  }

  /** Expired refusals are not kept for ever. */
  async #forget(ledger: Ledger, signal: AbortSignal): Promise<void> {
    while (!this.#leadership.isOver && !signal.aborted) {
      const writes = ledger.expired(this.#leadership.nowMs())
      if (writes.length > 0) await this.#leadership.commit(writes, [])
      await this.#leadership.deps.timers.sleep(FORGET_MS, signal)
    }
  }

  /**
   * Until something is due or a poke arrives; never without letting other tasks run. A rest that follows a full turn is not cut
   * short: the request that pokes is one of those that the rest is for.
   */
  async #rest(nextMs: number | undefined, signal: AbortSignal): Promise<void> {
    const leadership = this.#leadership
    const untilMs = Math.min(nextMs ?? Number.POSITIVE_INFINITY, leadership.nowMs() + leadership.tuning.renewMs * 2)
    const leftMs = Math.max(0, untilMs - leadership.nowMs())
    const isPause = leftMs < SHORT_MS
    const waitMs = leadership.isOver || (leadership.isPoked && !isPause) ? 0 : leftMs
    await this.#nap(waitMs, signal, (wake) => leadership.onPoke(isPause ? undefined : wake))
    leadership.forgetPoke()
  }

  /** Sleeps. `hand` gets a function that ends the sleep early. */
  async #nap(ms: number, signal: AbortSignal, hand: (wake: (() => void) | undefined) => void): Promise<void> {
    const nap = new AbortController()
    const wake = (): void => nap.abort(ENOUGH)
    hand(wake)
    signal.addEventListener('abort', wake, { once: true })
    await this.#leadership.deps.timers.sleep(ms, nap.signal)
    signal.removeEventListener('abort', wake)
    hand(undefined)
  }
}

/** How often expired refusals are deleted. */
const FORGET_MS = 300_000

/** An invalid workload is set aside when its turn comes. */
function changeOf(record: WorkloadRecord, moment: Moment): Change {
  try {
    return takenOver(record, moment)
  } catch {
    return NOTHING
  }
}

/** Shorter rests exist for the sake of other tasks. */
const SHORT_MS = 100
