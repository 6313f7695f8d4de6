import { Dice } from '../../src/core/base/dice.ts'
import { applies, type CloudCall, type Course, type Fate, type Whims } from '../../src/providers/sim/whims.ts'
import type { Loop } from '../../src/controller/loop.suite.ts'

/** A share of calls that goes wrong at the moment. */
export interface Trouble {
  readonly fate: Fate
  readonly ask?: CloudCall | undefined
  readonly rate: number
}

/** Fates that keep a provider from being reached at all, as far as promises about time go. */
const CUTS: ReadonlySet<Fate> = new Set<Fate>(['unreachable', 'silent', 'throttled', 'revoked'])

/** Fates in which nothing comes back. */
const SILENCE: ReadonlySet<Fate> = new Set<Fate>(['unreachable', 'silent'])

/** How long a provider may be silent before its work is placed elsewhere; a write may land as much later. */
const GRACE_MS = 30_000

/** When the other side answered as it should. */
export class Answers {
  readonly #loop: Loop
  #lastMs: number
  /** When the last long silence ended. */
  #endedMs = -Infinity

  constructor(loop: Loop) {
    this.#loop = loop
    this.#lastMs = loop.nowMs
  }

  /** One comes after this time. */
  expect(ms: number): void {
    this.#loop.after(ms, () => {
      const { nowMs } = this.#loop
      if (nowMs - this.#lastMs >= GRACE_MS - 1000) this.#endedMs = nowMs
      this.#lastMs = nowMs
    })
  }

  /** Whether there was a long silence just now. */
  get wereMissing(): boolean {
    const { nowMs } = this.#loop
    return nowMs - this.#lastMs >= GRACE_MS - 1000 || nowMs - this.#endedMs <= GRACE_MS
  }
}

/** The way to one provider. What is wrong with it now decides what becomes of the calls. */
export class Wire implements Whims {
  readonly dice: Dice
  readonly #loop: Loop
  readonly #settleMs: number
  readonly #troubles = new Set<Trouble>()
  #slowMs = 0
  #openSinceMs: number
  readonly #answers: Answers
  /** Since when nothing at all gets through; undefined: something does. */
  silentSinceMs: number | undefined

  constructor(loop: Loop, { seed, settleMs }: { seed: number; settleMs: number }) {
    this.#loop = loop
    this.dice = new Dice(seed)
    this.#settleMs = settleMs
    this.#openSinceMs = loop.nowMs
    this.#answers = new Answers(loop)
  }

  /** Since when it answers most of what it is asked; undefined: it does not. */
  get openSinceMs(): number | undefined {
    return this.#isCut() ? undefined : this.#openSinceMs
  }

  get answers(): Answers {
    return this.#answers
  }

  add(trouble: Trouble): () => void {
    this.#troubles.add(trouble)
    this.silentSinceMs = this.#isSilent() ? (this.silentSinceMs ?? this.#loop.nowMs) : undefined
    return () => {
      const wasCut = this.#isCut()
      this.#troubles.delete(trouble)
      if (!this.#isSilent()) this.silentSinceMs = undefined
      if (wasCut && !this.#isCut()) this.#openSinceMs = this.#loop.nowMs
    }
  }

  slow(ms: number): void {
    if (this.#slowMs > 10_000 && ms <= 10_000) this.#openSinceMs = this.#loop.nowMs
    this.#slowMs = ms
  }

  course = (ask: CloudCall): Course => {
    const { dice } = this
    const half = this.#slowMs / 2
    const thereMs = Math.floor(20 + dice.next() * 120 + half)
    const backMs = Math.floor(20 + dice.next() * 120 + half)
    // The last trace of a create must show in lists before the settle window is over, and lists lag behind, too.
    const laterMs = Math.floor(dice.next() * this.#settleMs * 0.5)
    for (const { fate, ask: only, rate } of this.#troubles) {
      if (only !== undefined && only !== ask) continue
      if (applies(fate, ask) && dice.next() < rate) return { fate, thereMs, backMs, laterMs }
    }
    // The answer to anything else may be that one instance cannot be read.
    if (this.#slowMs <= 10_000 && (ask === 'list' || ask === 'offers')) this.#answers.expect(thereMs + backMs)
    return { fate: 'answered', thereMs, backMs, laterMs }
  }

  #isSilent(): boolean {
    const isAll = ({ fate, ask, rate }: Trouble): boolean => SILENCE.has(fate) && ask === undefined && rate === 1
    // Other troubles may be answers: a rate limit, a refusal.
    return this.#troubles.size > 0 && [...this.#troubles].every(isAll)
  }

  #isCut(): boolean {
    if (this.#slowMs > 10_000) return true
    for (const { fate, rate } of this.#troubles) if (rate > 0.3 || CUTS.has(fate)) return true
    return false
  }
}

/** Something that is wrong with the database. `sluggish`: answers take about `ms`, after everything was carried out. */
export interface StoreTrouble {
  readonly fate: 'down' | 'lost' | 'slow' | 'sluggish'
  readonly rate: number
  readonly ms?: number | undefined
  /** Only the renewals of this control plane's lease; left out: all calls of all control planes. */
  readonly plane?: number | undefined
}

/** The way to the database. */
export class StoreWire {
  readonly #loop: Loop
  readonly #dice: Dice
  readonly #troubles = new Set<StoreTrouble>()
  #openSinceMs: number

  constructor(loop: Loop, seed: number) {
    this.#loop = loop
    this.#dice = new Dice(seed)
    this.#openSinceMs = loop.nowMs
  }

  get openSinceMs(): number | undefined {
    return this.#troubles.size > 0 ? undefined : this.#openSinceMs
  }

  add(trouble: StoreTrouble): () => void {
    this.#troubles.add(trouble)
    return () => {
      this.#troubles.delete(trouble)
      this.#openSinceMs = this.#loop.nowMs
    }
  }

  course({ plane, call }: { readonly plane: number; readonly call: string }): {
    readonly ms: number
    readonly backMs: number
    readonly fate: 'answered' | 'down' | 'lost'
  } {
    let ms = Math.floor(1 + this.#dice.next() * 4)
    let backMs = 0
    for (const { fate, rate, ms: most = 0, plane: only } of this.#troubles) {
      if (only !== undefined && (only !== plane || call !== 'lead')) continue
      if (this.#dice.next() >= rate) continue
      if (fate === 'down' || fate === 'lost') return { ms, backMs, fate }
      // Mostly a second or so, now and then longer than any lease.
      if (fate === 'slow') ms += Math.floor(this.#dice.next() ** 4 * 25_000)
      else {
        ms += Math.floor(this.#dice.next() * most * 0.4)
        backMs += Math.floor(this.#dice.next() * most)
      }
    }
    return { ms, backMs, fate: 'answered' }
  }
}
