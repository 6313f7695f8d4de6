import type { Kind } from '../../core/pack/engine/kinds.ts'
import type { Fleet } from '../../core/fleet/fleet.ts'
import { binOf, type Filler, type ArrivalStream } from './fill.ts'
import { milliOf } from '../../core/pack/optimal/milli.ts'
import { REFUSALS, SimulatedRoom, type Leftover, type RefusalKind } from './room.ts'

/** Why a fleet was filled as far as it was. */
export interface Explained {
  /** What did not fit, by what was in the way at that moment. */
  readonly refusals: readonly RefusalCount[]
  /** What is free in the end, in which pieces, and why it cannot be used. */
  readonly leftovers: readonly Leftover[]
  /** Requests declined so far although they fit, by percent of the cards' capacity that has arrived. */
  readonly declined: readonly (number | undefined)[]
}

interface RefusalCount {
  readonly reason: RefusalKind
  readonly count: number
  /** Thousandths of cards that they requested. */
  readonly milli: number
}

/**
 * Fills a fleet once more, as `fillUp` does, and examines every request that is dropped. The same stream gives the same
 * placements, so the measured run does not have to carry the explanation.
 */
export function explainFill(
  stream: ArrivalStream,
  { fleet, makePacker }: { readonly fleet: Fleet; readonly makePacker: () => Filler },
): Explained {
  const room = new SimulatedRoom(fleet)
  const packer = makePacker()
  const kinds = stream.requests.map((request) => packer.kinds.of(request))
  const reasons = new Reasons(room)
  const counts = new Int32Array(kinds.length)
  const declined: number[] = []
  let arrived = 0
  let turnedAway = 0
  for (const index of stream.order) {
    const kind = kinds[index]
    if (kind === undefined) continue
    counts[index] = (counts[index] ?? 0) + 1
    arrived += milliOf(kind.request)
    const before = packer.declined
    if (packer.placeKind(kind) >= 0) {
      room.take(kind.request, packer.lastSpot())
      reasons.forget()
    } else if (packer.declined !== before && room.whyNot(kind) === undefined) turnedAway++
    else reasons.add(kind)
    declined[binOf(arrived, room.capacityMilli)] = turnedAway
  }
  const usual = kinds.map((kind, index) => ({ kind, count: counts[index] ?? 0 }))
  return { refusals: reasons.counts(), leftovers: room.leftovers(usual), declined: Array.from(declined) }
}

/** Counts refusals. While nothing is placed, a kind is refused for the same reason as before. */
class Reasons {
  readonly #room: SimulatedRoom
  readonly #counts = new Map<RefusalKind, { count: number; milli: number }>()
  readonly #known = new Map<Kind, RefusalKind>()

  constructor(room: SimulatedRoom) {
    this.#room = room
  }

  add(kind: Kind): void {
    const reason = this.#known.get(kind) ?? this.#room.whyNot(kind)
    if (reason === undefined) return
    this.#known.set(kind, reason)
    const sum = this.#counts.get(reason) ?? { count: 0, milli: 0 }
    this.#counts.set(reason, { count: sum.count + 1, milli: sum.milli + milliOf(kind.request) })
  }

  forget(): void {
    if (this.#known.size > 0) this.#known.clear()
  }

  counts(): readonly RefusalCount[] {
    return REFUSALS.flatMap((reason) => {
      const sum = this.#counts.get(reason)
      return sum === undefined ? [] : [{ reason, ...sum }]
    })
  }
}
