import type { Change } from '../../core/life/change.ts'
import type { Place } from '../../core/life/call/order.ts'
import { isIntent, type Placement } from '../../core/life/placement.ts'
import { groupOf } from '../../core/life/slots.ts'
import type { Refusal } from '../../core/offer/offer.ts'

/** How long the others wait for the answer to a probe. */
const ANSWER_MOST_MS = 60_000

/** How long after its time a refusal still calls for a probe. */
const KEPT_MS = 3_600_000

interface Entry {
  readonly refusal: Refusal
  /** The attempt that asks again, and until when the others wait for it. */
  readonly probe?: { readonly attempt: string; readonly untilMs: number }
}

/**
 * Places that refused an order. When the time of a refusal is over, one attempt asks there again, and to all others the place
 * stays closed until it is answered. It is kept by the leader alone: another leader begins with the refusals that are stored.
 */
export class Probes {
  readonly #entries = new Map<string, Entry>()

  /** Something was written. `over`: a place is open to others again; `begun`: one is closed to them. */
  wrote(
    { placements, refusals = [] }: Pick<Change, 'placements' | 'refusals'>,
    nowMs: number,
  ): 'begun' | 'over' | undefined {
    // Refusals come first: an attempt that was refused is no probe any more.
    for (const refusal of refusals) this.refused(refusal, nowMs)
    if (this.#entries.size === 0) return undefined
    const [asking, others] = [placements.filter(isIntent), placements.filter((one) => !isIntent(one))]
    const isBegun = asking.map((placement) => this.#begin(placement, nowMs)).includes(true)
    if (others.map((placement) => this.#end(placement)).includes(true)) return 'over'
    return isBegun ? 'begun' : undefined
  }

  /** Remembers a refusal; what was known about the same place is over. */
  refused(refusal: Refusal, nowMs: number): void {
    for (const [key, { refusal: old }] of this.#entries) if (old.untilMs + KEPT_MS < nowMs) this.#entries.delete(key)
    this.#entries.set(keyOf(refusal), { refusal })
  }

  /** Places that are closed to all others until a probe is answered, as refusals. */
  get closed(): readonly Refusal[] {
    return [...this.#entries.values()].flatMap(({ refusal, probe }) =>
      probe === undefined ? [] : [{ ...refusal, untilMs: probe.untilMs }],
    )
  }

  /** Whether somebody is to ask again somewhere. */
  isAnyDue(nowMs: number): boolean {
    return this.#entries.values().some((entry) => isDue(entry, nowMs))
  }

  /** Whether several replicas would ask at once where one is to ask first. */
  isHerd(placements: readonly Placement[], nowMs: number): boolean {
    const due = [...this.#entries.values()].filter((entry) => isDue(entry, nowMs))
    return due.some(({ refusal }) => {
      const there = placements.filter(({ order }) => concerns(refusal, order.place))
      return new Set(there.map(({ order }) => groupOf(order.tag.slot))).size > 1
    })
  }

  #begin({ order: { place, tag } }: Placement, nowMs: number): boolean {
    let isNew = false
    for (const [key, entry] of this.#entries) {
      if (!isDue(entry, nowMs) || !concerns(entry.refusal, place)) continue
      const probe = { attempt: tag.attempt, untilMs: nowMs + ANSWER_MOST_MS }
      this.#entries.set(key, { refusal: entry.refusal, probe })
      isNew = true
    }
    return isNew
  }

  /** An order that was taken opens the place. One that ended unasked leaves the question to the next. */
  #end({ order: { tag }, phase }: Placement): boolean {
    if (phase === 'reserved' || phase === 'unknown') return false
    let isOver = false
    for (const [key, { refusal, probe }] of this.#entries) {
      if (probe?.attempt !== tag.attempt) continue
      if (phase === 'starting' || phase === 'running') this.#entries.delete(key)
      else this.#entries.set(key, { refusal })
      isOver = true
    }
    return isOver
  }
}

/** Whether a refusal has had its time, and nobody has been sent ahead whose answer may still come. */
function isDue({ refusal, probe }: Entry, nowMs: number): boolean {
  return refusal.untilMs <= nowMs && (probe === undefined || probe.untilMs <= nowMs)
}

function concerns({ provider, region, instance }: Refusal, place: Place): boolean {
  return (
    provider === place.provider &&
    (region ?? place.region) === place.region &&
    (instance ?? place.instance) === place.instance
  )
}

function keyOf({ provider, region, instance, why }: Refusal): string {
  return JSON.stringify([provider, region, instance, why])
}
