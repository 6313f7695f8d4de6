import { must } from '../../base/assert.ts'
import { int, real } from '../../pack/engine/read.ts'
import type { Scores } from '../../pack/owned/packing.ts'
import type { FleetRoom } from '../../pack/owned/room.ts'
import type { OptionColumns, OwnOptions } from './options.ts'

const NO_ROOM = Number.NEGATIVE_INFINITY

/** How good the options of one fleet are now. Options are known by their places. */
export class FleetScores {
  readonly #options: OwnOptions
  readonly #room: FleetRoom
  readonly #columns: OptionColumns
  /** Whether the free cards of an option are joined as requested; undefined: that is not requested. */
  readonly #isLinked: ((option: number) => boolean) | undefined
  #scores: readonly Scores[] = []
  #changes = -1

  constructor(
    options: OwnOptions,
    fleet: number,
    { room, isLinked }: { readonly room: FleetRoom; readonly isLinked: ((option: number) => boolean) | undefined },
  ) {
    this.#options = options
    this.#room = room
    this.#columns = options.columns(fleet, room.packing)
    this.#isLinked = isLinked
  }

  /** Higher is better; minus infinity: no room. */
  of(option: number): number {
    const score = this.#scoreIn(this.#now(), option)
    return score !== NO_ROOM && this.#isLinked?.(option) === false ? NO_ROOM : score
  }

  /** The first place with room from one place up to another; -1: none has. */
  firstRoom(from: number, to: number): number {
    const scores = this.#now()
    for (let place = from; place < to; place++) {
      if (this.#scoreIn(scores, place) === NO_ROOM) continue
      if (this.#isLinked === undefined || this.#isLinked(place)) return place
    }
    return -1
  }

  /** The option with the highest score; of equals, the first; -1: none has room. */
  highest(options: Int32Array): number {
    const scores = this.#now()
    let best = -1
    let highest = NO_ROOM
    for (let at = 0; at < options.length; at++) {
      const option = int(options, at)
      const score = this.#scoreIn(scores, option)
      if (score <= highest || this.#isLinked?.(option) === false) continue
      highest = score
      best = option
    }
    return best
  }

  #scoreIn(scores: readonly Scores[], option: number): number {
    const { request, view, pool } = this.#columns
    const asked = int(request, option)
    if (asked < 0) return NO_ROOM
    const { rates, prices } = must(scores[asked], 'scores for every request')
    // Minus infinity, less whatever a pool costs, is what it was.
    return real(rates, int(view, option)) - real(prices, int(pool, option))
  }

  /** Other asks of the same plan may have taken something, too. */
  #now(): readonly Scores[] {
    const { changes } = this.#room.packing
    if (this.#changes === changes) return this.#scores
    this.#changes = changes
    this.#scores = this.#options.requests.map((request) => this.#room.scores(request))
    return this.#scores
  }
}
