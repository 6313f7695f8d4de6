import type { Fault } from '../../../core/life/call/fault.ts'
import type { Order } from '../../../core/life/call/order.ts'
import type { Answer, LaunchCall, Launched } from '../../../ports/provider.ts'
import { preparedFor, refuse, left, writeFor, type LaunchParts, type Refused } from '../launch.ts'
import type { KubeObject, OwnerReference } from '../objects/object.ts'
import { wrongWith } from '../order.ts'
import { unschedulable } from '../read/waiting.ts'
import type { RayOrders } from './cluster.ts'
import { isEnding, rayInstance, type SeenRay } from './instances.ts'
import { rayJobFor } from './job.ts'
import { RAY_GROUP, rayKindOf, type RayKind } from './kinds.ts'
import type { RayObjects } from './objects.ts'
import { rayServiceFor, serveTargetOf } from './service.ts'

export interface RayLaunchParts {
  readonly rays: RayObjects
  readonly launching: LaunchParts
  /** The same without queues: KubeRay makes the pods. */
  readonly plain: LaunchParts
  readonly nowMs: () => number
}

/** What KubeRay is to make of an order, and in which version the cluster serves that. */
export interface RayWay {
  readonly kind: RayKind
  readonly version: string
}

/** Undefined: it is no order for KubeRay. Without KubeRay, the command runs on its single node as it is. */
export async function rayWayOf(
  order: Order | undefined,
  rays: RayObjects,
  call: LaunchCall,
): Promise<Answer<RayWay | undefined>> {
  const kind = order === undefined ? undefined : rayKindOf(order)
  if (order === undefined || kind === undefined) return { ok: true, value: undefined }
  const version = await rays.version(kind, call)
  if (!version.ok) return version
  if (version.value !== undefined) return { ok: true, value: { kind, version: version.value } }
  if (order.nodes === 1) return { ok: true, value: undefined }
  const message = 'The cluster has no KubeRay, which `framework: ray` needs for more than one node.'
  return { ok: false, fault: { class: 'NO_MATCHING_SHAPE', message, scope: 'provider', created: 'no' } }
}

/**
 * Starts the nodes of a job, or of a replica of a service, as one Ray cluster that runs its command. One object stands for all of them:
 * whether it exists is whether they were started. KubeRay makes the pods, each bound to the node that was chosen for it.
 */
export async function launchRay(
  orders: RayOrders,
  way: RayWay,
  { call, parts }: { readonly call: LaunchCall; readonly parts: RayLaunchParts },
): Promise<Answer<readonly Launched[]>> {
  const { rays, launching, plain } = parts
  const wrong = orders.map((order) => wrongWith(order, call)).find((one) => one !== undefined)
  if (wrong !== undefined) return refuse('BAD_REQUEST', wrong)
  const queued = await whyQueued(launching, call)
  if (queued !== undefined) return { ok: false, fault: queued }
  const prepared = await preparedFor(orders, call, plain)
  if (!prepared.ok) return earlier(orders, prepared, { call, rays })
  const { pods, grounds } = prepared
  const object = objectFor(orders, pods, way)
  if (object === undefined) return refuse('BAD_REQUEST', 'command: Ray Serve needs `serve run MODULE:APP`.')
  const made = await rays.create(way.kind, object, call)
  if (!made.ok) return made
  const seen = made.value
  if (seen.members[0]?.tag.owner !== orders[0].tag.owner)
    return refuse('TRANSIENT', `Another installation of Berth has a ${way.kind} ${seen.name} in the same namespace.`)
  if (isEnding(seen)) return { ok: true, value: launchedAs(orders, seen) }
  const owner: OwnerReference = {
    apiVersion: `${RAY_GROUP}/${way.version}`,
    kind: way.kind,
    name: seen.name,
    uid: seen.uid,
  }
  const isPinned = plain.settings.pick === 'berth'
  const beside = await Promise.all(
    orders.map((order, rank) =>
      writeFor(order, { owner, isPinned, devices: grounds[rank]?.devices }, { call, parts: plain }),
    ),
  )
  const fault = beside.find((one) => one !== undefined)
  if (fault !== undefined) return left(fault)
  return (
    (isPinned ? await placeless(seen, { call, parts }) : undefined) ?? { ok: true, value: launchedAs(orders, seen) }
  )
}

/** Undefined: its command is none for this. */
function objectFor(orders: RayOrders, pods: readonly KubeObject[], { kind, version }: RayWay): KubeObject | undefined {
  if (kind === 'RayJob') return rayJobFor(orders, pods, version)
  const target = serveTargetOf(orders[0])
  return target && rayServiceFor(orders, pods, { version, target })
}

function launchedAs(orders: readonly Order[], { name }: SeenRay): readonly Launched[] {
  return orders.map(({ usdPerHourMax }, rank) => ({ instance: rayInstance(name, rank), usdPerHour: usdPerHourMax }))
}

/** What was started before is answered with what it started, even if a node of it is gone by now. */
async function earlier(
  orders: RayOrders,
  refused: Refused,
  { call, rays }: { readonly call: LaunchCall; readonly rays: RayObjects },
): Promise<Answer<readonly Launched[]>> {
  const before = await rays.find(orders[0].tag, call)
  if (!before.ok) return refuse('AMBIGUOUS', before.fault.message)
  return before.value === undefined ? refused : { ok: true, value: launchedAs(orders, before.value) }
}

/** A queue counts pods of its own making, and not those of KubeRay. */
async function whyQueued({ batches }: LaunchParts, call: LaunchCall): Promise<Fault | undefined> {
  const used = await batches.used(call)
  if (!used.ok) return used.fault
  const { scheduler, queue } = used.value ?? {}
  if (scheduler?.queues === undefined) return undefined
  const message = `Ray clusters cannot wait in the queue ${queue} of ${scheduler.title}: give Ray a provider of its own with scheduler=none.`
  return { class: 'NO_MATCHING_SHAPE', message, scope: 'provider', created: 'no' }
}

/** KubeRay takes two seconds more, twice, before it makes the cluster of a RayService. */
const LOOKS = { RayJob: 30, RayService: 60 } as const
const LOOK_MS = 150

/**
 * What the scheduler says of pods that are bound to one node each: without room for one of them, all of it is ended, so that it goes
 * elsewhere now. Undefined: each has its place, or KubeRay or the scheduler is busy.
 */
async function placeless(
  seen: SeenRay,
  { call, parts }: { readonly call: LaunchCall; readonly parts: RayLaunchParts },
): Promise<Refused | undefined> {
  const { rays, plain, nowMs } = parts
  const waiting = new Set(seen.members)
  for (let look = 0; look < LOOKS[seen.kind] && waiting.size > 0; look++) {
    await plain.timers.sleep(LOOK_MS, call.signal)
    for (const member of waiting) {
      const found = await plain.pods.findOfRay(member.tag, call)
      if (!found.ok) return undefined
      if (found.pod === undefined) break
      if (found.pod.node !== undefined) waiting.delete(member)
      const fault = unschedulable(found.pod)
      if (fault === undefined) continue
      await rays.stop(seen, nowMs(), call)
      return { ok: false, fault: { ...fault, created: 'yes', instance: seen.name } }
    }
  }
  return undefined
}
