import type { NewEvent } from '../../core/event/event.ts'
import type { Change, WorkloadRecord } from '../../core/life/change.ts'
import type { Workload } from '../../core/life/workload.ts'
import { isFreed } from '../capacity.ts'
import type { StepCommit } from './event.ts'
import { nextId, type StepContext } from './state.ts'

/** Writes a change of a workload. Nothing else is decided about the workload until it has landed. */
export function write(
  at: StepContext,
  key: string,
  { record, change }: { readonly record: WorkloadRecord; readonly change: Change },
): void {
  const { state, nowMs, wallMs } = at
  const writes = state.ledger.write(key, change)
  state.capacity.changed(change, nowMs)
  const probing = state.probes.wrote(change, nowMs)
  if (probing !== undefined) state.capacity.rulesChanged()
  state.movers.wrote(key, change)
  state.isRoom ||= probing === 'over' || change.placements.some(isFreed)
  state.writing.add(key)
  commit(at, { key, writes, events: eventsOf(record.workload, change, wallMs) })
}

/** Adds a commit to the result, and returns its number. */
export function commit({ state, out }: StepContext, { key, writes, events }: Omit<StepCommit, 'id'>): number {
  const made: StepCommit = { id: nextId(state), key, writes, events }
  state.commits.set(made.id, made)
  out.commits.push(made)
  return made.id
}

/** The events of a change in the form that is stored. */
function eventsOf({ project, name }: Workload, { events }: Pick<Change, 'events'>, atMs: number): readonly NewEvent[] {
  return events.map((event) => ({ atMs, project, subject: `workload/${name}` as const, ...event }))
}
