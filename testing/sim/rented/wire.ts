import { Dice } from '../../../src/core/base/dice.ts'
import type { Loop } from '../../../src/controller/loop.suite.ts'
import type { FakeCall } from '../../clouds/fake-api.ts'
import { Answers } from '../network.ts'
import type { RentedFate, RentedTrouble } from './trouble.ts'

type Replies = Extract<RentedTrouble, { kind: 'replies' }>

/** The way of one request: its fate, and how long it takes there, back, or until it is carried out after all. */
interface RentedCourse {
  readonly fate: RentedFate
  readonly thereMs: number
  readonly backMs: number
  readonly laterMs: number
}

/** The way to one rented cloud, and what is wrong with the cloud now. */
export class RentedWire {
  readonly #loop: Loop
  readonly #dice: Dice
  readonly #settleMs: number
  readonly #troubles = new Set<RentedTrouble>()
  #openSinceMs: number
  readonly answers: Answers
  readonly silentSinceMs = undefined

  constructor(loop: Loop, { seed, settleMs }: { readonly seed: number; readonly settleMs: number }) {
    this.#loop = loop
    this.#dice = new Dice(seed)
    this.#settleMs = settleMs
    this.#openSinceMs = loop.nowMs
    this.answers = new Answers(loop)
  }

  /** Since when nothing at all is wrong; undefined: something is. */
  get openSinceMs(): number | undefined {
    return this.#troubles.size > 0 ? undefined : this.#openSinceMs
  }

  add(trouble: RentedTrouble): () => void {
    this.#troubles.add(trouble)
    return () => {
      this.#troubles.delete(trouble)
      this.#openSinceMs = this.#loop.nowMs
    }
  }

  course(call: FakeCall | undefined): RentedCourse {
    const thereMs = Math.floor(20 + this.#dice.next() * 120)
    const backMs = Math.floor(20 + this.#dice.next() * 120)
    // The last trace of a create must show in lists before the settle window is over, and lists lag behind, too.
    const laterMs = Math.floor(this.#dice.next() * this.#settleMs * 0.5)
    for (const trouble of this.#troubles) {
      if (trouble.kind === 'replies' && concerns(trouble, call) && this.#dice.next() < trouble.rate)
        return { fate: trouble.fate, thereMs, backMs, laterMs }
    }
    this.answers.expect(thereMs + backMs)
    return { fate: 'answered', thereMs, backMs, laterMs }
  }
}

function concerns({ call: only, fate }: Replies, call: FakeCall | undefined): boolean {
  if (fate === 'partial' && call !== 'create') return false
  return only === undefined || only === call
}
