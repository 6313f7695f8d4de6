import type { Fault } from '../core/life/call/fault.ts'
import { readFault } from '../core/life/call/check-reply.ts'
import type { Clock } from '../ports/clock.ts'
import { LATE, within } from '../ports/deadline.ts'
import type { Answer, Call, Provider } from '../ports/provider.ts'
import type { Random } from '../ports/random.ts'
import { ENOUGH, type Timers } from '../ports/timers.ts'
import { Breaker, type Passage } from './breaker.ts'
import { afterLaunch, NEW_WINDOW, type LaunchEnd } from './launch-window.ts'
import { isLook, Queue, type QueuedCall } from './queue.ts'

export interface GateDeps {
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
}

/** One call to be made. */
export interface GateCall<T> {
  readonly what: QueuedCall['what']
  /** `project/workload`: workloads take turns. Left out: it is for all of them. */
  readonly whose?: string
  /** Checked right before the call, after all waiting, and now and then meanwhile: if false, the call is not made. */
  readonly mayCall: () => boolean
  readonly run: (call: Call) => Promise<Answer<T>>
  /** Reads a reply into a valid value; undefined: it cannot be read. */
  readonly read: (value: unknown) => T | undefined
}

interface Waiting extends QueuedCall {
  readonly mayCall: () => boolean
  readonly go: (way: Passage | 'closed') => void
}

/** The state of a gate, for display. */
export interface GateState {
  readonly isDown: boolean
  readonly lastAnswerMs: number | undefined
  readonly lastFault: Fault | undefined
  /** Since the process started, by kind of call. */
  readonly counts: readonly {
    readonly what: GateCall<unknown>['what']
    readonly calls: number
    readonly faults: number
  }[]
}

/** A provider that asks for a longer pause than this is called again anyway. */
const REST_MAX_MS = 300_000
/** How often the queue is checked, at least. */
const LOOK_MS = 1000
/** The error of sums of fractions. */
const TINY_MS = 1e-3

/**
 * The only way to a provider: it enforces rate limit, deadline and retry budget. Every call ends with an answer or a fault;
 * nothing is ever thrown. Undefined: the call was not made.
 */
export class ProviderGate {
  readonly provider: Provider
  readonly #deps: GateDeps
  /** When the token bucket would be full again. */
  #fullMs = 0
  readonly #breaker = new Breaker()
  readonly #queue = new Queue<Waiting>()
  #window = NEW_WINDOW
  #launchesUnderWay = 0
  /** When the next launch may go, where launches have a limit of their own. */
  #launchMs = 0
  /** When the queue is checked next, and when it was last swept for calls that are no longer wanted. */
  #pumpMs = Infinity
  #sweptMs = 0
  /** Whether the last call was a list of instances or of offers. */
  #wasLook = false
  #lastAnswerMs: number | undefined
  #lastFault: Fault | undefined
  readonly #counts = new Map<GateCall<unknown>['what'], { calls: number; faults: number }>()

  constructor(provider: Provider, deps: GateDeps) {
    this.provider = provider
    this.#deps = deps
  }

  get state(): GateState {
    const counts = [...this.#counts].map(([what, count]) => ({ what, ...count }))
    return { isDown: this.isDown, lastAnswerMs: this.#lastAnswerMs, lastFault: this.#lastFault, counts }
  }

  get isDown(): boolean {
    return this.#breaker.isDown
  }

  async call<T>(call: GateCall<T>): Promise<Answer<T> | undefined> {
    const way = await this.#untilFree(call)
    if (way === 'closed') return undefined
    const { clock } = this.#deps
    const sentMs = clock.tickMs()
    const answer = call.mayCall() ? await this.#withDeadline(call) : undefined
    this.#breaker.leave(way)
    if (call.what === 'launch') this.#launchEnded(sentMs, answer)
    if (answer !== undefined) {
      this.#count(call.what, answer)
      this.#learn(answer, clock.tickMs() - sentMs)
    }
    if (way === 'probe' || (call.what === 'launch' && !this.#queue.isEmpty)) this.#pump()
    return answer
  }

  #launchEnded(sentMs: number, answer: Answer<unknown> | undefined): void {
    const underWay = this.#launchesUnderWay--
    if (answer === undefined) return
    const nowMs = this.#deps.clock.tickMs()
    const { deadlineMs } = this.provider.can
    this.#window = afterLaunch(this.#window, { sentMs, nowMs, how: howEnded(answer), underWay, deadlineMs })
  }

  /** Waits in the queue while the provider is paused, while a probe is under way, and for a token. */
  #untilFree({ what, mayCall, whose = '' }: Omit<GateCall<unknown>, 'run' | 'read'>): Promise<Passage | 'closed'> {
    const { promise, resolve } = Promise.withResolvers<Passage | 'closed'>()
    this.#queue.push({ what, mayCall, whose, go: resolve })
    this.#pump()
    return promise
  }

  /** Releases as many calls as may go now, and returns later for the others. A call that is no longer wanted costs no token. */
  #pump(): void {
    this.#sweep()
    while (!this.#queue.isEmpty) {
      const waitMs = this.#waitMs()
      if (waitMs > TINY_MS) return this.#pumpIn(Math.min(waitMs, LOOK_MS))
      const isHeld = this.#launchMs > this.#deps.clock.tickMs() + TINY_MS
      const next = this.#queue.shift({ launches: isHeld || this.#isFull ? 'held' : 'free' })
      // Only launches wait, and none may go.
      if (next === undefined) return this.#pumpIn(LOOK_MS)
      if (!next.mayCall()) {
        next.go('closed')
        continue
      }
      this.#takeToken(next)
      if (next.what === 'launch') this.#launchesUnderWay++
      next.go(this.#breaker.enter())
    }
  }

  /** A call that is no longer wanted ends soon, however long the queue and the pause are. */
  #sweep(): void {
    const nowMs = this.#deps.clock.tickMs()
    if (nowMs < this.#sweptMs + LOOK_MS) return
    this.#sweptMs = nowMs
    for (const { go } of this.#queue.drop(({ mayCall }) => !mayCall())) go('closed')
  }

  /** As many launches are under way as the provider takes on at once. */
  get #isFull(): boolean {
    return this.#launchesUnderWay >= Math.floor(this.#window.size)
  }

  #pumpIn(ms: number): void {
    const atMs = this.#deps.clock.tickMs() + ms
    if (this.#pumpMs <= atMs) return
    this.#pumpMs = atMs
    void this.#deps.timers.sleep(ms).then(() => {
      if (this.#pumpMs === atMs) this.#pumpMs = Infinity
      this.#pump()
    })
  }

  /**
   * How long the next call has to wait. Lists of instances and of offers wait for no token: a long queue of launches must not
   * keep us from seeing what exists. After a pause, tokens saved up before are not used.
   */
  #waitMs(): number {
    const nowMs = this.#deps.clock.tickMs()
    const pauseMs = this.#breaker.pauseMs(nowMs)
    if (pauseMs > TINY_MS) return pauseMs
    // The answer of the probe releases the next call; until then, only unwanted calls are swept.
    if (this.#breaker.isProbing) return LOOK_MS
    if (this.#queue.hasLook) return 0
    // So does the end of a launch, where as many as may are under way.
    if (this.#isFull && this.#queue.hasOnlyLaunches) return LOOK_MS
    const { callsPerSecond, burst, launchEachMs } = this.provider.can
    const eachMs = 1000 / callsPerSecond
    const heldMs = launchEachMs > 0 && this.#queue.hasOnlyLaunches ? this.#launchMs - nowMs : 0
    return Math.max(0, heldMs, Math.max(this.#fullMs, nowMs) + eachMs - burst * eachMs - nowMs)
  }

  /** While calls wait, lists of instances and of offers take at most every second token, and never all. */
  #takeToken({ what }: Pick<GateCall<unknown>, 'what'>): void {
    const wasLook = this.#wasLook
    this.#wasLook = isLook({ what })
    if (this.#wasLook && wasLook && !this.#queue.isEmpty) return
    const nowMs = this.#deps.clock.tickMs()
    const { callsPerSecond, launchEachMs } = this.provider.can
    this.#fullMs = Math.max(this.#fullMs, nowMs) + 1000 / callsPerSecond
    if (what === 'launch') this.#launchMs = nowMs + launchEachMs
  }

  async #withDeadline<T>({ what, run, read }: GateCall<T>): Promise<Answer<T>> {
    const { timers, random } = this.#deps
    const otherwise = what === 'launch' ? 'AMBIGUOUS' : 'TRANSIENT'
    const { deadlineMs } = this.provider.can
    const stop = new AbortController()
    const answered = this.#answer(run, { signal: stop.signal, requestId: random.id() })
    const answer = await within({ timers, ms: deadlineMs }, answered)
    if (answer === LATE) {
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
    run: GateCall<T>['run'],
    call: Call,
  ): Promise<{ readonly value: unknown } | { readonly thrown: string }> {
    try {
      return { value: await run(call) }
    } catch (error) {
      const message = error instanceof Error ? error.message : error
      return { thrown: typeof message === 'string' ? message.slice(0, 500) : 'it failed without saying why' }
    }
  }

  #count(what: GateCall<unknown>['what'], { ok }: Answer<unknown>): void {
    const count = this.#counts.get(what) ?? { calls: 0, faults: 0 }
    count.calls++
    if (!ok) count.faults++
    this.#counts.set(what, count)
  }

  /** A refusal is an answer: only silence, garbled replies and rate limits say something about the provider itself. */
  #learn(answer: Answer<unknown>, tookMs: number): void {
    const { clock, random } = this.#deps
    const nowMs = clock.tickMs()
    const isTrouble = !answer.ok && TROUBLE.has(answer.fault.class)
    if (!isTrouble) {
      this.#breaker.answered()
      this.#lastAnswerMs = clock.nowMs()
      return
    }
    this.#lastFault = answer.fault
    if (answer.fault.class === 'RATE_LIMIT') {
      const waitMs = Math.min(answer.fault.retryAfterMs ?? LOOK_MS, REST_MAX_MS)
      this.#breaker.rest(nowMs + waitMs * (1 + random.next() / 4))
    } else this.#breaker.failed(nowMs, random.next, tookMs)
  }
}

/** Silence, and a limit that was overstepped, are trouble; only an order that was taken tells how long that takes. */
function howEnded(answer: Answer<unknown>): LaunchEnd['how'] {
  if (answer.ok) return 'launched'
  const { class: name } = answer.fault
  return name === 'RATE_LIMIT' || name === 'TRANSIENT' || name === 'AMBIGUOUS' ? 'trouble' : 'refused'
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
