import { Dice } from '../core/base/dice.ts'
import { PriorityQueue } from '../core/base/priority-queue.ts'

/** 2026-09-01, noon: when every simulation begins. */
export const START_MS = 1_788_264_000_000

/** Something that will happen. It can be cancelled, and then it does not count. */
interface Happening {
  readonly atMs: number
  /** Breaks ties between two at the same moment. */
  readonly tie: number
  run: (() => void) | undefined
}

/** The one thread on which everything in a simulated world happens, in virtual time. */
export class Loop {
  readonly #queue = new PriorityQueue<Happening>(isBefore)
  readonly #dice: Dice
  #nowMs = START_MS
  #isAwake = false
  #held = 0
  #hash = 0x811c9dc5
  events = 0
  /** If set, every note is also kept as text. */
  trace: string[] | undefined

  constructor(seed: number) {
    this.#dice = new Dice(seed * 7919 + 1)
  }

  /** True time, in ms since 1970; no process of the world can see it. */
  get nowMs(): number {
    return this.#nowMs
  }

  /** When something happens next; undefined: nothing will by itself. */
  get nextMs(): number | undefined {
    return this.#queue.top?.atMs
  }

  /** Since the simulation began. */
  get atMs(): number {
    return this.#nowMs - START_MS
  }

  /** A fingerprint of everything noted so far: equal for equal runs. */
  get hash(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0')
  }

  /** Runs something later. Things at the same moment happen in an order that only the seed decides. */
  after(ms: number, run: () => void): Happening {
    const happening: Happening = { atMs: this.#nowMs + Math.max(0, ms), tie: this.#dice.next(), run }
    this.#queue.push(happening)
    return happening
  }

  /** Something was woken: nothing else happens until all its immediate consequences are over. */
  awake(): void {
    this.#isAwake = true
  }

  /** An answer that takes several turns has begun: until the returned function is called, each step waits for a full turn of the event loop. */
  hold(): () => void {
    this.#held++
    return () => void this.#held--
  }

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, () => {
        this.awake()
        resolve()
      })
    })
  }

  /** Adds to the fingerprint. */
  note(text: string): void {
    let hash = this.#hash ^ (this.#nowMs % 0x7fffffff)
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
    this.#hash = hash
    this.tell(() => text)
  }

  /** For readers of the trace; it changes nothing. */
  tell(text: () => string): void {
    this.trace?.push(`${(this.atMs / 1000).toFixed(3)} ${text()}`)
  }

  /** Lets everything happen before a moment, or until `isOver` returns true. */
  async run(untilMs: number, isOver: () => boolean): Promise<void> {
    await this.#drained()
    for (;;) {
      const next = this.#queue.top
      if (next === undefined || next.atMs > untilMs || isOver()) break
      this.#queue.pop()
      if (next.run === undefined) continue
      this.#nowMs = next.atMs
      this.events++
      next.run()
      if (!this.#isAwake) continue
      this.#isAwake = false
      await this.#drained()
    }
    if (!isOver()) this.#nowMs = Math.max(this.#nowMs, untilMs)
  }

  #drained(): Promise<void> {
    return this.#held > 0 ? new Promise((resolve) => setImmediate(resolve)) : drained()
  }
}

function isBefore(one: Happening, two: Happening): boolean {
  return one.atMs < two.atMs || (one.atMs === two.atMs && one.tie < two.tie)
}

/**
 * Resolves once no promise can settle any more without something new happening: Node empties the queue of promises before it
 * takes the next tick. A turn of the event loop (`setImmediate`) does the same and costs ten times as much.
 */
function drained(): Promise<void> {
  return new Promise((resolve) => process.nextTick(resolve))
}
