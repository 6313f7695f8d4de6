import { FINALIZER } from './names.ts'
import { podsOf, type SeenRay } from './ray/instances.ts'
import { isReleased, isServiceOver, type SeenRayService } from './ray/read-service.ts'
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

/** The same for objects of KubeRay, of which these are the pods. */
export function sweepableRays(rays: readonly SeenRay[], pods: readonly SeenPod[], nowMs: number): readonly SeenRay[] {
  const isDue = (seen: SeenRay): boolean =>
    seen.kind === 'RayJob' ? isJobDue(seen, nowMs) : isServiceDue(seen, podsOf(seen, pods), nowMs)
  return rays.filter(isDue).slice(0, AT_ONCE)
}

function isJobDue(job: SeenRayJob, nowMs: number): boolean {
  const { stoppedMs, endedMs, createdMs } = job
  const untilMs = stoppedMs === undefined ? (endedMs ?? createdMs ?? 0) + ENDED_MS : stoppedMs + STOPPED_MS
  return isRayOver(job) && untilMs <= nowMs
}

/** KubeRay before 1.6.2 takes no cluster away as long as the name is held: then the name is given up instead. */
const HELD_MS = 60_000

function isServiceDue(service: SeenRayService, pods: readonly SeenPod[], nowMs: number): boolean {
  const { deletedMs } = service
  if (deletedMs === undefined || !service.finalizers.includes(FINALIZER)) return false
  const isIgnored = isReleased(service) && pods.some((pod) => pod.deletedMs === undefined && !isOver(pod))
  if (isIgnored) return deletedMs + HELD_MS <= nowMs
  return isServiceOver(service, pods) && deletedMs + STOPPED_MS <= nowMs
}

function untilMs({ deletedMs, createdMs, main, conditions }: SeenPod): number {
  if (deletedMs !== undefined) return deletedMs + STOPPED_MS
  const lastMs = Math.max(createdMs ?? 0, main?.ended?.atMs ?? 0, ...conditions.map(({ atMs }) => atMs ?? 0))
  return lastMs + ENDED_MS
}
