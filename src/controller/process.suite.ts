import { Dice } from '../core/base/dice.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Timers } from '../ports/timers.ts'
import type { Loop } from './loop.suite.ts'

/** The assumed cost of a look at one workload: high, as on a slow and busy machine. */
const LOOK_MS = 2

interface Workload {
  /** How many workloads it has looked at since it started. */
  readonly looks: () => number
  readonly tookMs: (ms: number) => void
}

interface Birth {
  readonly name: string
  readonly seed: number
  readonly skewMs: number
  readonly plane?: number
}

/** One life of a control plane. Once it is killed, none of its promises ever settles; while it is asleep, none does. */
export class Process {
  readonly name: string
  /** The control plane that this is a life of. */
  readonly plane: number
  readonly bornMs: number
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly #loop: Loop
  #isAlive = true
  #held: (() => void)[] | undefined
  #skewMs: number
  #busyUntilMs = 0
  #turnMs = 0
  #turn = -1
  #looks = 0
  #workload: Workload | undefined

  constructor(loop: Loop, { name, seed, skewMs, plane = 0 }: Birth) {
    this.name = name
    this.plane = plane
    this.#loop = loop
    this.bornMs = loop.nowMs
    this.#skewMs = skewMs
    this.clock = {
      nowMs: () => Math.floor(loop.nowMs + this.#skewMs),
      tickMs: () => {
        this.#account()
        return Math.max(loop.nowMs, this.#busyUntilMs) - this.bornMs
      },
      cpuMs: () => 0,
    }
    this.timers = { sleep: (ms, signal) => this.#sleep(ms, signal) }
    this.random = randomOf(loop, { name, dice: new Dice(seed) })
  }

  /** What it works at, and a listener for how long each turn takes. */
  workAt(workload: Workload): void {
    this.#workload = workload
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get isRunning(): boolean {
    return this.#isAlive && this.#held === undefined
  }

  kill(): void {
    this.#isAlive = false
    this.#held = undefined
  }

  pause(): void {
    if (this.#isAlive) this.#held ??= []
  }

  wake(): void {
    const held = this.#held ?? []
    this.#held = undefined
    if (!this.#isAlive) return
    for (const deliver of held) this.deliver(deliver)
  }

  /** Sets its clock; its monotonic clock goes on. */
  jump(ms: number): void {
    this.#skewMs += ms
  }

  /** Its looks since the last time have taken time: nothing else of it happened meanwhile. */
  #account(): void {
    const looks = this.#workload?.looks() ?? 0
    const ms = Math.max(0, looks - this.#looks) * LOOK_MS
    this.#looks = looks
    if (ms === 0) return
    const { events, nowMs } = this.#loop
    this.#turnMs = this.#turn === events ? this.#turnMs + ms : ms
    this.#turn = events
    this.#busyUntilMs = Math.max(this.#busyUntilMs, nowMs) + ms
    this.#workload?.tookMs(this.#turnMs)
  }

  /** Hands it something from outside: now, when it wakes, or never. */
  deliver(hand: () => void): void {
    if (!this.#isAlive) return
    if (this.#held !== undefined) {
      this.#held.push(hand)
      return
    }
    this.#loop.awake()
    hand()
  }

  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    if (!this.#isAlive) return new Promise(() => undefined)
    if (signal?.aborted === true) return Promise.resolve()
    return new Promise((resolve) => {
      const happening = this.#loop.after(ms, () => {
        signal?.removeEventListener('abort', cut)
        this.deliver(resolve)
      })
      const cut = (): void => {
        happening.run = undefined
        resolve()
      }
      signal?.addEventListener('abort', cut, { once: true })
    })
  }
}

function randomOf(loop: Loop, { name, dice }: { name: string; dice: Dice }): Random {
  let count = 0
  return {
    next: () => dice.next(),
    id: () => {
      const time = Math.floor(loop.nowMs).toString(36).padStart(9, '0')
      return `${time}${(++count).toString(36).padStart(4, '0')}${name.replaceAll(/[^a-z0-9]/g, '')}`
    },
  }
}
