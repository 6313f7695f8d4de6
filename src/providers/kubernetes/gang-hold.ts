import type { Fault } from '../../core/life/call/fault.ts'
import type { Call } from '../../ports/provider.ts'
import type { Timers } from '../../ports/timers.ts'
import { QUEUE_ANNOTATION, SCHEDULER_ANNOTATION } from './names.ts'
import { referenceTo } from './objects/dependents.ts'
import type { KubeObject } from './objects/object.ts'
import type { Pods } from './pods.ts'
import { isOver } from './read/ending.ts'
import type { SeenPod } from './read/pod.ts'
import { reasonText, unschedulable } from './read/waiting.ts'
import type { Batches } from './schedulers/batches.ts'
import { SCHEDULERS } from './schedulers/registry.ts'

/** What it takes to look after pods that were just created. */
export interface HoldParts {
  readonly pods: Pods
  readonly batches: Batches
  readonly timers: Timers
}

type Refused = { readonly ok: false; readonly fault: Fault }

const LOOKS = 20
const LOOK_MS = 150

/** Writes the object that stands for a gang, as the property of all its pods. Undefined: it is there, or none is needed. */
export async function writeGang(
  pods: readonly SeenPod[],
  group: KubeObject | undefined,
  { call, parts }: { readonly call: Call; readonly parts: Pick<HoldParts, 'pods'> },
): Promise<Fault | undefined> {
  if (group === undefined) return undefined
  const metadata = { ...group.metadata, ownerReferences: pods.map(referenceTo) }
  const reply = await parts.pods.beside({ ...group, metadata }, call)
  return reply.ok ? undefined : reply.fault
}

/**
 * Whether the scheduler says within a moment that the queue can never give them what they ask for. What merely waits is left to wait.
 * Undefined: it does not say so, or there is no queue.
 */
export async function neverStarts(pods: readonly SeenPod[], call: Call, parts: HoldParts): Promise<Fault | undefined> {
  const [first] = pods
  const scheduler = SCHEDULERS.find(({ name }) => name === first?.annotations[SCHEDULER_ANNOTATION])
  if (first === undefined || scheduler?.never === undefined) return undefined
  for (let look = 0; look < LOOKS; look++) {
    await parts.timers.sleep(LOOK_MS, call.signal)
    const seen = await parts.pods.any(first.name, call)
    if (!seen.ok || seen.pod === undefined || seen.pod.node !== undefined) return undefined
    const why = (await parts.batches.reasons([seen.pod], call)).get(first.name)
    if (why !== undefined && scheduler.never.test(why)) {
      const message = reasonText(first.annotations[QUEUE_ANNOTATION], why)
      return { class: 'QUOTA', message, scope: 'offer', created: 'yes' }
    }
    if (why !== undefined) return undefined
  }
  return undefined
}

/**
 * Holds a gang together where nothing else does: either each of its pods has a place, or none keeps one. Undefined: all have theirs,
 * or the scheduler is busy.
 */
export async function holdTogether(
  pods: readonly SeenPod[],
  call: Call,
  parts: HoldParts,
): Promise<Refused | undefined> {
  let waiting = pods
  for (let look = 0; look < LOOKS && waiting.length > 0; look++) {
    await parts.timers.sleep(LOOK_MS, call.signal)
    const found = await Promise.all(waiting.map(({ name }) => parts.pods.any(name, call)))
    const seen = found.flatMap((one) => (one.ok && one.pod !== undefined ? [one.pod] : []))
    if (seen.length < waiting.length) return undefined
    const fault = seen.map(unschedulable).find((one) => one !== undefined)
    if (fault !== undefined) return takenBack(pods, fault, { call, parts })
    waiting = seen.filter(({ node }) => node === undefined)
  }
  return undefined
}

/** Removes pods that are refused after all. */
export async function takenBack(
  pods: readonly SeenPod[],
  fault: Fault,
  { call, parts }: { readonly call: Call; readonly parts: HoldParts },
): Promise<Refused> {
  const isGone = await Promise.all(pods.map((pod) => removeNow(pod, call, parts)))
  const [first] = pods
  if (first !== undefined) await parts.batches.release(first, call)
  if (isGone.every(Boolean)) return { ok: false, fault: { ...fault, created: 'no' } }
  const { instance: _, ...rest } = fault
  const [only] = pods.length === 1 ? pods : []
  return { ok: false, fault: { ...rest, created: 'yes', ...(only !== undefined && { instance: only.name }) } }
}

/** Whether it is gone: one that has a node by now ends in its own time. */
async function removeNow(pod: SeenPod, call: Call, { pods }: Pick<HoldParts, 'pods'>): Promise<boolean> {
  const removed = await pods.remove(pod, call)
  if (!removed.ok) return false
  if (removed.pod === undefined) return true
  if (!isOver(removed.pod)) return false
  await pods.tidy(removed.pod, call)
  return true
}
