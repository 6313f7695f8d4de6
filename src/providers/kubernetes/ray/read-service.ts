import { stripVTControlCharacters } from 'node:util'
import type { Instance } from '../../../core/life/call/instance.ts'
import { FINALIZER } from '../names.ts'
import { isMap, listAt, mapAt, textAt } from '../nodes/object/json.ts'
import { isOver } from '../read/ending.ts'
import { portsOf, type PodAround } from '../read/instance.ts'
import type { SeenPod } from '../read/pod.ts'
import { rayIdentity, short, startOf, timeIn, type RayIdentity } from './read.ts'

/** A RayService as far as it is read. */
export interface SeenRayService extends RayIdentity {
  readonly kind: 'RayService'
  /** What Ray Serve says of our application: `DEPLOYING`, `RUNNING`, …; empty: nothing yet. */
  readonly status: string
  readonly message: string
  /** KubeRay finds that requests are answered, or says why not. */
  readonly isReady: boolean
  readonly reason: string
  readonly reasonText: string
  readonly deletedMs: number | undefined
  readonly finalizers: readonly string[]
}

/** Undefined: this is none, or none of ours. */
export function readRayService(value: unknown): SeenRayService | undefined {
  const identity = rayIdentity(value)
  if (identity === undefined) return undefined
  const app = applicationIn(value, identity.name)
  const ready = listAt(value, 'status', 'conditions').find((one) => textAt(one, 'type') === 'Ready')
  return {
    kind: 'RayService',
    ...identity,
    status: textAt(app, 'status') ?? '',
    message: messageIn(app),
    isReady: textAt(ready, 'status') === 'True',
    reason: textAt(ready, 'reason') ?? '',
    reasonText: textAt(ready, 'message') ?? '',
    deletedMs: timeIn(value, 'metadata', 'deletionTimestamp'),
    finalizers: listAt(value, 'metadata', 'finalizers').filter((one) => typeof one === 'string'),
  }
}

/** A cluster is pending until it answers for the first time, and active from then on. */
function applicationIn(value: unknown, name: string): unknown {
  const all = ['activeServiceStatus', 'pendingServiceStatus'].map((of) =>
    mapAt(value, 'status', of, 'applicationStatuses', name),
  )
  return all.find((app) => textAt(app, 'status') !== undefined)
}

/** A deployment that fails says why; the application then only says which ones do. */
function messageIn(app: unknown): string {
  const deployments = Object.values(mapAt(app, 'serveDeploymentStatuses')).filter(isMap)
  const failed = deployments.find((one) => textAt(one, 'status') !== 'HEALTHY' && (textAt(one, 'message') ?? '') !== '')
  return textAt(failed, 'message') ?? textAt(app, 'message') ?? ''
}

/** It was deleted, KubeRay has taken its cluster away, and nothing of it runs any more. */
export function isServiceOver(service: SeenRayService, pods: readonly SeenPod[]): boolean {
  return isReleased(service) && pods.every(isOver)
}

/** It was deleted, and only its name is still held. */
export function isReleased({ deletedMs, finalizers }: SeenRayService): boolean {
  return deletedMs !== undefined && finalizers.every((one) => one === FINALIZER)
}

/** One of its nodes, whose pod this is. */
interface ServiceNode {
  readonly rank: number
  readonly pod: SeenPod | undefined
  readonly around: Pick<PodAround, 'domain' | 'lost'>
}

/** What a node of it is, while something of it runs. */
export function serviceState(service: SeenRayService, node: ServiceNode): Omit<Instance, 'instance' | 'tag'> {
  const { deletedMs, status, reason } = service
  if (deletedMs !== undefined) return { ...running(service, node), endsAtMs: deletedMs }
  if (reason === 'ValidationFailed')
    return { state: 'ended', exit: { kind: 'start', why: `KubeRay did not take it: ${short(service.reasonText)}` } }
  if (status === 'DEPLOY_FAILED')
    return {
      state: 'ended',
      exit: { kind: 'start', why: `Ray Serve could not deploy it: ${causeIn(service.message)}` },
    }
  return running(service, node)
}

function running(service: SeenRayService, { rank, pod, around }: ServiceNode): Omit<Instance, 'instance' | 'tag'> {
  const { name, isReady, status, reason } = service
  if (pod?.node !== undefined && around.lost.has(pod.node)) return { state: 'unclear' }
  // It has answered before, so it is up, whatever it does now. Before that nobody may call it.
  const wasReady = isReady || reason === 'ZeroServeEndpoints'
  const isDeploying = status !== '' && pod?.main?.isRunning === true
  if (!wasReady && !isDeploying) return startOf(pod)
  const isCalled = wasReady && rank === 0 && pod !== undefined
  const ports = isCalled ? portsOf({ name, annotations: pod.annotations }, around) : {}
  return {
    state: 'up',
    healthy: isReady && status === 'RUNNING',
    ...(Object.keys(ports).length > 0 && { ports }),
  }
}

/** The last line of a trace says what went wrong, without the colours that Ray gives it. */
function causeIn(message: string): string {
  const lines = stripVTControlCharacters(message).split('\n')
  return short(lines.findLast((line) => line.trim() !== '') ?? 'it does not say why')
}
