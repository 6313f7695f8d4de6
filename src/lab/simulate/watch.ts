import type { PastRequests } from '../../core/pack/engine/policy.ts'
import type { Point } from './curve-scale.ts'
import type { Leftover, SimulatedRoom } from './room.ts'
import type { Arrival } from './trace.ts'

/** How a fleet was used over time. */
export interface UseOverTime {
  /** Allocated share of the cards in percent, on average. */
  readonly allocated: number
  /** Allocated percent by time, in seconds: each value holds until the next point. */
  readonly curve: readonly Point[]
  /** Percent of the cards that is free but of no use, sampled at moments in between. */
  readonly stuck: readonly Point[]
  /** The fullest of these moments. */
  readonly fullest: { readonly atS: number; readonly allocated: number; readonly leftovers: readonly Leftover[] }
}

/** Moments at which the pieces are sampled; at most twice as many are kept. */
const MOMENTS = 100

/** Samples a room repeatedly, and keeps the results. */
export class RoomWatch {
  readonly #room: SimulatedRoom
  readonly #usual: readonly PastRequests[]
  readonly #fromS: number
  readonly #curve: Point[] = []
  #stuck: Point[] = []
  #fullest: UseOverTime['fullest']
  #atS: number
  #allocated: number
  #sum = 0
  #gapS: number
  #nextS: number

  constructor(room: SimulatedRoom, usual: readonly PastRequests[], arrivals: readonly Arrival[]) {
    this.#room = room
    this.#usual = usual
    this.#fromS = arrivals[0]?.arrivalS ?? 0
    this.#atS = this.#fromS
    this.#nextS = this.#fromS
    this.#gapS = Math.max(1, ((arrivals.at(-1)?.arrivalS ?? 0) - this.#fromS) / MOMENTS)
    this.#allocated = this.#percentOf(room.capacityMilli - room.freeMilli)
    this.#fullest = { atS: this.#fromS, allocated: this.#allocated, leftovers: room.leftovers(usual) }
  }

  /** Call it once everything at this time has happened. */
  look(atS: number): void {
    this.#pass(atS)
    this.#allocated = this.#percentOf(this.#room.capacityMilli - this.#room.freeMilli)
    if (this.#curve.at(-1)?.[1] !== this.#allocated) this.#curve.push([atS, this.#allocated])
    if (atS < this.#nextS) return
    this.#nextS = atS + this.#gapS
    this.#lookClosely(atS)
    if (this.#stuck.length < 2 * MOMENTS) return
    this.#stuck = this.#stuck.filter((_, index) => index % 2 === 0)
    this.#gapS *= 2
  }

  result(toS: number): UseOverTime {
    this.#pass(toS)
    const spanS = toS - this.#fromS
    return {
      allocated: spanS === 0 ? this.#allocated : this.#sum / spanS,
      curve: this.#curve,
      stuck: this.#stuck,
      fullest: this.#fullest,
    }
  }

  #pass(untilS: number): void {
    this.#sum += this.#allocated * (untilS - this.#atS)
    this.#atS = untilS
  }

  #lookClosely(atS: number): void {
    const leftovers = this.#room.leftovers(this.#usual)
    const stuck = leftovers.reduce((sum, { why, milli }) => (why === 'usable' || why === 'rare' ? sum : sum + milli), 0)
    this.#stuck.push([atS, this.#percentOf(stuck)])
    if (this.#allocated > this.#fullest.allocated) this.#fullest = { atS, allocated: this.#allocated, leftovers }
  }

  #percentOf(milli: number): number {
    return this.#room.capacityMilli === 0 ? 0 : (100 * milli) / this.#room.capacityMilli
  }
}
