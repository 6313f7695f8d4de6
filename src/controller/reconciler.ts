import type { ChosenPolicy } from '../core/policy/project-rules.ts'
import { bind } from '../core/life/bind/bind.ts'
import type { BindInput } from '../core/life/bind/chosen.ts'
import { applied, isNothing, joined, NOTHING, type Change, type WorkloadRecord } from '../core/life/change.ts'
import { moved } from '../core/life/move.ts'
import { placementKey, type Placement } from '../core/life/placement.ts'
import { lookAgainMs } from '../core/life/call/pace.ts'
import { triedNow } from '../core/life/settle.ts'
import type { PlacementCall } from '../core/life/due-calls.ts'
import { reconcile, type ReconcileResult } from '../core/life/reconcile.ts'
import type { Situation } from '../core/life/situation.ts'
import type { Project } from '../core/life/rows.ts'
import type { DesiredSlot } from '../core/life/slots.ts'
import { workloadKey, type Workload } from '../core/life/workload.ts'
import { gangPorts } from '../core/life/call/rendezvous.ts'
import { policyOf } from './rules.ts'
import type { Ledger } from './ledger.ts'
import { isFreed, type Capacity } from './capacity.ts'
import type { Leadership } from './leadership.ts'
import { Alarm } from './alarm.ts'
import { Caller, type Settle } from './calls.ts'
import { Movers } from './movers.ts'
import { SeenUp } from './seen-up.ts'
import { Waiters } from './waiters.ts'

/** How long other tasks wait at most while workloads are reconciled: requests, renewals of the lease, answers. */
const TURN_MS = 4
/** Under load, other tasks get this many times as long as a turn took: accepting work comes before placing it. */
const REST_TIMES = 20
/** The assumed minimum of a turn under load: many short turns cost more than a few full ones. */
const TURN_LEAST_MS = 2
const REST_MOST_MS = 90
/** How many waiting workloads look at once for room that was just freed; the others look when its provider has been read. */
const FIRST = 16

/** How many answers about one workload are written together. */
const ANSWERS_MOST = 128

/** So many slots of one workload are changed at once by what a list showed; the next list changes the others. */
const EVIDENCE_MOST = 500

export interface Answered {
  readonly placement: Placement
  /** Undefined: the call had no result to apply. */
  readonly settle: Settle | undefined
}

/**
 * Every workload in its turn: a change is written before anything else is decided about the workload, and a call about a slot
 * is answered and written down before the next one.
 */
export class Reconciler {
  readonly #leadership: Leadership
  readonly #ledger: Ledger
  readonly #capacity: Capacity
  readonly #urgent = new Set<string>()
  readonly #dirty = new Set<string>()
  readonly #alarm = new Alarm()
  /** Workloads with a commit under way. */
  readonly #writing = new Set<string>()
  /** Answers that wait for a commit. */
  readonly #answers = new Map<string, Answered[]>()
  /** Workloads that must be looked at before further answers are taken. */
  readonly #owed = new Set<string>()
  /** Slots with a call under way, by workload and slot. */
  readonly #busy = new Set<string>()
  readonly #caller: Caller
  readonly #seenUp = new SeenUp()
  readonly #setAside = new Map<string, number>()
  readonly #waiters = new Waiters()
  readonly #movers = new Movers()
  /** Something has ended since the last turn, and left room. */
  #isRoom = false
  reconciles = 0

  constructor(leadership: Leadership, { ledger, capacity }: { readonly ledger: Ledger; readonly capacity: Capacity }) {
    this.#leadership = leadership
    this.#ledger = ledger
    this.#capacity = capacity
    this.#caller = new Caller(leadership, ledger)
  }

  get size(): number {
    return this.#ledger.keys.length
  }

  /** Whether some workload has found no room. */
  get isAnyWaiting(): boolean {
    return this.#waiters.isAny
  }

  /** What a user has just requested comes before everything else. */
  look(key: string): void {
    this.#urgent.add(key)
  }

  /** A secret that it names was set: what waits for one is tried now. During a write, it is tried in its own time. */
  tryNow(key: string): void {
    const record = this.#ledger.record(key)
    if (record === undefined || this.#writing.has(key)) return
    const change = triedNow(record)
    if (!isNothing(change)) this.#write(key, record, change)
  }

  lookAtAll(): void {
    for (const key of this.#ledger.keys) this.#dirty.add(key)
  }

  /** There may be room now for workloads without any: the first to come looks first. */
  lookAtPending(most = Number.POSITIVE_INFINITY): void {
    const uidOf = (key: string): string => this.#ledger.record(key)?.workload.uid ?? ''
    for (const key of this.#waiters.take(most, uidOf)) this.#dirty.add(key)
  }

  /** Looks at workloads that need it. Returns when to come again, if nothing happens before. */
  turn(): number | undefined {
    const { clock } = this.#leadership.deps
    for (const key of this.#alarm.due(this.#leadership.nowMs())) this.#dirty.add(key)
    if (this.#isRoom) this.lookAtPending(FIRST)
    this.#isRoom = false
    const startMs = clock.tickMs()
    let count = 0
    for (const keys of [this.#urgent, this.#dirty]) {
      for (const key of keys) {
        // It keeps its turn.
        if (this.#writing.has(key)) continue
        // One workload may have ten thousand slots: the clock is checked after each.
        const tookMs = count++ === 0 ? 0 : clock.tickMs() - startMs
        if (tookMs >= TURN_MS) return this.#leadership.nowMs() + this.#restMs(tookMs)
        keys.delete(key)
        this.#owed.delete(key)
        this.#reconcile(key)
        this.#takeAnswers(key)
      }
    }
    if (count === 0 || this.#leadership.deps.pressure?.isLarge !== true) return this.#alarm.nextMs
    return this.#leadership.nowMs() + this.#restMs(clock.tickMs() - startMs)
  }

  #restMs(tookMs: number): number {
    return this.#leadership.deps.pressure?.isLarge === true
      ? Math.min(REST_MOST_MS, Math.max(tookMs, TURN_LEAST_MS) * REST_TIMES)
      : 0
  }

  /** A list showed something about placements of one workload. Slots with a call under way are skipped this time. */
  evidence(key: string, batch: readonly Answered[]): void {
    if (this.#writing.has(key)) return
    const idle = batch.filter(({ placement }) => !this.#busy.has(placementKey(placement)))
    if (idle.length > 0) this.#settle(key, idle)
  }

  /** A list shows it as up. Whether the next replica may be touched can depend on it. */
  sawUp(placement: Placement, issuedMs: number): void {
    const { project, workload } = placement.order.tag
    if (this.#seenUp.take(placement, issuedMs)) this.look(`${project}/${workload}`)
  }

  #reconcile(key: string): void {
    this.#lookAt(key)
    for (const other of this.#movers.looked(key)) this.#dirty.add(other)
  }

  /** One bad workload never stops the others. */
  #lookAt(key: string): void {
    const record = this.#ledger.record(key)
    if (record === undefined || this.#ledger.isBroken(key)) return
    if (this.#setAside.get(key) === record.workload.generation) return
    this.reconciles++
    try {
      const again = tryAgain(record)
      const wanted = reconcile(applied(record, again), this.#situation(key))
      const change = joined(again, this.#decided(applied(record, again), wanted))
      if (!isNothing(change)) return this.#write(key, record, change)
      for (const call of wanted.calls) this.#call(key, record, call)
      if (wanted.wakeMs !== undefined) this.#alarm.set(key, wanted.wakeMs)
    } catch (error) {
      this.#putAside(key, record, { error })
    }
  }

  #situation(key: string): Situation {
    const { providers } = this.#leadership.deps.platform()
    return {
      nowMs: this.#leadership.nowMs(),
      chance: this.#leadership.deps.random.next(),
      provider: (name) => {
        const record = providers.get(name)
        return (
          record && {
            isDraining: record.state === 'draining' || record.state === 'removing',
            tokens: record.provider.can.tokens,
            gangWithinMs: record.provider.can.gangWithinMs,
            groups: record.provider.can.groups,
          }
        )
      },
      isBusy: (slot) => this.#busy.has(`${key}/${slot}`),
      lookedMs: (slot) => this.#caller.looked.get(`${key}/${slot}`),
      startingMs: (slot) => this.#caller.starting.get(`${key}/${slot}`),
      upMs: (slot) => this.#seenUp.of(`${key}/${slot}`),
    }
  }

  /** What reconcile wants written, with the places chosen for what it wants placed or moved. */
  #decided(record: WorkloadRecord, { change, place, move }: ReconcileResult): Change {
    const now = applied(record, change)
    if (change.forget === true) return change
    if (place.length > 0) return joined(change, this.#place(now, place))
    if (move !== undefined && isNothing(change)) return this.#move(now, move)
    return change
  }

  /** A workload that found no room looks again after a while, or on news. */
  #place(record: WorkloadRecord, groups: readonly (readonly DesiredSlot[])[]): Change {
    const key = workloadKey(record.workload)
    if (!this.#movers.mayLook(key)) return NOTHING
    const nowMs = this.#leadership.nowMs()
    const againMs = this.#waiters.untilMs(key)
    if (againMs > nowMs) {
      // The single alarm of this workload may have been spent on something else.
      this.#alarm.set(key, againMs)
      return NOTHING
    }
    const { clock, decided } = this.#leadership.deps
    const beganMs = decided === undefined ? 0 : clock.tickMs()
    const bindInput = this.#capacity.isKnown ? this.#bindInput(record) : undefined
    const change = bindInput === undefined ? this.#waitForCapacity(record) : bind(record, groups, bindInput)
    decided?.(clock.tickMs() - beganMs)
    if (change.placements.length === groups.flat().length || change.status?.end !== undefined) this.#waiters.leave(key)
    else this.#lookLater(key, this.#capacity.isKnown ? lookAgainMs(this.#leadership.deps.random.next()) : 1000)
    return change
  }

  #lookLater(key: string, waitMs: number): void {
    const atMs = this.#leadership.nowMs() + waitMs
    this.#waiters.wait(key, atMs)
    this.#alarm.set(key, atMs)
  }

  /** Nothing can be decided before providers have answered, or without the policy. */
  #waitForCapacity(record: WorkloadRecord): Change {
    const chosen = this.#policyOf(record.workload)
    if ('policy' in chosen || record.status.waiting?.code === chosen.problem.code) return NOTHING
    const { policy } = record.workload.manifest
    const { code, message } = chosen.problem
    const nowMs = this.#leadership.nowMs()
    const text = code === 'POLICY_UNKNOWN' ? `there is no policy called ${policy ?? ''}` : message.replace(/\.$/, '')
    const waiting = { sinceMs: nowMs, code, text, nextLookMs: nowMs + lookAgainMs(0.5) }
    return { ...NOTHING, status: { ...record.status, waiting } }
  }

  /** A group in the wrong place leaves once it has another place. */
  #move(record: WorkloadRecord, move: NonNullable<ReconcileResult['move']>): Change {
    const bindInput = this.#capacity.isKnown ? this.#bindInput(record) : undefined
    const change = bindInput && moved(record, move, bindInput)
    if (change !== undefined) return change
    this.#alarm.set(workloadKey(record.workload), this.#leadership.nowMs() + lookAgainMs(bindInput?.chance ?? 0))
    return NOTHING
  }

  #bindInput({ workload }: WorkloadRecord): BindInput | undefined {
    const { deps } = this.#leadership
    const chosen = this.#policyOf(workload)
    if ('problem' in chosen) return undefined
    return {
      snapshot: this.#capacity.snapshot(),
      policy: chosen.policy,
      owner: deps.owner,
      newId: deps.random.id,
      limits: this.#limits(workload.project),
      usage: this.#ledger.usage(workload.project),
      nowMs: this.#leadership.nowMs(),
      chance: deps.random.next(),
      rendezvous: (provider) => deps.platform().providers.get(provider)?.provider.can.rendezvous,
      gangPorts: (provider) => gangPorts(this.#ledger.on(provider).values()),
    }
  }

  /** As its project may use it now, whatever held when it was applied. */
  #policyOf(workload: Workload): ChosenPolicy {
    return policyOf(workload, this.#limits(workload.project), this.#leadership.deps.platform())
  }

  /** The infrastructure file takes precedence over the API. */
  #limits(project: string): Project {
    const stated = this.#leadership.deps.platform().config?.projects.find(({ name }) => name === project)
    return stated ?? this.#ledger.limits(project)
  }

  #write(key: string, record: WorkloadRecord, change: Change): void {
    const writes = this.#ledger.write(key, change)
    this.#capacity.changed(change)
    this.#movers.wrote(key, change)
    this.#isRoom ||= change.placements.some(isFreed)
    this.#writing.add(key)
    void this.#leadership.commit(writes, this.#leadership.eventsOf(record.workload, change)).then((versions) => {
      if (versions === undefined) return
      this.#ledger.landed(key, writes, { kind: 'done', versions, seq: 0 })
      this.#writing.delete(key)
      this.#dirty.add(key)
      this.#takeAnswers(key)
      this.#leadership.poke()
    })
  }

  /**
   * Answers are applied in turn: not while a write of the same workload is under way. Waiting answers are written together;
   * then the workload is looked at before the next ones are applied.
   */
  #takeAnswers(key: string): void {
    const waiting = this.#answers.get(key)
    if (waiting === undefined || this.#writing.has(key) || this.#owed.has(key)) return
    const batch = waiting.splice(0, ANSWERS_MOST)
    if (waiting.length === 0) this.#answers.delete(key)
    for (const { placement } of batch) this.#busy.delete(placementKey(placement))
    this.#dirty.add(key)
    if (!this.#leadership.isOver) this.#settle(key, batch)
    this.#leadership.poke()
  }

  #call(key: string, record: WorkloadRecord, { kind, slot, mates = [] }: PlacementCall): void {
    const placements = [slot, ...mates].flatMap((each) => record.placements.get(each) ?? [])
    const [placement] = placements
    const provider =
      placement && this.#leadership.deps.platform().providers.get(placement.order.place.provider)?.provider
    if (provider === undefined) return
    const gate = this.#leadership.gates.of(provider)
    for (const each of placements) this.#busy.add(placementKey(each))
    void this.#caller.answersOf(kind, placements, gate).then((settles) => {
      const waiting = this.#answers.get(key) ?? []
      this.#answers.set(key, waiting)
      waiting.push(...placements.map((each, index) => ({ placement: each, settle: settles[index] })))
      this.#takeAnswers(key)
    })
  }

  /**
   * One after the other, each based on the outcome of those before it. The placements, perhaps ten thousand, are copied only
   * once.
   */
  #settle(key: string, batch: readonly Answered[]): void {
    const record = this.#ledger.record(key)
    if (record === undefined) return
    const placements = new Map(batch.length === 1 ? [] : record.placements)
    let now: WorkloadRecord = batch.length === 1 ? record : { ...record, placements }
    let change = NOTHING
    const looks: string[] = []
    try {
      for (const { placement: about, settle } of batch) {
        const { slot, attempt } = about.order.tag
        const placement = now.placements.get(slot)
        if (settle === undefined || placement?.order.tag.attempt !== attempt) continue
        const next = settle(now, placement)
        if (next === 'look') looks.push(slot)
        if (next === 'look') continue
        change = joined(change, next)
        for (const each of next.placements) placements.set(each.order.tag.slot, each)
        now = { ...now, status: next.status ?? now.status }
        if (change.placements.length >= EVIDENCE_MOST) break
      }
      if (!isNothing(change)) this.#write(key, record, change)
      if (!isNothing(change)) this.#owed.add(key)
    } catch (error) {
      return this.#putAside(key, now, { error, change })
    }
    for (const slot of looks) this.#call(key, record, { kind: 'describe', slot })
  }

  #putAside(
    key: string,
    record: WorkloadRecord,
    { error, change = NOTHING }: { error: unknown; change?: Change },
  ): void {
    const why = error instanceof Error ? error.message : String(error)
    this.#setAside.set(key, record.workload.generation)
    this.#leadership.deps.log.error('set aside: this workload cannot be handled', { workload: key, why })
    const status = { ...record.status, setAside: why.slice(0, 500) }
    const happened = { kind: 'set-aside', facts: { why: status.setAside } } as const
    this.#write(key, record, joined(change, { ...NOTHING, status, events: [happened] }))
  }
}

/** A workload that was set aside by an earlier leader, or another version, is tried again. */
function tryAgain({ status }: WorkloadRecord): Change {
  return status.setAside === undefined ? NOTHING : { ...NOTHING, status: { ...status, setAside: undefined } }
}
