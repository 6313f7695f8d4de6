import { must } from '../base/assert.ts'
import { bind } from './bind/bind.ts'
import type { BindInput } from './bind/chosen.ts'
import { applied, isNothing, joined, type Change, type WorkloadRecord } from './change.ts'
import { instanceOf, slotIn, evidenceOf } from './keep.suite.ts'
import type { Placement } from './placement.ts'
import { leave } from './leave.ts'
import type { PlacementCall } from './due-calls.ts'
import { reconcile, type ReconcileResult } from './reconcile.ts'
import type { Situation } from './situation.ts'
import { groupOf } from './slots.ts'
import { settleLaunch, settleStop } from './settle.ts'
import { see } from './evidence.ts'

const SETTLE_MS = 1000

/** A provider that does as it is told and tells the truth at once, with the controller's loop around one workload. */
export class Faithful {
  record: WorkloadRecord
  nowMs: number
  isForgotten = false
  /** Attempts that are billed, by slot. */
  readonly #live = new Map<string, Set<string>>()
  readonly #capacity: BindInput
  readonly #tokens: boolean

  constructor(
    record: WorkloadRecord,
    { capacity, tokens }: { readonly capacity: BindInput; readonly tokens: boolean },
  ) {
    this.record = record
    this.#capacity = capacity
    this.#tokens = tokens
    this.nowMs = capacity.nowMs
    for (const placement of record.placements.values()) if (placement.instance !== undefined) this.#create(placement)
  }

  /** Attempts billed for a slot now. */
  billed(slot: string): number {
    return this.#live.get(slot)?.size ?? 0
  }

  situation(): Situation {
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

  /** Writes what is wanted, makes the calls and shows the list. Returns whether anything happened. */
  step(): boolean {
    const wanted = reconcile(this.record, this.situation())
    const now = applied(this.record, wanted.change)
    const placing = wanted.place.length === 0 ? wanted.change : joined(wanted.change, this.#bind(now, wanted.place))
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

  /** Runs until nothing happens any more, or for the given number of steps. */
  settle(steps = 200): number {
    let taken = 0
    while (taken < steps && this.step()) taken++
    return taken
  }

  /** There is always another place to move to. */
  #move({ group, why }: NonNullable<ReconcileResult['move']>): boolean {
    for (const placement of this.record.placements.values()) {
      if (groupOf(placement.order.tag.slot) !== group || placement.phase === 'gone') continue
      this.#write(leave(this.record, placement, { to: 'stopping', why, nowMs: this.nowMs, chance: 0.5 }))
    }
    return true
  }

  #bind(record: WorkloadRecord, groups: Parameters<typeof bind>[1]): Change {
    return bind(record, groups, { ...this.#capacity, nowMs: this.nowMs })
  }

  #write(change: Change): void {
    this.record = applied(this.record, change)
  }

  #create({ order: { tag } }: Placement): void {
    const live = this.#live.get(tag.slot) ?? new Set()
    this.#live.set(tag.slot, live.add(tag.attempt))
  }

  #call({ kind, slot }: PlacementCall): void {
    const placement = slotIn(this.record, slot)
    const { attempt } = placement.order.tag
    const moment = { nowMs: this.nowMs, chance: 0.5 }
    if (kind === 'launch') {
      this.#create(placement)
      const value = { instance: `i-${attempt}`, usdPerHour: placement.order.usdPerHourMax }
      return this.#write(settleLaunch(this.record, placement, { answer: { ok: true, value }, ...moment }))
    }
    if (kind === 'stop') {
      this.#live.get(slot)?.delete(attempt)
      return this.#write(settleStop(this.record, placement, { answer: { ok: true, value: { gone: true } }, ...moment }))
    }
    this.#show(placement, 'describe')
  }

  /** Only lists can tell what became of an attempt without a name. */
  #list(): boolean {
    const unclear = [...this.record.placements.values()].filter(
      ({ phase, instance }) => instance === undefined && (phase === 'unknown' || phase === 'stopping'),
    )
    if (unclear.length === 0) return false
    this.nowMs += 40_000
    for (const placement of unclear)
      this.#show(must(this.record.placements.get(placement.order.tag.slot), 'known'), 'list')
    return true
  }

  #show(placement: Placement, from: 'list' | 'describe'): void {
    const { slot, attempt } = placement.order.tag
    const isThere = this.#live.get(slot)?.has(attempt) === true
    const instance = isThere ? instanceOf({ ...placement, instance: `i-${attempt}` }) : undefined
    const about = { from, issuedMs: this.nowMs, settleMs: SETTLE_MS, nowMs: this.nowMs }
    const change = see(this.record, placement, evidenceOf(instance, about))
    if (change !== 'look') this.#write(change)
  }
}
