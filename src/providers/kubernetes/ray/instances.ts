import type { Instance } from '../../../core/life/call/instance.ts'
import { LABELS, labelValue } from '../names.ts'
import { isOver } from '../read/ending.ts'
import type { PodAround } from '../read/instance.ts'
import type { SeenPod } from '../read/pod.ts'
import type { RayKind } from './kinds.ts'
import { isServiceOver, readRayService, serviceState, type SeenRayService } from './read-service.ts'
import { isRayOver, jobState, readRayJob, type RayIdentity, type SeenRayJob } from './read.ts'

/** What stands for the nodes of some orders. */
export type SeenRay = SeenRayJob | SeenRayService

/** Undefined: this is none, or none of ours. */
export function readRay(kind: RayKind, value: unknown): SeenRay | undefined {
  return kind === 'RayJob' ? readRayJob(value) : readRayService(value)
}

/** It will never have another cluster. */
export function isEnding(seen: SeenRay): boolean {
  return seen.kind === 'RayJob' ? isRayOver(seen) : seen.deletedMs !== undefined
}

/** Its nodes as instances. `pods` are those that KubeRay has made. */
export function rayInstances(
  seen: SeenRay,
  pods: readonly SeenPod[],
  around: Pick<PodAround, 'domain' | 'lost'>,
): readonly Instance[] {
  const isGone = seen.kind === 'RayService' && isServiceOver(seen, podsOf(seen, pods))
  return seen.members.map(({ tag, usdPerHour }, rank) => {
    const own = pods.filter((pod) => isOf(pod, tag.attempt))
    // KubeRay makes a new one when one dies.
    const pod = own.find((each) => !isOver(each)) ?? own[0]
    const known = { instance: rayInstance(seen.name, rank), tag, usdPerHour }
    if (seen.kind === 'RayJob') return { ...known, ...jobState(seen, pod) }
    if (isGone) return { ...known, state: 'ended', exit: { kind: 'preempted' } }
    return { ...known, ...serviceState(seen, { rank, pod, around }) }
  })
}

/** The pods of its nodes. */
export function podsOf({ members }: RayIdentity, pods: readonly SeenPod[]): readonly SeenPod[] {
  return pods.filter((pod) => members.some(({ tag }) => isOf(pod, tag.attempt)))
}

function isOf({ labels }: SeenPod, attempt: string): boolean {
  return labels[LABELS.attempt] === labelValue(attempt)
}

/** The head has the name of the object. */
export function rayInstance(name: string, rank: number): string {
  return rank === 0 ? name : `${name}-r${rank}`
}
