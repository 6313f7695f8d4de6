import type { Kind } from '../../core/pack/engine/kinds.ts'
import type { Arrival } from './trace.ts'

/** An arrival that needs one node. */
export interface Single {
  readonly arrival: Arrival
  readonly kind: Kind
}

/**
 * Arrivals that wait for one node: a line for each priority and kind. An arrival behind another with the same request need
 * not be tried.
 */
export class ArrivalLines {
  readonly #lines = new Map<string, Line>()
  /** Lines whose first arrival has not been tried yet. */
  readonly #new = new Set<Line>()
  #turn = 0

  add(single: Single): void {
    const key = `${single.arrival.priority} ${single.kind.id}`
    const line = this.#lines.get(key) ?? new Line(single.arrival.priority)
    this.#lines.set(key, line)
    if (line.first === undefined) this.#new.add(line)
    line.push({ ...single, turn: this.#turn++ })
  }

  priorities(): readonly number[] {
    return [...new Set([...this.#lines.values()].flatMap((line) => (line.first === undefined ? [] : [line.priority])))]
  }

  /**
   * Tries one after the other: by priority, then by arrival. `place` says whether it could be placed; a line whose first could
   * not be placed is skipped this time. `new`: only the new lines, which is enough as long as nothing has left.
   */
  serve(
    { which, priority }: { readonly which: 'all' | 'new'; readonly priority: number | undefined },
    place: (single: Single) => boolean,
  ): void {
    const from = which === 'all' ? this.#lines.values() : this.#new
    const hopeful = new Set([...from].filter((line) => priority === undefined || line.priority === priority))
    for (let line = firstOf(hopeful); line !== undefined; line = firstOf(hopeful)) {
      if (line.first !== undefined && place(line.first)) line.step()
      else hopeful.delete(line)
    }
    for (const line of this.#new) if (priority === undefined || line.priority === priority) this.#new.delete(line)
  }

  /** All of them, in order of arrival. */
  waiting(): readonly Single[] {
    return [...this.#lines.values()].flatMap((line) => line.rest()).sort((one, two) => one.turn - two.turn)
  }
}

interface Turn extends Single {
  readonly turn: number
}

/** A queue that is compacted from time to time. */
class Line {
  readonly priority: number
  #queue: Turn[] = []
  #at = 0

  constructor(priority: number) {
    this.priority = priority
  }

  get first(): Turn | undefined {
    return this.#queue[this.#at]
  }

  push(turn: Turn): void {
    this.#queue.push(turn)
  }

  step(): void {
    this.#at++
    if (this.#at < 1024 && this.#at < this.#queue.length) return
    this.#queue = this.#queue.slice(this.#at)
    this.#at = 0
  }

  rest(): readonly Turn[] {
    return this.#queue.slice(this.#at)
  }
}

/** The line whose first arrival goes first: higher priority, then earlier arrival. */
function firstOf(lines: ReadonlySet<Line>): Line | undefined {
  let best: Line | undefined
  for (const line of lines) {
    if (line.first === undefined) continue
    if (best?.first !== undefined && !isBefore(line.first, best.first)) continue
    best = line
  }
  return best
}

function isBefore(one: Turn, two: Turn): boolean {
  return (
    two.arrival.priority - one.arrival.priority < 0 ||
    (one.arrival.priority === two.arrival.priority && one.turn < two.turn)
  )
}
