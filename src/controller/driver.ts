import { LATE, unless } from '../ports/deadline.ts'
import { ENOUGH } from '../ports/timers.ts'
import { answerAsk } from './asks.ts'
import { Caller } from './calls.ts'
import type { ControllerCounts } from './counts.ts'
import { HintReader } from './hints.ts'
import type { Leadership } from './leadership.ts'
import { PlatformWatch } from './platform-facts.ts'
import { isNews, newsIn, rowsIn } from './rows.ts'
import type { Begin, Learnt, PlatformFacts, StepEvent, StepResult, StepTime } from './step/event.ts'
import { beginLine, stepLine } from './step/recording.ts'
import { threw } from './step/replay.ts'
import { newState, type ControllerState } from './step/state.ts'
import { step } from './step/step.ts'
import { isLaunchWanted, isPlaceWanted } from './step/wanted.ts'

/** How long other tasks wait at most while workloads are looked at: requests, renewals of the lease, answers. */
const TURN_MS = 4
/** The same while many requests wait for an answer. */
const TURN_LOADED_MS = 2
/** Under load, other tasks get this many times as long as a turn took: accepting work comes before placing it. */
const REST_TIMES = 20
/** And no longer than this: with the longest turn of the thread, the controller is late by less than 50 ms. */
const REST_MOST_MS = 12

/**
 * Drives `step` for one leadership: tells it what happened, one event after the other, and does what it says. It decides
 * nothing itself.
 */
export class Driver {
  readonly #leadership: Leadership
  readonly #caller: Caller
  readonly #state: ControllerState
  readonly #platform: PlatformWatch
  readonly #hints: HintReader
  #wakePull: (() => void) | undefined
  #isHinted = false
  #since = 0
  /** Until when it rests, whether the last turn left something for the next one, and whether the rest is for the sake of others. */
  #restUntilMs = 0
  #isMore = false
  #isPause = false

  constructor(leadership: Leadership) {
    const { deps, gates, number, tuning } = leadership
    const { random, owner } = deps
    this.#leadership = leadership
    const { unclearPollMs } = tuning
    const chance = { seed: random.next(), name: random.id() }
    const begin: Begin = { kind: 'begin', ...this.#time(), term: number, owner, ...chance, unclearPollMs }
    deps.record?.(beginLine(begin))
    this.#state = newState(begin)
    this.#caller = new Caller(leadership, {
      isLaunchWanted: (tag) => isLaunchWanted(this.#state, tag),
      isPlaceWanted: (tag) => isPlaceWanted(this.#state, tag),
    })
    this.#platform = new PlatformWatch(gates)
    this.#hints = new HintReader(leadership, (provider, { what }) => this.#happened({ kind: 'hinted', provider, what }))
  }

  /** Ends when the leadership is over; rejects if the store fails. */
  async run(signal: AbortSignal): Promise<void> {
    const leadership = this.#leadership
    leadership.keep(signal)
    if ((await unless(leadership.over, this.#load())) === LATE) return
    let isPulling = false
    while (leadership.holds() && !signal.aborted) {
      const nextMs = this.#turn()
      if (!isPulling && this.#state.readyMs !== undefined) {
        isPulling = true
        void this.#pull(signal)
      }
      await this.#rest(nextMs, signal)
    }
    leadership.end(signal.aborted ? 'stopped' : 'the lease expired')
  }

  get reconciles(): number {
    return this.#state.reconciles
  }

  get counts(): ControllerCounts {
    const { ledger, reconciles, orphans } = this.#state
    return { ...ledger.counted(), reconciles, commits: this.#leadership.commits, orphans }
  }

  /** What each provider said when it was last read. */
  get told(): ControllerState['capacity']['told'] {
    return this.#state.capacity.told
  }

  offersOf(provider: string): number {
    return this.#state.capacity.offersOf(provider)
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

  async #load(): Promise<void> {
    const { store } = this.#leadership.deps
    // Read before the rows: what is written meanwhile is seen twice, and nothing is missed.
    this.#since = await store.head(this.#leadership.over)
    for await (const rows of rowsIn(store, this.#leadership.over)) {
      if (this.#leadership.isOver) return
      this.#tell({ kind: 'rows', rows })
    }
    if (!this.#leadership.isOver) this.#tell({ kind: 'loaded' })
  }

  /** Tells the step what happened, and begins what follows from it. */
  #tell(learnt: Learnt): StepResult {
    const result = this.#step({ ...learnt, ...this.#time() })
    this.#begin(result)
    return result
  }

  #step(event: StepEvent): StepResult {
    const { record } = this.#leadership.deps
    if (record === undefined) return step(this.#state, event)
    try {
      const result = step(this.#state, event)
      record(stepLine(event, result))
      return result
    } catch (error) {
      record(stepLine(event, threw(error)))
      throw error
    }
  }

  /** Something happened between two turns. After the end of the leadership it no longer counts. */
  #happened(learnt: Learnt): void {
    if (this.#leadership.isOver) return
    try {
      const { isMore, wakeMs } = this.#tell(learnt)
      if (isMore || wakeMs < this.#restUntilMs) this.#leadership.poke()
    } catch (error) {
      // A bug: memory may be inconsistent, so everything is read again.
      this.#leadership.end(`it could not go on: ${messageOf(error)}`)
    }
  }

  #begin({ commits, calls, asks, logs }: StepResult): void {
    const { log } = this.#leadership.deps
    for (const { level, text, facts } of logs) log[level](text, facts)
    for (const { id, writes, events } of commits) {
      void this.#leadership.commit(writes, events).then((versions) => {
        if (versions !== undefined) this.#happened({ kind: 'landed', commit: id, versions })
      })
    }
    for (const call of calls) {
      void this.#caller.answerOf(call).then((answer) => this.#happened({ kind: 'answered', call: call.id, answer }))
    }
    for (const ask of asks) {
      void answerAsk(this.#leadership, ask).then((found) => this.#happened({ kind: 'found', ask: ask.id, found }))
    }
  }

  /** Does what is due and looks at workloads that need it. Returns when to come again, if nothing happens before. */
  #turn(): number {
    const { clock, pressure, platform } = this.#leadership.deps
    const news = this.#platform.news(platform())
    if (news !== undefined) this.#platformChanged(news)
    let { isMore, wakeMs } = this.#tell({ kind: 'time' })
    const startMs = clock.tickMs()
    let looks = 0
    while (isMore) {
      // One workload may have ten thousand slots: the clock is checked after each.
      const tookMs = looks++ === 0 ? 0 : clock.tickMs() - startMs
      if (tookMs >= (pressure?.isLarge === true ? TURN_LOADED_MS : TURN_MS)) {
        this.#isMore = true
        return this.#pause(tookMs)
      }
      ;({ isMore, wakeMs } = this.#look())
    }
    this.#isMore = false
    this.#isPause = false
    return looks === 0 || pressure?.isLarge !== true ? wakeMs : this.#pause(clock.tickMs() - startMs)
  }

  #platformChanged(platform: PlatformFacts): void {
    this.#tell({ kind: 'platform', platform })
    const { providers } = this.#leadership.deps.platform()
    this.#hints.follow([...providers.values()].map(({ provider }) => provider))
  }

  #look(): StepResult {
    const { clock, decided } = this.#leadership.deps
    if (decided === undefined) return this.#tell({ kind: 'look' })
    const { decisions } = this.#state
    const beganMs = clock.tickMs()
    const result = this.#tell({ kind: 'look' })
    if (this.#state.decisions > decisions) decided(clock.tickMs() - beganMs)
    return result
  }

  /** When to go on after a turn that others waited for. */
  #pause(tookMs: number): number {
    const { deps } = this.#leadership
    this.#isPause = true
    const restMs = Math.min(REST_MOST_MS, Math.max(tookMs, TURN_LOADED_MS) * REST_TIMES)
    return this.#leadership.nowMs() + (deps.pressure?.isLarge === true ? restMs : 0)
  }

  async #pull(signal: AbortSignal): Promise<void> {
    const { store } = this.#leadership.deps
    while (!this.#leadership.isOver && !signal.aborted) {
      this.#isHinted = false
      let isAll = true
      try {
        const read = await newsIn(store, this.#since, this.#leadership.over)
        this.#since = read.since
        isAll = read.isAll
        if (isNews(read.news)) this.#happened({ kind: 'changes', ...read.news })
      } catch (error) {
        return this.#leadership.end(`the store did not answer: ${messageOf(error)}`)
      }
      if (!isAll) continue
      await this.#nap(this.#isHinted ? 0 : this.#leadership.tuning.pullMs, signal, (wake) => (this.#wakePull = wake))
    }
  }

  /**
   * Until something is due or a poke arrives; never without letting other tasks run. A pause is not cut short: the request that
   * pokes is one of those that it is for.
   */
  async #rest(nextMs: number, signal: AbortSignal): Promise<void> {
    const leadership = this.#leadership
    const nowMs = leadership.nowMs()
    const { clock, turned } = leadership.deps
    const beganMs = clock.tickMs()
    this.#restUntilMs = Math.min(nextMs, nowMs + leadership.tuning.renewMs * 2)
    const leftMs = Math.max(0, this.#restUntilMs - nowMs)
    const isPause = this.#isPause
    const waitMs = leadership.isOver || (leadership.pokedMs !== undefined && !isPause) ? 0 : leftMs
    await this.#nap(waitMs, signal, (wake) => leadership.onPoke(isPause ? undefined : wake))
    if (turned !== undefined) {
      const dueMs = this.#isMore ? beganMs : beganMs + leftMs
      turned(Math.max(0, clock.tickMs() - Math.min(dueMs, leadership.pokedMs ?? dueMs)))
    }
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

  #time(): StepTime {
    return { nowMs: this.#leadership.nowMs(), wallMs: this.#leadership.deps.clock.nowMs() }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
