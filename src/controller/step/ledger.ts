import { applied, type Change, type WorkloadRecord } from '../../core/life/change.ts'
import { billKey, billOf } from '../../core/life/bill.ts'
import { REFUSAL_MOST_MS, SKEW_MOST_MS } from '../../core/life/call/pace.ts'
import { isBilled, placementKey, type Phase, type Placement } from '../../core/life/placement.ts'
import type { Project, RowKind } from '../../core/life/rows.ts'
import { FRESH_STATUS, type Status } from '../../core/life/status.ts'
import { viewOf } from '../../core/life/view/summary.ts'
import { NO_LIMITS } from '../../core/life/bind/usage.ts'
import { secretsNeeded } from '../../core/manifest/secret-names.ts'
import type { Usage } from '../../core/place/limits.ts'
import type { WorkloadState } from '../../core/life/view/view.ts'
import { workloadKey, type Workload } from '../../core/life/workload.ts'
import type { Refusal } from '../../core/offer/offer.ts'
import type { ControllerCounts } from '../counts.ts'
import type { StoreChange as RowChange, Row, Write } from '../../ports/store.ts'

/** A workload in memory, with the versions of its rows in the store. */
interface Entry {
  record: WorkloadRecord
  /** By kind and key; a row that does not exist has none. */
  readonly versions: Map<string, number>
}

/** What other processes wrote, as far as the leader needs to know: keys of changed workloads, and whether limits changed. */
interface Pulled {
  readonly keys: readonly string[]
  readonly isRules: boolean
}

/** The kinds of row that the ledger holds, in the order in which it takes them. */
export const LEDGER_KINDS = ['workload', 'status', 'placement', 'refusal', 'project'] as const

export type LedgerRow = { [K in (typeof LEDGER_KINDS)[number]]: Row<K> }[(typeof LEDGER_KINDS)[number]]

/**
 * Everything durable that the leader needs, in memory. The leader is the only writer of statuses, placements and refusals, so
 * its memory equals the store as long as every commit lands. If one does not, the ledger is discarded as a whole.
 */
export class Ledger {
  readonly #entries = new Map<string, Entry>()
  readonly #byProvider = new Map<string, Map<string, Placement>>()
  readonly #usage = new Map<string, Usage>()
  readonly #limits = new Map<string, Project>()
  readonly #refusals = new Map<string, Refusal>()
  readonly #damaged: string[] = []
  readonly #broken = new Set<string>()
  /** The placements found so far for each workload, which are set at once at the end. */
  readonly #loading = new Map<Entry, Map<string, Placement>>()
  /** Called with each change of a placement that is billed before it or after it. */
  onBilled: (before: Placement | undefined, after: Placement | undefined) => void = () => undefined

  /** Takes rows as they are in the store. All workloads come before their statuses and placements. */
  take(rows: readonly LedgerRow[]): void {
    for (const row of rows) this.#tryTake(row, () => this.#takeRow(row))
  }

  /** All rows have been taken. */
  loaded(): void {
    for (const [entry, found] of this.#loading) entry.record = { ...entry.record, placements: found }
    this.#loading.clear()
  }

  /** Invalid rows that were ignored: `placement default/chat/0`. */
  get damaged(): readonly string[] {
    return this.#damaged
  }

  /** Whether a row of the workload was ignored: nothing can be decided about the workload without it. */
  isBroken(key: string): boolean {
    return this.#broken.has(key)
  }

  get keys(): readonly string[] {
    return [...this.#entries.keys()]
  }

  get refusals(): readonly Refusal[] {
    return [...this.#refusals.values()]
  }

  record(key: string): WorkloadRecord | undefined {
    return this.#entries.get(key)?.record
  }

  /** Billed placements on a provider, by the key of their row. */
  on(provider: string): ReadonlyMap<string, Placement> {
    return this.#byProvider.get(provider) ?? NONE
  }

  /** Billed placements by provider. */
  *held(): Iterable<readonly [string, Iterable<Placement>]> {
    for (const [provider, placements] of this.#byProvider) yield [provider, placements.values()]
  }

  usage(project: string): Usage {
    return this.#usage.get(project) ?? { gpus: 0, usdPerHour: 0 }
  }

  limits(project: string): Project {
    return this.#limits.get(project) ?? NO_LIMITS
  }

  /** How many there are of each kind, for metrics. */
  counted(): Pick<ControllerCounts, 'workloads' | 'placements'> {
    const workloads: Partial<Record<WorkloadState, number>> = {}
    const phases: Partial<Record<Phase, number>> = {}
    for (const { record } of this.#entries.values()) {
      const state = states.get(record) ?? stateOf(record)
      states.set(record, state)
      workloads[state] = (workloads[state] ?? 0) + 1
      for (const { phase } of record.placements.values()) phases[phase] = (phases[phase] ?? 0) + 1
    }
    return { workloads, placements: phases }
  }

  /** What other processes wrote of workloads and projects. */
  changed(changes: readonly RowChange[]): Pulled {
    const keys = new Set<string>()
    let isRules = false
    for (const change of changes) {
      if (change.kind === 'workload') this.#tryTake(change, () => this.#takeChange(change) && keys.add(change.key))
      if (change.kind === 'project') isRules = this.#takeLimits(change) || isRules
    }
    return { keys: [...keys], isRules }
  }

  /** Keys of workloads that name one of these secrets, which are given as `project/name`. */
  naming(secrets: ReadonlySet<string>): readonly string[] {
    if (secrets.size === 0) return []
    return this.keys.filter((key) => {
      const workload = this.record(key)?.workload
      return workload && secretsNeeded(workload.manifest).some((name) => secrets.has(`${workload.project}/${name}`))
    })
  }

  /** Applies a change as if it had landed, and returns its writes. */
  write(key: string, change: Change): readonly Write[] {
    const entry = this.#entries.get(key)
    if (entry === undefined) return []
    if (change.forget === true) return this.#forget(key, entry)
    const before = entry.record
    entry.record = applied(before, change)
    const writes: Write[] = change.placements.map((placement) => {
      this.#reindex(before.placements.get(placement.order.tag.slot), placement)
      return this.#put(entry, { kind: 'placement', key: placementKey(placement), body: placement })
    })
    if (change.status !== undefined) writes.push(this.#put(entry, { kind: 'status', key, body: change.status }))
    for (const placement of change.placements) {
      const bill = billOf(before.placements.get(placement.order.tag.slot), placement)
      if (bill !== undefined) writes.push({ kind: 'bill', key: billKey(bill), body: bill })
    }
    for (const refusal of change.refusals ?? []) {
      this.#refusals.set(refusalKey(refusal), refusal)
      writes.push({ kind: 'refusal', key: refusalKey(refusal), body: refusal })
    }
    return writes
  }

  /** Records the versions that the store gave the rows. */
  landed(key: string, writes: readonly Write[], versions: readonly number[]): void {
    const entry = this.#entries.get(key)
    // Refusals concern all workloads, and bills are kept: they are not deleted with the workload that they came from.
    writes.forEach((write, index) => {
      if (write.kind !== 'refusal' && write.kind !== 'bill') entry?.versions.set(rowName(write), versions[index] ?? 0)
    })
  }

  /**
   * Refusals last, from when they are read, no longer than intended. One from the future was written by a different clock: its
   * age is unknown, so it does not count.
   */
  recut(nowMs: number): readonly Write[] {
    const odd = [...this.#refusals].filter(([, { atMs }]) => atMs > nowMs + SKEW_MOST_MS)
    for (const [key] of odd) this.#refusals.delete(key)
    const late = [...this.#refusals].flatMap(([key, refusal]) => {
      const lastingMs = Math.min(Math.max(0, refusal.untilMs - refusal.atMs), REFUSAL_MOST_MS)
      const untilMs = Math.min(refusal.untilMs, nowMs + lastingMs)
      return untilMs === refusal.untilMs ? [] : [{ key, body: { ...refusal, atMs: nowMs, untilMs } }]
    })
    for (const { key, body } of late) this.#refusals.set(key, body)
    return [...late, ...odd.map(([key]) => ({ key, body: undefined }))].map((row) => ({ kind: 'refusal', ...row }))
  }

  /** Expired refusals, as deletes. */
  expired(nowMs: number): readonly Write[] {
    const over = [...this.#refusals].filter(([, { untilMs }]) => untilMs <= nowMs)
    for (const [key] of over) this.#refusals.delete(key)
    return over.map(([key]) => ({ kind: 'refusal', key, body: undefined }))
  }

  #put(
    entry: Entry,
    row: { kind: 'placement'; key: string; body: Placement } | { kind: 'status'; key: string; body: Status },
  ): Write {
    return { ...row, version: entry.versions.get(rowName(row)) ?? 0 }
  }

  #forget(key: string, entry: Entry): readonly Write[] {
    for (const placement of entry.record.placements.values()) this.#reindex(placement, undefined)
    this.#entries.delete(key)
    return [...entry.versions].map(([name, version]) => {
      const colon = name.indexOf(':')
      // Proven: names are made by rowName from a kind.
      return { kind: name.slice(0, colon) as RowKind, key: name.slice(colon + 1), version, body: undefined }
    })
  }

  /** One invalid row is ignored, and affects no other. */
  #tryTake({ kind, key }: Pick<Row, 'kind' | 'key'>, take: () => void): void {
    try {
      take()
    } catch {
      this.#damaged.push(`${kind} ${key}`)
      this.#broken.add(key.split('/', 2).join('/'))
    }
  }

  #takeRow(row: LedgerRow): void {
    switch (row.kind) {
      case 'workload':
        return this.#take(row)
      case 'status':
        return this.#takeStatus(row)
      case 'placement':
        return this.#takePlacement(row)
      case 'refusal':
        return void this.#refusals.set(row.key, row.body)
      case 'project':
        return void this.#limits.set(row.key, row.body)
    }
  }

  #take({ key, version, body }: Row<'workload'>): void {
    const before = this.#entries.get(key)
    const versions = before?.versions ?? new Map<string, number>()
    versions.set(`workload:${key}`, version)
    const status = before?.record.status ?? { ...FRESH_STATUS, uid: body.uid, generation: 0 }
    this.#entries.set(key, {
      record: { workload: body, status, placements: before?.record.placements ?? new Map() },
      versions,
    })
  }

  #takeStatus({ key, version, body }: Row<'status'>): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    entry.versions.set(`status:${key}`, version)
    entry.record = { ...entry.record, status: body }
  }

  #takePlacement({ key, version, body }: Row<'placement'>): void {
    const entry = this.#entries.get(workloadKeyOf(body))
    if (entry === undefined) return
    entry.versions.set(`placement:${key}`, version)
    const found = this.#loading.get(entry) ?? new Map<string, Placement>()
    this.#loading.set(entry, found)
    found.set(body.order.tag.slot, body)
    this.#reindex(undefined, body)
  }

  /** Only what is newer than what is known: our own writes appear here, too. */
  #takeChange(change: RowChange): boolean {
    if (change.body === undefined || change.kind !== 'workload') return false
    const known = this.#entries.get(change.key)?.versions.get(`workload:${change.key}`)
    if (known !== undefined && known >= change.version && this.record(change.key)?.workload.uid === bodyOf(change).uid)
      return false
    this.#take({ ...change, kind: 'workload', body: bodyOf(change) })
    return true
  }

  #takeLimits(change: RowChange): boolean {
    if (change.kind !== 'project') return false
    if (change.body === undefined) this.#limits.delete(change.key)
    // Proven: rows of this kind hold projects.
    else this.#limits.set(change.key, change.body as Project)
    return true
  }

  #reindex(before: Placement | undefined, after: Placement | undefined): void {
    const [from, into] = [before, after].map((placement) => (placement && isBilled(placement) ? placement : undefined))
    if (from !== undefined) this.#count(from, -1)
    if (into !== undefined) this.#count(into, 1)
    if (from !== undefined || into !== undefined) this.onBilled(from, into)
  }

  #count(placement: Placement, sign: 1 | -1): void {
    const { tag, place } = placement.order
    const { gpus, usdPerHour } = this.usage(tag.project)
    this.#usage.set(tag.project, {
      gpus: gpus + sign * placement.reserved.gpus,
      usdPerHour: usdPerHour + sign * placement.reserved.usdPerHour,
    })
    const there = this.#byProvider.get(place.provider) ?? new Map<string, Placement>()
    this.#byProvider.set(place.provider, there)
    if (sign === 1) there.set(placementKey(placement), placement)
    else there.delete(placementKey(placement))
  }
}

const NONE: ReadonlyMap<string, Placement> = new Map()

/** Of records seen before: they never change, and most are the same at the next look. */
const states = new WeakMap<WorkloadRecord, WorkloadState>()

function stateOf({ workload, status, placements }: WorkloadRecord): WorkloadState {
  try {
    return viewOf(workload, { status, placements: [...placements.values()] }, 0).state
  } catch {
    return 'set-aside'
  }
}

function rowName({ kind, key }: { readonly kind: RowKind; readonly key: string }): string {
  return `${kind}:${key}`
}

function bodyOf(change: RowChange): Workload {
  // Proven: only changes of this kind with a body were requested.
  return change.body as Workload
}

/** The key of a placement's workload. */
export function workloadKeyOf({ order: { tag } }: Placement): string {
  return workloadKey({ project: tag.project, name: tag.workload })
}

function refusalKey({ provider, region, instance, why }: Refusal): string {
  return [provider, region ?? '*', instance ?? '*', why].map((part) => part.replaceAll('/', '|')).join('/')
}
