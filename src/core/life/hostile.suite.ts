import { bind } from './bind/bind.ts'
import type { BindInput } from './bind/chosen.ts'
import { applied, isNothing, joined, type Change, type WorkloadRecord } from './change.ts'
import type { Instance } from './call/instance.ts'
import { isBilled, type Placement } from './placement.ts'
import type { PlacementCall } from './due-calls.ts'
import { reconcile } from './reconcile.ts'
import type { Situation } from './situation.ts'
import { settleLaunch, settleStop, type LaunchAnswer } from './settle.ts'
import { see, type Evidence } from './evidence.ts'
import type { Workload } from './workload.ts'

/** What may happen next; `dice` decides how. */
export interface Turn {
  readonly kind: 'look' | 'answer' | 'list' | 'pass' | 'end' | 'user'
  readonly dice: number
}

/** The truth about one attempt: it exists from `fromMs` on, until it ended. */
interface Thing {
  readonly placement: Placement
  readonly name: string
  readonly fromMs: number
  isOver: boolean
}

interface Flying {
  readonly call: PlacementCall
  readonly placement: Placement
  readonly issuedMs: number
}

/**
 * A provider that loses answers, creates late and lists late, as far as the contract allows, and a user who keeps changing
 * the manifest; around them, what the controller does with one workload.
 */
export class Hostile {
  record: WorkloadRecord
  nowMs: number
  readonly #settleMs: number
  readonly #tokens: boolean
  readonly #capacity: BindInput
  readonly #workloads: readonly Workload[]
  readonly #things = new Map<string, Thing>()
  readonly #flying = new Map<string, Flying>()

  constructor(
    record: WorkloadRecord,
    parts: {
      readonly capacity: BindInput
      readonly settleMs: number
      readonly tokens: boolean
      readonly workloads: readonly Workload[]
    },
  ) {
    this.record = record
    this.#capacity = parts.capacity
    this.#settleMs = parts.settleMs
    this.#tokens = parts.tokens
    this.#workloads = parts.workloads
    this.nowMs = parts.capacity.nowMs
  }

  /** Attempts that exist or will exist, and cost money. */
  get alive(): readonly Placement[] {
    return [...this.#things.values()].filter(({ isOver }) => !isOver).map(({ placement }) => placement)
  }

  take({ kind, dice }: Turn): void {
    switch (kind) {
      case 'look':
        return this.#look()
      case 'answer':
        return this.#answer(dice)
      case 'list':
        return this.#list(dice)
      case 'pass':
        this.nowMs += (dice % 90) * 1000
        return
      case 'end':
        return this.#end(dice)
      case 'user': {
        const workload = this.#workloads[dice % this.#workloads.length] ?? this.record.workload
        this.record = { ...this.record, workload: { ...workload, generation: this.record.workload.generation + 1 } }
      }
    }
  }

  #situation(): Situation {
    return {
      nowMs: this.nowMs,
      chance: 0.5,
      provider: () => ({ isDraining: false, tokens: this.#tokens }),
      isBusy: (slot) => this.#flying.has(slot),
      lookedMs: () => undefined,
      startingMs: () => this.nowMs,
      upMs: () => this.nowMs,
    }
  }

  #write(change: Change): void {
    this.record = applied(this.record, change)
  }

  #look(): void {
    const wanted = reconcile(this.record, this.#situation())
    if (wanted.change.forget === true) return
    const now = applied(this.record, wanted.change)
    const more = wanted.place.length === 0 ? [] : [bind(now, wanted.place, { ...this.#capacity, nowMs: this.nowMs })]
    const change = more.reduce(joined, wanted.change)
    this.#write(change)
    if (!isNothing(change)) return
    for (const call of wanted.calls) this.#fly(call)
  }

  #fly(call: PlacementCall): void {
    const placement = this.record.placements.get(call.slot)
    if (placement !== undefined) this.#flying.set(call.slot, { call, placement, issuedMs: this.nowMs })
  }

  #answer(dice: number): void {
    const flying = [...this.#flying.values()][dice % Math.max(1, this.#flying.size)]
    if (flying === undefined) return
    const { call, placement, issuedMs } = flying
    this.#flying.delete(call.slot)
    const now = this.record.placements.get(call.slot)
    if (now === undefined || now.order.tag.attempt !== placement.order.tag.attempt) return
    const moment = { nowMs: this.nowMs, chance: 0.5 }
    if (call.kind === 'launch') {
      const answer = this.#launched(now, dice)
      this.#write(settleLaunch(this.record, now, { answer, ...moment }))
    } else if (call.kind === 'stop') {
      const gone = this.#stopped(now, dice)
      this.#write(settleStop(this.record, now, { answer: { ok: true, value: { gone } }, ...moment }))
    } else {
      this.#see(now, { instance: this.#shown(now, dice), from: 'describe', issuedMs })
    }
  }

  /** Created now, later or not at all; the answer arrives or is lost. */
  #launched(placement: Placement, dice: number): LaunchAnswer {
    const { attempt } = placement.order.tag
    const known = this.#things.get(attempt)
    const lost: LaunchAnswer = { ok: false, fault: { class: 'AMBIGUOUS', message: '' } }
    const way = dice % 7
    if (known === undefined || !this.#tokens) {
      if (way === 0) return { ok: false, fault: { class: 'SOLD_OUT', message: '' } }
      if (way === 1) return { ok: false, fault: { class: 'RATE_LIMIT', message: '', retryAfterMs: 5000 } }
      if (way === 2) return lost
      // A second create of one attempt is a second bill: it gets a name of its own so that it is counted.
      const name = known === undefined ? attempt : `${attempt}-again`
      const fromMs = this.nowMs + (way === 3 ? dice % this.#settleMs : 0)
      this.#things.set(name, { placement, name: `i-${name}`, fromMs, isOver: false })
      if (way === 3 || way === 4) return lost
    }
    return { ok: true, value: { instance: `i-${attempt}`, usdPerHour: way === 5 ? 1e6 : 1 } }
  }

  #stopped({ order: { tag }, instance }: Placement, dice: number): boolean {
    const thing = this.#things.get(tag.attempt)
    // A stop by tag alone finds only what is there by now.
    if (thing === undefined || (instance === undefined && thing.fromMs > this.nowMs)) return true
    if (dice % 3 === 0) return thing.isOver
    thing.isOver = true
    return true
  }

  /** The truth; or nothing, while the contract still allows that. */
  #shown(placement: Placement, dice: number): Instance | undefined {
    const { tag } = placement.order
    const thing = this.#things.get(tag.attempt)
    if (thing === undefined || thing.fromMs > this.nowMs) return undefined
    const mayLag = this.nowMs < placement.calledMs + this.#settleMs
    if (mayLag && dice % 2 === 0) return undefined
    if (thing.isOver) return dice % 3 === 0 ? undefined : { instance: thing.name, tag, state: 'ended' }
    return { instance: thing.name, tag, state: dice % 5 === 0 ? 'starting' : 'up' }
  }

  #list(dice: number): void {
    for (const placement of [...this.record.placements.values()].filter(isBilled)) {
      if (this.#flying.has(placement.order.tag.slot)) continue
      this.#see(placement, { instance: this.#shown(placement, dice), from: 'list', issuedMs: this.nowMs })
    }
  }

  #see(placement: Placement, evidence: Pick<Evidence, 'instance' | 'from' | 'issuedMs'>): void {
    const about = { settleMs: this.#settleMs, tokens: this.#tokens, nowMs: this.nowMs, chance: 0.5 }
    const change = see(this.record, placement, { ...evidence, ...about })
    if (change === 'look') this.#fly({ kind: 'describe', slot: placement.order.tag.slot })
    else this.#write(change)
  }

  #end(dice: number): void {
    const alive = [...this.#things.values()].filter(({ isOver, fromMs }) => !isOver && fromMs <= this.nowMs)
    const thing = alive[dice % Math.max(1, alive.length)]
    if (thing !== undefined) thing.isOver = true
  }
}
