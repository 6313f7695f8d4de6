import { must } from '../base/assert.ts'
import { allot } from './allot/allot.ts'
import type { Allotting } from './allot/chosen.ts'
import { applied, isNothing, joined, type Change, type Kept } from './change.ts'
import { instanceOf, slotIn, sightOf } from './keep.suite.ts'
import type { Placement } from './placement.ts'
import { leave } from './leave.ts'
import { reconcile, type PlacementCall, type Wanted } from './reconcile.ts'
import type { Around } from './around.ts'
import { groupOf } from './slots.ts'
import { settleLaunch, settleStop } from './settle.ts'
import { see } from './sight.ts'

const SETTLE_MS = 1000

/** A provider that does as it is told and tells the truth at once, and the controller's loop around one workload. */
export class Faithful {
  kept: Kept
  nowMs: number
  isForgotten = false
  /** Attempts that are billed, by slot. */
  readonly #live = new Map<string, Set<string>>()
  readonly #shelf: Allotting
  readonly #tokens: boolean

  constructor(kept: Kept, { shelf, tokens }: { readonly shelf: Allotting; readonly tokens: boolean }) {
    this.kept = kept
    this.#shelf = shelf
    this.#tokens = tokens
    this.nowMs = shelf.nowMs
    for (const placement of kept.placements.values()) if (placement.instance !== undefined) this.#create(placement)
  }

  /** Attempts billed for a slot now. */
  billed(slot: string): number {
    return this.#live.get(slot)?.size ?? 0
  }

  around(): Around {
    return {
      nowMs: this.nowMs,
      chance: 0.5,
      provider: () => ({ isDraining: false, tokens: this.#tokens }),
      isBusy: () => false,
      lookedMs: () => undefined,
      startingMs: () => this.nowMs,
      upMs: () => this.nowMs,
    }
  }

  /** Writes what is wanted, makes the calls, shows the list; answers whether anything happened. */
  step(): boolean {
    const wanted = reconcile(this.kept, this.around())
    const now = applied(this.kept, wanted.change)
    const placing = wanted.place.length === 0 ? wanted.change : joined(wanted.change, this.#allot(now, wanted.place))
    if (placing.forget === true) this.isForgotten = true
    this.#write(placing)
    if (!isNothing(placing)) return !this.isForgotten
    if (wanted.move !== undefined) return this.#move(wanted.move)
    for (const call of wanted.calls) this.#call(call)
    const isListed = this.#list()
    if (wanted.calls.length > 0 || isListed) return true
    if (wanted.wakeMs === undefined) return false
    this.nowMs = wanted.wakeMs
    return true
  }

  /** Until nothing happens any more, or for so many steps. */
  settle(steps = 200): number {
    let taken = 0
    while (taken < steps && this.step()) taken++
    return taken
  }

  /** There is always somewhere to go. */
  #move({ group, why }: NonNullable<Wanted['move']>): boolean {
    for (const placement of this.kept.placements.values()) {
      if (groupOf(placement.order.tag.slot) !== group || placement.phase === 'gone') continue
      this.#write(leave(this.kept, placement, { to: 'stopping', why, nowMs: this.nowMs, chance: 0.5 }))
    }
    return true
  }

  #allot(kept: Kept, groups: Parameters<typeof allot>[1]): Change {
    return allot(kept, groups, { ...this.#shelf, nowMs: this.nowMs })
  }

  #write(change: Change): void {
    this.kept = applied(this.kept, change)
  }

  #create({ order: { tag } }: Placement): void {
    const live = this.#live.get(tag.slot) ?? new Set()
    this.#live.set(tag.slot, live.add(tag.attempt))
  }

  #call({ kind, slot }: PlacementCall): void {
    const placement = slotIn(this.kept, slot)
    const { attempt } = placement.order.tag
    const moment = { nowMs: this.nowMs, chance: 0.5 }
    if (kind === 'launch') {
      this.#create(placement)
      const value = { instance: `i-${attempt}`, usdPerHour: placement.order.usdPerHourMax }
      return this.#write(settleLaunch(this.kept, placement, { answer: { ok: true, value }, ...moment }))
    }
    if (kind === 'stop') {
      this.#live.get(slot)?.delete(attempt)
      return this.#write(settleStop(this.kept, placement, { answer: { ok: true, value: { gone: true } }, ...moment }))
    }
    this.#show(placement, 'describe')
  }

  /** Only lists can tell what became of an attempt without a name. */
  #list(): boolean {
    const unclear = [...this.kept.placements.values()].filter(
      ({ phase, instance }) => instance === undefined && (phase === 'unknown' || phase === 'stopping'),
    )
    if (unclear.length === 0) return false
    this.nowMs += 40_000
    for (const placement of unclear)
      this.#show(must(this.kept.placements.get(placement.order.tag.slot), 'known'), 'list')
    return true
  }

  #show(placement: Placement, from: 'list' | 'describe'): void {
    const { slot, attempt } = placement.order.tag
    const isThere = this.#live.get(slot)?.has(attempt) === true
    const instance = isThere ? instanceOf({ ...placement, instance: `i-${attempt}` }) : undefined
    const about = { from, issuedMs: this.nowMs, settleMs: SETTLE_MS, nowMs: this.nowMs }
    const change = see(this.kept, placement, sightOf(instance, about))
    if (change !== 'look') this.#write(change)
  }
}
