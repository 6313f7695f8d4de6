import type { Fault } from '../../../core/life/call/fault.ts'
import type { Order } from '../../../core/life/call/order.ts'
import type { Answer, LaunchCall, Launched } from '../../../ports/provider.ts'
import { preparedFor, refuse, left, writeFor, type LaunchParts, type Refused } from '../launch.ts'
import type { OwnerReference } from '../objects/object.ts'
import { wrongWith } from '../order.ts'
import { unschedulable } from '../read/waiting.ts'
import { RAY_JOBS, rayJobFor } from './job.ts'
import type { RayJobs } from './jobs.ts'
import { isRayOver, rayInstance, type SeenRayJob } from './read.ts'

export interface RayLaunchParts {
  readonly jobs: RayJobs
  readonly launching: LaunchParts
  /** The same without queues: KubeRay makes the pods. */
  readonly plain: LaunchParts
  readonly nowMs: () => number
}

/** Whether an order is one for KubeRay. Without it, the command runs on its single node as it is. */
export async function isForRay(
  order: Order | undefined,
  jobs: RayJobs,
  call: LaunchCall,
): Promise<Answer<string | undefined>> {
  if (order?.framework !== 'ray') return { ok: true, value: undefined }
  const version = await jobs.version(call)
  if (!version.ok || version.value !== undefined || order.nodes === 1) return version
  const message = 'The cluster has no KubeRay, which `framework: ray` needs for more than one node.'
  return { ok: false, fault: { class: 'NO_MATCHING_SHAPE', message, scope: 'provider', created: 'no' } }
}

/**
 * Starts the nodes of a job as one Ray cluster that runs its command. One object stands for all of them: whether it exists is whether they
 * were started. KubeRay makes the pods, each bound to the node that was chosen for it.
 */
export async function launchRay(
  orders: readonly [Order, ...Order[]],
  version: string,
  { call, parts }: { readonly call: LaunchCall; readonly parts: RayLaunchParts },
): Promise<Answer<readonly Launched[]>> {
  const { jobs, launching, plain } = parts
  const wrong = orders.map((order) => wrongWith(order, call)).find((one) => one !== undefined)
  if (wrong !== undefined) return refuse('BAD_REQUEST', wrong)
  const queued = await whyQueued(launching, call)
  if (queued !== undefined) return { ok: false, fault: queued }
  const prepared = await preparedFor(orders, call, plain)
  if (!prepared.ok) return earlier(orders, prepared, { call, jobs })
  const { pods, grounds } = prepared
  const made = await jobs.create(rayJobFor(orders, pods, version), call)
  if (!made.ok) return made
  const job = made.value
  if (job.members[0]?.tag.owner !== orders[0].tag.owner)
    return refuse('TRANSIENT', `Another installation of Berth has a RayJob ${job.name} in the same namespace.`)
  if (isRayOver(job)) return { ok: true, value: launchedAs(orders, job) }
  const owner: OwnerReference = {
    apiVersion: `${RAY_JOBS.group}/${version}`,
    kind: 'RayJob',
    name: job.name,
    uid: job.uid,
  }
  const isPinned = plain.settings.pick === 'berth'
  const beside = await Promise.all(
    orders.map((order, rank) =>
      writeFor(order, { owner, isPinned, devices: grounds[rank]?.devices }, { call, parts: plain }),
    ),
  )
  const fault = beside.find((one) => one !== undefined)
  if (fault !== undefined) return left(fault)
  return (isPinned ? await placeless(job, { call, parts }) : undefined) ?? { ok: true, value: launchedAs(orders, job) }
}

function launchedAs(orders: readonly Order[], { name }: SeenRayJob): readonly Launched[] {
  return orders.map(({ usdPerHourMax }, rank) => ({ instance: rayInstance(name, rank), usdPerHour: usdPerHourMax }))
}

/** A job that was started before is answered with what it started, even if a node of it is gone by now. */
async function earlier(
  orders: readonly [Order, ...Order[]],
  refused: Refused,
  { call, jobs }: { readonly call: LaunchCall; readonly jobs: RayJobs },
): Promise<Answer<readonly Launched[]>> {
  const before = await jobs.find(orders[0].tag, call)
  if (!before.ok) return refuse('AMBIGUOUS', before.fault.message)
  return before.value === undefined ? refused : { ok: true, value: launchedAs(orders, before.value) }
}

/** A queue counts pods of its own making, and not those of KubeRay. */
async function whyQueued({ batches }: LaunchParts, call: LaunchCall): Promise<Fault | undefined> {
  const used = await batches.used(call)
  if (!used.ok) return used.fault
  const { scheduler, queue } = used.value ?? {}
  if (scheduler?.queues === undefined) return undefined
  const message = `RayJobs cannot wait in the queue ${queue} of ${scheduler.title}: give Ray a provider of its own with scheduler=none.`
  return { class: 'NO_MATCHING_SHAPE', message, scope: 'provider', created: 'no' }
}

const LOOKS = 30
const LOOK_MS = 150

/**
 * What the scheduler says of pods that are bound to one node each: without room for one of them, all of it is ended, so that it goes
 * elsewhere now. Undefined: each has its place, or KubeRay or the scheduler is busy.
 */
async function placeless(
  job: SeenRayJob,
  { call, parts }: { readonly call: LaunchCall; readonly parts: RayLaunchParts },
): Promise<Refused | undefined> {
  const { jobs, plain, nowMs } = parts
  const waiting = new Set(job.members)
  for (let look = 0; look < LOOKS && waiting.size > 0; look++) {
    await plain.timers.sleep(LOOK_MS, call.signal)
    for (const member of waiting) {
      const found = await plain.pods.findOfRay(member.tag, call)
      if (!found.ok) return undefined
      if (found.pod === undefined) break
      if (found.pod.node !== undefined) waiting.delete(member)
      const fault = unschedulable(found.pod)
      if (fault === undefined) continue
      await jobs.stop(job, nowMs(), call)
      return { ok: false, fault: { ...fault, created: 'yes', instance: job.name } }
    }
  }
  return undefined
}
