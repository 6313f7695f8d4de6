import { NOTHING, type Change, type WorkloadRecord } from './change.ts'
import type { Status } from './status.ts'

/** When a job's time is up; undefined: it may run for ever, or has not started. */
export function deadlineMs({ workload, status }: Pick<WorkloadRecord, 'workload' | 'status'>): number | undefined {
  const { maxDurationSeconds: seconds } = workload.manifest
  const { startedMs, end, ran } = status
  if (seconds === undefined || startedMs === undefined || end !== undefined) return undefined
  return ran === undefined ? startedMs + seconds * 1000 : ran.atMs + seconds * 1000 - ran.ms
}

/** When to write down how long it has run, so that the next leader counts on from there. */
export function markAtMs({
  workload,
  status: { ran, end },
}: Pick<WorkloadRecord, 'workload' | 'status'>): number | undefined {
  const { maxDurationSeconds: seconds } = workload.manifest
  if (seconds === undefined || ran === undefined || end !== undefined) return undefined
  // A restart may cost at most a fiftieth of the time.
  return ran.atMs + Math.min(600_000, Math.max(10_000, seconds * 20))
}

/** Writes down how long it has run, at intervals. */
export function marked(record: WorkloadRecord, nowMs: number): Change {
  const atMs = markAtMs(record)
  const { status } = record
  if (atMs === undefined || atMs > nowMs || status.ran === undefined) return NOTHING
  return { ...NOTHING, status: { ...status, ran: ranUntil(status.ran, nowMs) } }
}

function ranUntil({ ms, atMs }: NonNullable<Status['ran']>, nowMs: number): NonNullable<Status['ran']> {
  return { ms: ms + Math.max(0, nowMs - atMs), atMs: nowMs }
}
