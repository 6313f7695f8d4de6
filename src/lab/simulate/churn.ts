import type { Kind } from '../../core/pack/engine/kinds.ts'
import type { Packer } from '../../core/pack/engine/packer.ts'
import type { Request, Spot } from '../../core/fleet/fleet.ts'
import { Departures } from './departures.ts'
import { Dice } from '../../core/base/dice.ts'
import { milliOf } from '../../core/pack/optimal/milli.ts'
import { sizeOf, WaitBook, type WaitTimes } from './waits.ts'

/** Work that comes and goes: drawn at random from observed work, as often as the load requires. */
export interface Churn {
  readonly requests: readonly Request[]
  /** Observed work: request and lifetime of each piece. */
  readonly of: Int32Array
  readonly lifetimeS: Float64Array
  /** Requested card time, as a share of the total. */
  readonly load: number
  readonly seed: number
  /** The first part of the time only fills the fleet and is not measured. */
  readonly warmUpS: number
  readonly measuredS: number
}

/** The results of a fleet under churn. */
export interface Churned {
  /** Allocated share of the cards, in percent, averaged over the measured time. */
  readonly allocated: number
  readonly arrived: number
  readonly placed: number
  /** Waits by size of request, from small to large. */
  readonly waits: readonly WaitTimes[]
}

/**
 * First come, first served, with backfill: whenever work comes or goes, the work that has waited longest among all that fits
 * now is placed. Nothing is moved, and nothing is preempted.
 */
export function churn(
  given: Churn,
  { capacityMilli, packer }: { readonly capacityMilli: number; readonly packer: Packer },
): Churned {
  return new Run(given, capacityMilli, packer).play()
}

interface Leaving {
  readonly request: Request
  readonly spot: Spot
}

class Run {
  readonly #given: Churn
  readonly #capacityMilli: number
  readonly #packer: Packer
  readonly #lines: readonly Line[]
  readonly #leaving = new Departures<Leaving>()
  readonly #endS: number
  #nowS = 0
  #allocatedMilli = 0
  #cardSeconds = 0
  #arrived = 0
  #placed = 0

  constructor(given: Churn, capacityMilli: number, packer: Packer) {
    this.#given = given
    this.#capacityMilli = capacityMilli
    this.#packer = packer
    this.#lines = given.requests.map((request) => new Line(request, packer.kinds.of(request)))
    this.#endS = given.warmUpS + given.measuredS
  }

  play(): Churned {
    const { of, lifetimeS, seed } = this.#given
    const dice = new Dice(seed)
    const meanS = this.#meanGapS()
    let nextS = dice.wait(meanS)
    while (Math.min(nextS, this.#leaving.nextS) < this.#endS) {
      if (this.#leaving.nextS <= nextS) this.#leave()
      else {
        this.#pass(nextS)
        const drawn = dice.roll(of.length)
        this.#come(of[drawn] ?? 0, lifetimeS[drawn] ?? 0)
        nextS += dice.wait(meanS)
      }
    }
    this.#pass(this.#endS)
    return this.#result()
  }

  /** Seconds between arrivals that produce the given load. */
  #meanGapS(): number {
    const { of, lifetimeS, requests, load } = this.#given
    const milli = requests.map(milliOf)
    const asked = of.reduce((sum, request, index) => sum + (milli[request] ?? 0) * (lifetimeS[index] ?? 0), 0)
    return asked / of.length / (load * this.#capacityMilli)
  }

  #pass(untilS: number): void {
    const measuredFrom = Math.max(this.#nowS, this.#given.warmUpS)
    if (untilS > measuredFrom) this.#cardSeconds += this.#allocatedMilli * (untilS - measuredFrom)
    this.#nowS = untilS
  }

  #come(index: number, lifetimeS: number): void {
    const line = this.#lines[index]
    if (line === undefined) return
    this.#arrived++
    line.queue.push({ sinceS: this.#nowS, lifetimeS })
    if (line.length === 1) this.#serve(line)
  }

  #leave(): void {
    this.#pass(this.#leaving.nextS)
    const { request, spot } = this.#leaving.take()
    this.#packer.release(request, spot)
    this.#allocatedMilli -= milliOf(request)
    // Only this node has changed: work that fits nowhere else can only fit here.
    const hopeful = this.#lines.filter((line) => line.length > 0 && this.#packer.fits(line.kind, spot.node))
    for (;;) {
      const first = longestWaiting(hopeful)
      if (first === undefined) return
      if (!this.#serve(first)) hopeful.splice(hopeful.indexOf(first), 1)
    }
  }

  /** Places the head of a line if it fits. */
  #serve(line: Line): boolean {
    const head = line.head
    if (head === undefined || this.#packer.placeKind(line.kind) < 0) return false
    line.step()
    this.#placed++
    if (this.#nowS >= this.#given.warmUpS) line.waits.push(this.#nowS - head.sinceS)
    this.#allocatedMilli += milliOf(line.request)
    this.#leaving.add(this.#nowS + head.lifetimeS, { request: line.request, spot: this.#packer.lastSpot() })
    return true
  }

  #result(): Churned {
    const book = new WaitBook()
    for (const line of this.#lines) {
      const size = sizeOf(line.request)
      book.open(size)
      for (const waitS of line.waits) book.add(size, { waitS, isOver: true })
      for (const { sinceS } of line.remaining()) book.add(size, { waitS: this.#endS - sinceS, isOver: false })
    }
    return {
      allocated: (100 * this.#cardSeconds) / (this.#capacityMilli * this.#given.measuredS),
      arrived: this.#arrived,
      placed: this.#placed,
      waits: book.bySize(),
    }
  }
}

/** Work of one kind, in order of arrival. */
class Line {
  readonly request: Request
  readonly kind: Kind
  readonly queue: { readonly sinceS: number; readonly lifetimeS: number }[] = []
  readonly waits: number[] = []
  #first = 0

  constructor(request: Request, kind: Kind) {
    this.request = request
    this.kind = kind
  }

  get length(): number {
    return this.queue.length - this.#first
  }

  get head(): { readonly sinceS: number; readonly lifetimeS: number } | undefined {
    return this.queue[this.#first]
  }

  remaining(): readonly { readonly sinceS: number }[] {
    return this.queue.slice(this.#first)
  }

  step(): void {
    this.#first++
    if (this.#first < 1024) return
    this.queue.splice(0, this.#first)
    this.#first = 0
  }
}

function longestWaiting(lines: readonly Line[]): Line | undefined {
  let first: Line | undefined
  let sinceS = Number.POSITIVE_INFINITY
  for (const line of lines) {
    const head = line.head
    if (head === undefined || head.sinceS >= sinceS) continue
    first = line
    sinceS = head.sinceS
  }
  return first
}
