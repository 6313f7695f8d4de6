import { JOB_RESTARTS } from '../manifest/limits.ts'
import type { Manifest } from '../manifest/manifest.ts'
import type { Happening } from '../event/event.ts'
import type { WorkloadRecord } from './change.ts'
import type { Exit } from './call/exit.ts'
import { backoffMs } from './call/pace.ts'
import type { Placement } from './placement.ts'
import { groupOf, groupsWanted } from './slots.ts'
import type { Status } from './status.ts'

/** A failure of the work itself: it ended, did not start, or its order was rejected as invalid. */
export interface Failure {
  readonly slot: string
  /** What went wrong, for people. */
  readonly text: string
  /** How many failures are allowed; undefined: any number. */
  readonly max: number | undefined
  /** The text to show when there is one failure too many; left out: `text`. */
  readonly endText?: string
  /** There was progress since the last failure, so this one counts as the first. */
  readonly isForgiven?: boolean
  /** A replica of a service that was up and well for a while. */
  readonly served?: boolean
  readonly nowMs: number
  readonly chance: number
}

/** The status after a failure: it is counted and followed by a pause, or the slot is given up. */
export function failed(record: WorkloadRecord, failure: Failure): Status {
  const { status } = record
  const { slot, text, max, nowMs, chance } = failure
  const before = failure.isForgiven === true ? 0 : status.failures
  const failures = before + 1
  const sinceMs = before === 0 ? nowMs : (status.trouble?.sinceMs ?? nowMs)
  const trouble = { atMs: nowMs, sinceMs, slot, text }
  const waitMs = isPardoned(record, failure, failures) ? 0 : backoffMs(failures, chance)
  // What need not wait shortens no pause that another replica has.
  const backoffUntilMs = waitMs === 0 ? Math.max(nowMs, status.backoffUntilMs) : nowMs + waitMs
  const counted = { ...status, failures, trouble, backoffUntilMs }
  if (max === undefined || failures <= max) return counted
  return givenUp({ ...record, status: counted }, { slot, text, endText: failure.endText ?? text, nowMs })
}

/** What served until now is started again at once, as often as there are replicas; after that, it waits like everything else. */
function isPardoned({ workload }: WorkloadRecord, { served }: Failure, failures: number): boolean {
  return served === true && (failures === 1 || failures <= groupsWanted(workload).size)
}

/**
 * A service with other replicas up goes on with those, and only this slot stays empty: a failing version ends its roll-out,
 * never the workload. Any other workload ends here.
 */
function givenUp(
  record: WorkloadRecord,
  { slot, text, endText, nowMs }: Pick<Failure, 'slot' | 'text' | 'nowMs'> & { readonly endText: string },
): Status {
  const { status, workload, placements } = record
  const group = groupOf(slot)
  // Its predecessor may serve beside it. What belongs to one gang fails together.
  const isOther = (other: string): boolean => (workload.manifest.nodes > 1 ? groupOf(other) !== group : other !== slot)
  const isServing = [...placements.values()].some(
    ({ phase, order: { tag } }) => phase === 'running' && tag.uid === workload.uid && isOther(tag.slot),
  )
  if (workload.manifest.kind !== 'service' || !isServing) {
    return { ...status, end: { state: 'failed', why: endText, atMs: nowMs } }
  }
  const groups = [...new Set([...(status.stalled?.groups ?? []), group])]
  const { atMs = nowMs } = status.stalled ?? {}
  return { ...status, stalled: { generation: status.generation, why: text, atMs, groups } }
}

/** The events for the first time a status says that something was given up or is done, by the attempt that decided it. */
export function givingUp(before: Status, after: Status, last: Placement): readonly Happening[] {
  const isNewEnd = before.end === undefined && after.end !== undefined
  if (isNewEnd && after.end.state === 'done') return [done(after, after.end.atMs)]
  if (isNewEnd && after.end.state === 'failed') return [gaveUp(last, after, after.end.why)]
  const { stalled } = after
  if (stalled === undefined || stalled.groups.length === (before.stalled?.groups.length ?? -1)) return []
  return [gaveUp(last, after, stalled.why)]
}

function done({ completed, restarts, restartsBefore = 0, startedMs }: Status, nowMs: number): Happening {
  const completions = completed.length
  const attempts = completions + restarts - restartsBefore
  const ran = startedMs === undefined ? {} : { ran_ms: Math.max(0, nowMs - startedMs) }
  return { kind: 'done', facts: { completions, exit_code: 0, attempts, ...ran } }
}

function gaveUp({ order: { tag, place }, exit }: Placement, { failures, end }: Status, why: string): Happening {
  const { slot, epoch } = tag
  // An order that was refused never ran, so there is no output to look at.
  const ran = exit === undefined ? {} : { epoch, provider: place.provider, ...exitCode(exit) }
  return { kind: 'gave-up', facts: { slot, why, failures, goes_on: end === undefined, ...ran } }
}

/** The exit code, where there is one. */
export function exitCode(exit: Exit | undefined): { readonly exit_code?: number } {
  return exit?.kind === 'code' ? { exit_code: exit.code } : {}
}

/** How often failing work is restarted; undefined: for ever. Rows of earlier versions do not state it for jobs. */
export function restartsMax({ kind, restart }: Pick<Manifest, 'kind' | 'restart'>): number | undefined {
  return restart.max ?? (kind === 'job' ? JOB_RESTARTS : undefined)
}
