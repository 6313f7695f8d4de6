import { FINALIZER } from './names.ts'
import { isRayOver, type SeenRayJob } from './ray/read.ts'
import { isOver } from './read/ending.ts'
import type { SeenPod } from './read/pod.ts'

/**
 * How long the name of an attempt stays taken after it was stopped, so that a launch which comes late starts nothing; and how long
 * one that ended by itself is kept, so that its log can be read.
 */
const STOPPED_MS = 3_600_000
const ENDED_MS = 24 * 3_600_000
const AT_ONCE = 20

/** Pods that need not be kept any longer, the oldest first, and not too many at once. */
export function sweepable(pods: readonly SeenPod[], nowMs: number): readonly SeenPod[] {
  return pods
    .filter((pod) => isOver(pod) && pod.finalizers.includes(FINALIZER) && untilMs(pod) <= nowMs)
    .toSorted((one, two) => (one.createdMs ?? 0) - (two.createdMs ?? 0) || (one.name < two.name ? -1 : 1))
    .slice(0, AT_ONCE)
}

/** The same for RayJobs. */
export function sweepableRays(jobs: readonly SeenRayJob[], nowMs: number): readonly SeenRayJob[] {
  const until = ({ stoppedMs, endedMs, createdMs }: SeenRayJob): number =>
    stoppedMs === undefined ? (endedMs ?? createdMs ?? 0) + ENDED_MS : stoppedMs + STOPPED_MS
  return jobs.filter((job) => isRayOver(job) && until(job) <= nowMs).slice(0, AT_ONCE)
}

function untilMs({ deletedMs, createdMs, main, conditions }: SeenPod): number {
  if (deletedMs !== undefined) return deletedMs + STOPPED_MS
  const lastMs = Math.max(createdMs ?? 0, main?.ended?.atMs ?? 0, ...conditions.map(({ atMs }) => atMs ?? 0))
  return lastMs + ENDED_MS
}
