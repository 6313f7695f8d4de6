import type { Happening } from '../event/event.ts'
import type { Change, WorkloadRecord } from './change.ts'
import type { Exit } from './call/exit.ts'
import { exitCode, failed, givingUp, restartsMax } from './fail.ts'
import { FORGIVEN_WELL_MS, STEADY_MS } from './call/pace.ts'
import { advance, wellSinceMs, type Leaving, type Placement } from './placement.ts'
import { groupOf, groupsWanted, roleOf } from './slots.ts'
import type { End, Status } from './status.ts'
import { changedKeys } from './changed-keys.ts'
import { isBeforeRestart } from './current.ts'
import { isIdentityOf } from './identity.ts'
import { stoodBefore } from './stood.ts'
import type { Workload } from './workload.ts'

/**
 * Why and how a placement leaves, and to which phase: `stopping` while something may still exist, `gone` once it is proven that
 * nothing does.
 */
export interface Departure {
  readonly to: 'stopping' | 'gone'
  readonly why: Leaving
  readonly exit?: Exit | undefined
  /** When its provider is told at the earliest; left out: at once. */
  readonly notBeforeMs?: number
  readonly nowMs: number
  /** 0..1, for waits. */
  readonly chance: number
}

/** A placement leaves, and its workload accounts for it: failures, lost work, completed runs, the end. */
export function leave(record: WorkloadRecord, placement: Placement, departure: Departure): Change {
  const { to, nowMs, notBeforeMs } = departure
  const exit = departure.exit ?? placement.exit
  const why = placement.why ?? departure.why
  const left = advance(placement, to, { sinceMs: nowMs, why, exit, ...(notBeforeMs && { nextTryMs: notBeforeMs }) })
  const isFirst = placement.why === undefined
  const status = isFirst ? accounted(record, left, departure) : record.status
  const event = happening(record, left, isFirst)
  return {
    placements: [left],
    status,
    events: [...(event === undefined ? [] : [event]), ...givingUp(record.status, status, left)],
  }
}

/** Work that ran to its end: exit code 0 of a job. */
export function isFinished(record: Pick<WorkloadRecord, 'workload'>, exit: Exit | undefined): boolean {
  return record.workload.manifest.kind === 'job' && exit?.kind === 'code' && exit.code === 0
}

/** Ends that are the workload's own fault. All others have causes outside it. */
function isOwnFailure({ why, exit }: Placement): boolean {
  return exit === undefined ? why === 'exited' : exit.kind !== 'preempted' && exit.kind !== 'machine'
}

function accounted(record: WorkloadRecord, left: Placement, { nowMs, chance }: Departure): Status {
  const { status } = record
  const { why, exit } = left
  // Once the workload has ended, no departure changes how.
  if (status.end !== undefined) return status
  if (why === 'finished') return finished(record, left, nowMs)
  if (why === undefined || !RESTARTS.has(why)) return status
  const resumed = {
    ...status,
    lostSeconds: status.lostSeconds + lostSeconds(record, left, nowMs),
    resumePoints: resumePoints(record, left),
  }
  const restarted = { ...resumed, ...stoodBefore(record, nowMs), restarts: status.restarts + (LOSSES.has(why) ? 1 : 0) }
  if (!isOwnFailure(left)) return restarted
  const max = restartsMax(record.workload.manifest)
  const text = exit === undefined ? 'it ended, and its provider does not say how' : exitText(exit)
  const failure = { slot: left.order.tag.slot, text, max, endText: endText(text, max, status), nowMs, chance }
  const isForgiven = hasProgressed(record, left, nowMs)
  const after = failed(
    { ...record, status: restarted },
    { ...failure, isForgiven, served: hasServed(record, left, nowMs) },
  )
  // What is given up is not restarted: its last failure ended a run, and is not counted as a restart.
  const isGivenUp = after.end !== undefined || after.stalled !== status.stalled
  return isGivenUp ? { ...after, restarts: status.restarts } : after
}

function endText(text: string, max: number | undefined, { restarts }: Status): string {
  if (max === undefined || max === 0) return text
  return `${text} after ${max} restart${max === 1 ? '' : 's'}${restarts > max ? ' without progress' : ''}`
}

/**
 * A job has made progress if it has a newer checkpoint than the one it began with; a service, if it was healthy for a while.
 */
function hasProgressed({ workload, status }: WorkloadRecord, left: Placement, nowMs: number): boolean {
  if (workload.manifest.kind === 'service') {
    const sinceMs = wellSinceMs(left)
    return sinceMs !== undefined && nowMs - sinceMs >= FORGIVEN_WELL_MS
  }
  if (workload.manifest.checkpoint === undefined || left.checkpointMs === undefined) return false
  return (
    left.checkpointMs > Math.max(status.resumePoints[groupOf(left.order.tag.slot)] ?? 0, left.order.resumeFromMs ?? 0)
  )
}

/** Whether it was a replica of a service that others could count on. */
function hasServed({ workload }: WorkloadRecord, left: Placement, nowMs: number): boolean {
  const sinceMs = wellSinceMs(left)
  return workload.manifest.kind === 'service' && sinceMs !== undefined && nowMs - sinceMs >= STEADY_MS
}

/** Unwanted departures. A gang that fails with one member is one loss, however many machines it has. */
const LOSSES: ReadonlySet<Leaving> = new Set(['exited', 'died', 'preempted', 'late', 'outage', 'unhealthy'])

/** Departures after which the same work begins again. */
const RESTARTS: ReadonlySet<Leaving> = new Set([...LOSSES, 'gang', 'drained', 'replaced'])

/** A run is complete when every machine of it has ended with success. */
function finished(record: WorkloadRecord, left: Placement, nowMs: number): Status {
  const { status, workload, placements } = record
  const { slot } = left.order.tag
  const group = groupOf(slot)
  const mates = (groupsWanted(workload).get(group) ?? []).filter((desired) => desired.slot !== slot)
  if (!mates.every((mate) => placements.get(mate.slot)?.why === 'finished')) return status
  const completed = [...status.completed, status.completed.length]
  const isLast = completed.length >= workload.manifest.completions
  const runs = completed.length === 1 ? 'ran to its end' : `${completed.length} runs ended well`
  const end: End | undefined = isLast ? { state: 'done', why: runs, atMs: nowMs } : undefined
  const { [group]: _, ...resumePoints } = status.resumePoints
  return { ...status, completed, failures: 0, resumePoints, ...(end && { end }) }
}

/** Work since the last checkpoint, or since it came up. Services lose none. */
function lostSeconds({ workload }: WorkloadRecord, left: Placement, nowMs: number): number {
  if (workload.manifest.kind === 'service' || left.upMs === undefined) return 0
  const fromMs = Math.max(left.upMs, left.checkpointMs ?? 0)
  return Math.max(0, Math.round((nowMs - fromMs) / 1000))
}

function resumePoints({ status, workload }: WorkloadRecord, left: Placement): Status['resumePoints'] {
  if (workload.manifest.checkpoint === undefined || left.checkpointMs === undefined) return status.resumePoints
  const group = groupOf(left.order.tag.slot)
  return { ...status.resumePoints, [group]: Math.max(status.resumePoints[group] ?? 0, left.checkpointMs) }
}

/** What is told of a departure. Who refuses has its own event. */
function happening({ workload }: WorkloadRecord, left: Placement, isFirst: boolean): Happening | undefined {
  const { order, why = 'stopped', exit, phase } = left
  const { slot, epoch } = order.tag
  const facts = { slot, epoch, provider: order.place.provider, why, exit: exitText(exit), ...exitCode(exit) }
  if (!isFirst) return phase === 'gone' ? { kind: 'stopped', facts } : undefined
  if (why === 'refused') return undefined
  // It was never asked for: its story is over.
  if (phase === 'gone' && (why === 'replaced' || why === 'drained')) return { kind: 'stopped', facts }
  if (why === 'replaced') return { kind: 'replaced', facts: { ...facts, ...whyReplaced(workload, left) } }
  return { kind: EVENT_OF[why] ?? (phase === 'gone' ? 'stopped' : 'stopping'), facts }
}

/** The keys that changed; or, if what runs is what the manifest states, that a restart was asked for. */
function whyReplaced(workload: Workload, left: Placement): { readonly keys?: string; readonly restart?: true } {
  const { manifest } = workload
  // What was changed and changed back since is not why it leaves.
  const isSame = isIdentityOf(left.shape, manifest, roleOf(manifest, left.order.tag.slot))
  const changed = isSame ? {} : changedKeys(workload, left)
  return changed.keys === undefined && isBeforeRestart(left, workload) ? { restart: true } : changed
}

type Departed = 'ended' | 'died' | 'preempted' | 'drained' | 'stopping' | 'stopped'

const EVENT_OF: Partial<Readonly<Record<Leaving, Departed>>> = {
  exited: 'ended',
  late: 'ended',
  finished: 'ended',
  died: 'died',
  preempted: 'preempted',
  drained: 'drained',
}

/** In a few words. */
export function exitText(exit: Exit | undefined): string {
  if (exit === undefined) return ''
  switch (exit.kind) {
    case 'code':
      return `exit code ${exit.code}`
    case 'signal':
      return `killed by ${exit.signal}`
    case 'out-of-memory':
      return 'out of memory'
    case 'preempted':
      return 'taken away by the provider'
    case 'machine':
      return 'the machine failed'
    case 'start':
      return `did not start: ${exit.why}`
    case 'storage':
      return exit.why
  }
}
