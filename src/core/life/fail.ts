import { JOB_RESTARTS } from '../manifest/limits.ts'
import type { Manifest } from '../manifest/manifest.ts'
import type { Happening, WorkloadRecord } from './change.ts'
import { backoffMs } from './call/pace.ts'
import { groupOf } from './slots.ts'
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
  const counted = { ...status, failures, trouble, backoffUntilMs: nowMs + backoffMs(failures, chance) }
  if (max === undefined || failures <= max) return counted
  return givenUp({ ...record, status: counted }, { slot, text, endText: failure.endText ?? text, nowMs })
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
  const isServing = [...placements.values()].some(
    ({ phase, order: { tag } }) => phase === 'running' && tag.uid === workload.uid && groupOf(tag.slot) !== group,
  )
  if (workload.manifest.kind !== 'service' || !isServing) {
    return { ...status, end: { state: 'failed', why: endText, atMs: nowMs } }
  }
  const groups = [...new Set([...(status.stalled?.groups ?? []), group])]
  const { atMs = nowMs } = status.stalled ?? {}
  return { ...status, stalled: { generation: status.generation, why: text, atMs, groups } }
}

/** The events for the first time a status says that something was given up, has failed, or is done. */
export function givingUp(before: Status, after: Status): readonly Happening[] {
  if (before.end === undefined && after.end?.state === 'failed') {
    return [{ kind: 'failed', facts: { why: after.end.why } }]
  }
  if (before.end === undefined && after.end?.state === 'done') {
    return [{ kind: 'done', facts: { completions: after.completed.length } }]
  }
  const { stalled } = after
  if (stalled === undefined || stalled.groups.length === (before.stalled?.groups.length ?? -1)) return []
  const slot = stalled.groups.at(-1)
  return [{ kind: 'gave-up', facts: { ...(slot !== undefined && { slot }), why: stalled.why } }]
}

/** How often failing work is restarted; undefined: for ever. Rows of earlier versions do not state it for jobs. */
export function restartsMax({ kind, restart }: Pick<Manifest, 'kind' | 'restart'>): number | undefined {
  return restart.max ?? (kind === 'job' ? JOB_RESTARTS : undefined)
}
