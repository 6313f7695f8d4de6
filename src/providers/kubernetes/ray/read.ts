import type { Exit } from '../../../core/life/call/exit.ts'
import type { Instance } from '../../../core/life/call/instance.ts'
import { mapAt, textAt, textsAt } from '../nodes/object/json.ts'
import type { SeenPod } from '../read/pod.ts'
import { stuckStart, waitOf } from '../read/waiting.ts'
import { readMembers, readStopped, type RayMember } from './members.ts'

/** What every object of ours in KubeRay has. */
export interface RayIdentity {
  readonly name: string
  readonly uid: string
  /** By rank. */
  readonly members: readonly RayMember[]
  readonly createdMs: number | undefined
}

/** A RayJob as far as it is read. */
export interface SeenRayJob extends RayIdentity {
  readonly kind: 'RayJob'
  /** What KubeRay has done with it: `Initializing`, `Running`, `Complete`, …; empty: nothing yet. */
  readonly phase: string
  /** What Ray says of the job: `PENDING`, `RUNNING`, `SUCCEEDED`, …; empty: nothing yet. */
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly cluster: string | undefined
  readonly endedMs: number | undefined
  readonly stoppedMs: number | undefined
}

/** Undefined: this is none, or none of ours. */
export function readRayJob(value: unknown): SeenRayJob | undefined {
  const identity = rayIdentity(value)
  if (identity === undefined) return undefined
  const said = mapAt(value, 'status')
  return {
    kind: 'RayJob',
    ...identity,
    phase: textAt(said, 'jobDeploymentStatus') ?? '',
    status: textAt(said, 'jobStatus') ?? '',
    reason: textAt(said, 'reason') ?? '',
    message: textAt(said, 'message') ?? '',
    cluster: textAt(said, 'rayClusterName'),
    endedMs: timeIn(value, 'status', 'endTime'),
    stoppedMs: readStopped(annotationsIn(value)),
  }
}

export function rayIdentity(value: unknown): RayIdentity | undefined {
  const name = textAt(value, 'metadata', 'name')
  const uid = textAt(value, 'metadata', 'uid')
  const members = readMembers(annotationsIn(value))
  if (name === undefined || uid === undefined || members === undefined) return undefined
  return { name, uid, members, createdMs: timeIn(value, 'metadata', 'creationTimestamp') }
}

function annotationsIn(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(textsAt(value, 'metadata', 'annotations'))
}

export function timeIn(value: unknown, ...path: readonly string[]): number | undefined {
  const ms = Date.parse(textAt(value, ...path) ?? '')
  return Number.isFinite(ms) ? ms : undefined
}

/** Its cluster is gone or on its way out, and it will never have another one. */
export function isRayOver({ phase }: SeenRayJob): boolean {
  return phase === 'Complete' || phase === 'Failed' || phase === 'Suspended'
}

/** What a node of it is, whose pod this is. */
export function jobState(job: SeenRayJob, pod: SeenPod | undefined): Pick<Instance, 'state' | 'reason' | 'exit'> {
  if (isRayOver(job)) {
    const exit = rayExit(job)
    return { state: 'ended', ...(exit !== undefined && { exit }) }
  }
  switch (job.phase) {
    case '':
    case 'Initializing':
    case 'Waiting':
      return startOf(pod)
    case 'Running':
      // The operator repeats whatever the head answers: only Ray's own words count.
      return job.status === 'PENDING' || !RAY_STATES.has(job.status) ? { state: 'starting' } : { state: 'up' }
    case 'Suspending':
      return { state: 'up' }
  }
  return { state: 'unclear' }
}

const RAY_STATES: ReadonlySet<string> = new Set(['PENDING', 'RUNNING', 'STOPPED', 'SUCCEEDED', 'FAILED'])

/** What a pod says while its cluster comes up. */
export function startOf(pod: SeenPod | undefined): Pick<Instance, 'state' | 'reason' | 'exit'> {
  const why = pod && stuckStart(pod)
  if (why !== undefined) return { state: 'ended', exit: { kind: 'start', why } }
  return pod === undefined ? { state: 'starting' } : waitOf(pod)
}

/** How it ended; undefined: nobody can tell. */
function rayExit({ phase, status, reason, message }: SeenRayJob): Exit | undefined {
  if (phase === 'Suspended') return { kind: 'preempted' }
  if (reason === 'DeadlineExceeded') return { kind: 'signal', signal: 'SIGTERM' }
  if (reason === 'SubmissionFailed' || reason === 'ValidationFailed')
    return { kind: 'start', why: `Ray did not take the command: ${short(message)}` }
  switch (status) {
    case 'SUCCEEDED':
      return { kind: 'code', code: 0 }
    case 'STOPPED':
      return { kind: 'signal', signal: 'SIGTERM' }
    case 'FAILED':
      return failed(message)
  }
  return undefined
}

/** Ray says in words how the command ended. */
function failed(message: string): Exit {
  const code = /exit code (-?\d+)/.exec(message)?.[1]
  if (code !== undefined && Number(code) < 0)
    return { kind: 'signal', signal: SIGNALS[-Number(code)] ?? `signal ${-Number(code)}` }
  if (code !== undefined) return { kind: 'code', code: Number(code) }
  if (/runtime_env|runtime environment/i.test(message)) return { kind: 'start', why: short(message) }
  if (/node .*(?:died|dead)|supervisor actor died/i.test(message)) return { kind: 'machine' }
  return { kind: 'code', code: 1 }
}

const SIGNALS: Readonly<Record<number, string>> = {
  2: 'SIGINT',
  6: 'SIGABRT',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  15: 'SIGTERM',
}

export function short(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 300)
}
