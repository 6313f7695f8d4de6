import { milliOf } from '../../core/pack/optimal/milli.ts'
import type { Request } from '../../core/fleet/fleet.ts'
import type { Packer } from '../../core/pack/engine/packer.ts'

/** Work that comes and never leaves, in order. */
export interface ArrivalStream {
  /** Distinct requests; equal ones share an index. */
  readonly requests: readonly Request[]
  /** Indices into `requests`, in order of arrival. */
  readonly order: Int32Array
}

/** The results of filling a fleet. */
export interface Filled {
  /** Allocated share of the cards in percent, by percent of the cards' capacity that has arrived: the mean over each bin. */
  readonly curve: readonly (number | undefined)[]
  readonly placed: number
  readonly dropped: number
  /** Thousandths of cards that are taken in the end. */
  readonly allocatedMilli: number
  /** Seconds of processor time for learning and all decisions. */
  readonly cpuSeconds: number
}

/** What filling needs of a packer. */
export interface Filler extends Pick<Packer, 'kinds' | 'placeKind' | 'lastSpot'> {
  /** How many requests it has declined without checking whether they fit; left out: it never declines. */
  readonly declined?: number
}

/**
 * The strict online rule: work comes in order; what fits is placed, what does not is dropped; nothing leaves and nothing is
 * moved. The measured time includes `makePacker`, because learning is part of it.
 */
export function fillUp(
  stream: ArrivalStream,
  { capacityMilli, makePacker, cpuMs }: { capacityMilli: number; makePacker: () => Filler; cpuMs: () => number },
): Filled {
  const milli = stream.requests.map(milliOf)
  const bins = new Bins()
  const startMs = cpuMs()
  const packer = makePacker()
  const kinds = stream.requests.map((request) => packer.kinds.of(request))
  let arrived = 0
  let allocated = 0
  let placed = 0
  for (const index of stream.order) {
    const kind = kinds[index]
    const size = milli[index]
    if (kind === undefined || size === undefined) continue
    arrived += size
    if (packer.placeKind(kind) >= 0) {
      placed++
      allocated += size
    }
    bins.add(binOf(arrived, capacityMilli), allocated / capacityMilli)
  }
  const cpuSeconds = (cpuMs() - startMs) / 1000
  return { curve: bins.means(), placed, dropped: stream.order.length - placed, allocatedMilli: allocated, cpuSeconds }
}

/** The part of a stream until more than `percent` of the cards' capacity has arrived. */
export function upTo({ requests, order }: ArrivalStream, percent: number, capacityMilli: number): ArrivalStream {
  const milli = requests.map(milliOf)
  let arrived = 0
  const end = order.findIndex((index) => {
    arrived += milli[index] ?? 0
    return binOf(arrived, capacityMilli) > percent
  })
  return { requests, order: end < 0 ? order : order.subarray(0, end + 1) }
}

/** The percent of the cards' capacity that has arrived, as results are binned. */
export function binOf(arrivedMilli: number, capacityMilli: number): number {
  return Math.round((100 * arrivedMilli) / capacityMilli)
}

/**
 * The value of a curve once `percent` has arrived. Where a large piece of work skipped a percent, it is the value before.
 * Undefined: that much never arrived.
 */
export function curveAt<T>(curve: readonly (T | undefined)[], percent: number): T | undefined {
  if (percent >= curve.length) return undefined
  return curve.slice(0, percent + 1).findLast((value) => value !== undefined)
}

class Bins {
  readonly #sums: number[] = []
  readonly #counts: number[] = []

  add(bin: number, value: number): void {
    this.#sums[bin] = (this.#sums[bin] ?? 0) + value
    this.#counts[bin] = (this.#counts[bin] ?? 0) + 1
  }

  means(): readonly (number | undefined)[] {
    return Array.from(this.#sums, (sum, bin) => {
      const count = this.#counts[bin]
      return sum === undefined || count === undefined ? undefined : (100 * sum) / count
    })
  }
}
