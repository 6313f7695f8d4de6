import type { Fault } from '../../core/keep/fault.ts'
import { readFault } from '../../core/keep/check-reply.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Answer, Call, Provider } from '../../ports/provider.ts'
import type { Random } from '../../ports/random.ts'
import type { Timers } from '../../ports/timers.ts'
import { ENOUGH } from './tuning.ts'

export interface LaneDoors {
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
}

/** One call to be made. */
export interface LaneCall<T> {
  readonly what: 'offers' | 'launch' | 'describe' | 'list' | 'stop'
  /** Asked right before the call, after all waiting: false, and it is not made. */
  readonly mayCall: () => boolean
  readonly run: (call: Call) => Promise<Answer<T>>
  /** Reads a reply into something valid; undefined: it cannot be read. */
  readonly read: (value: unknown) => T | undefined
}

/** What can be told of a lane from outside. */
export interface LaneState {
  readonly isDown: boolean
  readonly lastAnswerMs: number | undefined
  readonly lastFault: Fault | undefined
  /** Since the process began, by what was asked. */
  readonly counts: readonly {
    readonly what: LaneCall<unknown>['what']
    readonly calls: number
    readonly faults: number
  }[]
}

/** Faults in a row after which a provider counts as down: then one call at a time feels whether it is back. */
const DOWN_AFTER = 3
const PAUSE_MAX_MS = 30_000
/** How often a call looks whether the way is free again. */
const LOOK_MS = 1000

/**
 * The one way to a provider: its rate limit, its deadline and its retry budget are kept here. Every call ends, with an
 * answer or with a fault; nothing is ever thrown. Undefined: it was not made.
 */
export class Lane {
  readonly provider: Provider
  readonly #doors: LaneDoors
  /** When the bucket would be full again. */
  #fullMs = 0
  #pausedUntilMs = 0
  #faultsInARow = 0
  #isProbing = false
  #lastAnswerMs: number | undefined
  #lastFault: Fault | undefined
  readonly #counts = new Map<LaneCall<unknown>['what'], { calls: number; faults: number }>()

  constructor(provider: Provider, doors: LaneDoors) {
    this.provider = provider
    this.#doors = doors
  }

  get state(): LaneState {
    const counts = [...this.#counts].map(([what, count]) => ({ what, ...count }))
    return { isDown: this.isDown, lastAnswerMs: this.#lastAnswerMs, lastFault: this.#lastFault, counts }
  }

  get isDown(): boolean {
    return this.#faultsInARow >= DOWN_AFTER
  }

  async call<T>(call: LaneCall<T>): Promise<Answer<T> | undefined> {
    const way = await this.#untilFree(call)
    if (way === 'closed') return undefined
    const answer = call.mayCall() ? await this.#withDeadline(call) : undefined
    if (way === 'probe') this.#isProbing = false
    if (answer === undefined) return undefined
    this.#count(call.what, answer)
    this.#learn(answer)
    return answer
  }

  /**
   * Waits while the provider is paused or somebody else feels whether it is back, and for a token. One that waited for a
   * token into a pause begins again: after a pause nobody runs with what was saved up before.
   */
  async #untilFree({
    what,
    mayCall,
  }: Pick<LaneCall<unknown>, 'what' | 'mayCall'>): Promise<'free' | 'probe' | 'closed'> {
    const { timers, clock, random } = this.#doors
    while (mayCall()) {
      if (this.#isShut()) {
        const pauseMs = Math.max(1, this.#pausedUntilMs - clock.tickMs())
        await timers.sleep(pauseMs + random.next() * LOOK_MS)
        continue
      }
      const waitMs = this.#takeToken(what)
      if (waitMs > 0) await timers.sleep(waitMs)
      if (this.#isShut()) continue
      if (!this.isDown) return 'free'
      this.#isProbing = true
      return 'probe'
    }
    return 'closed'
  }

  #isShut(): boolean {
    return this.#pausedUntilMs > this.#doors.clock.tickMs() || (this.isDown && this.#isProbing)
  }

  /**
   * The wait until a token is there; it is taken already. Lists and shelves are read at a pace of their own and wait behind
   * nobody: a long queue of launches must not keep us from seeing what is there.
   */
  #takeToken(what: LaneCall<unknown>['what']): number {
    const { callsPerSecond, burst } = this.provider.can
    const nowMs = this.#doors.clock.tickMs()
    const eachMs = 1000 / callsPerSecond
    this.#fullMs = Math.max(this.#fullMs, nowMs) + eachMs
    return what === 'list' || what === 'offers' ? 0 : Math.max(0, this.#fullMs - burst * eachMs - nowMs)
  }

  async #withDeadline<T>({ what, run, read }: LaneCall<T>): Promise<Answer<T>> {
    const { timers, random } = this.#doors
    const otherwise = what === 'launch' ? 'AMBIGUOUS' : 'TRANSIENT'
    const { deadlineMs } = this.provider.can
    const stop = new AbortController()
    const late = new AbortController()
    const answered = this.#answer(run, { signal: stop.signal, requestId: random.id() })
    const waited = timers.sleep(deadlineMs, late.signal).then((): 'late' => 'late')
    const answer = await Promise.race([answered, waited])
    late.abort(ENOUGH)
    if (answer === 'late') {
      stop.abort(ENOUGH)
      return { ok: false, fault: { class: otherwise, message: `no answer within ${deadlineMs / 1000} s` } }
    }
    if ('thrown' in answer) return { ok: false, fault: { class: otherwise, message: answer.thrown } }
    try {
      return readAnswer(answer.value, read, otherwise)
    } catch {
      return { ok: false, fault: readFault(undefined, otherwise) }
    }
  }

  async #answer<T>(
    run: LaneCall<T>['run'],
    call: Call,
  ): Promise<{ readonly value: unknown } | { readonly thrown: string }> {
    try {
      return { value: await run(call) }
    } catch (error) {
      const message = error instanceof Error ? error.message : error
      return { thrown: typeof message === 'string' ? message.slice(0, 500) : 'it failed without saying why' }
    }
  }

  #count(what: LaneCall<unknown>['what'], { ok }: Answer<unknown>): void {
    const count = this.#counts.get(what) ?? { calls: 0, faults: 0 }
    count.calls++
    if (!ok) count.faults++
    this.#counts.set(what, count)
  }

  /** A refusal is an answer: only silence, confusion and "too fast" say something about the provider itself. */
  #learn(answer: Answer<unknown>): void {
    const { clock, random } = this.#doors
    const nowMs = clock.tickMs()
    const isTrouble = !answer.ok && TROUBLE.has(answer.fault.class)
    if (!isTrouble) {
      this.#faultsInARow = 0
      this.#lastAnswerMs = clock.nowMs()
      return
    }
    this.#lastFault = answer.fault
    if (answer.fault.class === 'RATE_LIMIT') {
      const waitMs = Math.min(answer.fault.retryAfterMs ?? LOOK_MS, 10 * PAUSE_MAX_MS)
      this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + waitMs * (1 + random.next() / 4))
      return
    }
    this.#faultsInARow++
    if (!this.isDown) return
    const mostMs = Math.min(PAUSE_MAX_MS, LOOK_MS * 2 ** Math.min(this.#faultsInARow - DOWN_AFTER, 10))
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, nowMs + mostMs / 2 + (random.next() * mostMs) / 2)
  }
}

const TROUBLE = new Set<Fault['class']>(['RATE_LIMIT', 'TRANSIENT', 'AMBIGUOUS', 'AUTH', 'BILLING'])

function readAnswer<T>(
  value: unknown,
  read: (value: unknown) => T | undefined,
  otherwise: 'AMBIGUOUS' | 'TRANSIENT',
): Answer<T> {
  if (typeof value !== 'object' || value === null) return { ok: false, fault: readFault(undefined, otherwise) }
  if ('ok' in value && value.ok === true && 'value' in value) {
    const known = read(value.value)
    return known === undefined ? { ok: false, fault: readFault(undefined, otherwise) } : { ok: true, value: known }
  }
  return { ok: false, fault: readFault('fault' in value ? value.fault : undefined, otherwise) }
}
