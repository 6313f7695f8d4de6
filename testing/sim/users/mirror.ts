import { workloadKey, type Workload } from '../../../src/core/life/workload.ts'
import type { Placement } from '../../../src/core/life/placement.ts'
import type { Status } from '../../../src/core/life/status.ts'
import { slotOfSeat, slotsWanted } from '../../../src/core/life/slots.ts'
import type { Commit } from '../../../src/ports/store.ts'

/** One attempt to fill a slot, from the moment its intent was written. */
export interface Attempt {
  /** Key of its row. */
  readonly key: string
  readonly placement: Placement
  /** What was to run, as it was called when the intent was written: later versions may call it otherwise. */
  readonly ordered: string
  readonly intentMs: number
  /** When its row said that nothing of it exists. */
  readonly goneMs: number | undefined
}

/** What the store holds, as far as the invariants ask: kept up with each commit. */
export class Mirror {
  readonly workloads = new Map<string, Workload>()
  readonly statuses = new Map<string, Status>()
  readonly placements = new Map<string, Placement>()
  readonly attempts = new Map<string, Attempt>()
  /** Attempts that were let go of while another one was in charge of their slot. */
  readonly spare = new Set<string>()
  /** Last moment at which a slot was not wanted, by row key. */
  readonly #unwantedMs = new Map<string, number>()
  /** Last moment at which a workload was changed in what it runs. */
  readonly #changedMs = new Map<string, number>()

  take({ writes }: Commit, nowMs: number): void {
    for (const write of writes) {
      const { kind, key } = write
      if (kind === 'workload') this.#workload(key, write.body, nowMs)
      else if (kind === 'status') this.#status(key, write.body, nowMs)
      else if (kind === 'placement') this.#placement(key, write.body, nowMs)
    }
  }

  /** Whether the slot was not wanted, or wanted otherwise, at some time since. */
  wasUnwanted(key: string, sinceMs: number): boolean {
    const workload = key.slice(0, key.lastIndexOf('/'))
    return (this.#unwantedMs.get(key) ?? -1) >= sinceMs || (this.#changedMs.get(workload) ?? -1) >= sinceMs
  }

  /** The workload that a placement belongs to, unless another one has its name by now. */
  ownerOf({ order: { tag } }: Placement): Workload | undefined {
    const workload = this.workloads.get(workloadKey({ project: tag.project, name: tag.workload }))
    return workload?.uid === tag.uid ? workload : undefined
  }

  #workload(key: string, after: Workload | undefined, nowMs: number): void {
    // Rows that make no sense are put there on purpose, and nothing is expected of them.
    if (after !== undefined && after.manifest?.kind === undefined) return
    const before = this.workloads.get(key)
    put(this.workloads, key, after)
    const wanted = new Set(after === undefined ? [] : slotsWanted(after).map(({ slot }) => slot))
    for (const row of this.placements.keys()) {
      if (row.startsWith(`${key}/`) && !wanted.has(slotOfSeat(row.slice(key.length + 1))))
        this.#unwantedMs.set(row, nowMs)
    }
    const isOther = before?.uid !== after?.uid || before?.manifest !== after?.manifest
    if (isOther || before?.restartedIn !== after?.restartedIn) this.#changedMs.set(key, nowMs)
  }

  /** What has ended wants nothing; it may be applied again while its last instances are still being stopped. */
  #status(key: string, after: Status | undefined, nowMs: number): void {
    put(this.statuses, key, after)
    if (after?.end === undefined) return
    for (const row of this.placements.keys()) if (row.startsWith(`${key}/`)) this.#unwantedMs.set(row, nowMs)
  }

  #placement(key: string, after: Placement | undefined, nowMs: number): void {
    const before = this.placements.get(key)
    put(this.placements, key, after)
    if (before !== undefined && before.order.tag.attempt !== after?.order.tag.attempt) this.#letGo(before, nowMs)
    if (after === undefined) return
    const { attempt } = after.order.tag
    const known = this.attempts.get(attempt)
    const goneMs = after.phase === 'gone' ? (known?.goneMs ?? nowMs) : undefined
    const { ordered, intentMs } = known ?? { ordered: after.shape, intentMs: nowMs }
    this.attempts.set(attempt, { key, placement: after, ordered, intentMs, goneMs })
  }

  /** A row that was deleted or given to another attempt says that nothing of the last one exists. */
  #letGo({ order }: Placement, nowMs: number): void {
    const known = this.attempts.get(order.tag.attempt)
    if (known !== undefined) this.attempts.set(order.tag.attempt, { ...known, goneMs: known.goneMs ?? nowMs })
  }
}

function put<T>(into: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) into.delete(key)
  else into.set(key, value)
}
