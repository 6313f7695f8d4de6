import { Dice } from '../core/simulate/dice.ts'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { Timers } from '../ports/timers.ts'
import type { Loop } from './loop.ts'

/** One life of a control plane. Once it is killed, no promise of it ever settles again; while it is asleep, none does. */
export class Process {
  readonly name: string
  readonly bornMs: number
  readonly clock: Clock
  readonly timers: Timers
  readonly random: Random
  readonly #loop: Loop
  #isAlive = true
  #held: (() => void)[] | undefined
  #skewMs: number

  constructor(loop: Loop, { name, seed, skewMs }: { name: string; seed: number; skewMs: number }) {
    this.name = name
    this.#loop = loop
    this.bornMs = loop.nowMs
    this.#skewMs = skewMs
    this.clock = {
      nowMs: () => Math.floor(loop.nowMs + this.#skewMs),
      tickMs: () => loop.nowMs - this.bornMs,
      cpuMs: () => 0,
    }
    this.timers = { sleep: (ms, signal) => this.#sleep(ms, signal) }
    this.random = randomOf(loop, { name, dice: new Dice(seed) })
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

  /** Sets its clock; its steady count goes on. */
  jump(ms: number): void {
    this.#skewMs += ms
  }

  /** Hands it something from outside, now, when it wakes, or never. */
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
