import type { Fault } from '../../core/life/call/fault.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { Answer, Call, LaunchCall, Launched } from '../../ports/provider.ts'
import type { Timers } from '../../ports/timers.ts'
import type { KubeClient, KubeReply } from './api/client.ts'
import { groundNode, type InventoryParts } from './inventory.ts'
import { nameOf, readTag } from './names.ts'
import { gangServiceFor, secretFor, serviceFor } from './objects/dependents.ts'
import { groundOf, type Ground } from './objects/ground.ts'
import { podFor } from './objects/pod.ts'
import { wrongWith } from './order.ts'
import type { Pods } from './pods.ts'
import { isOver } from './read/ending.ts'
import type { SeenPod } from './read/pod.ts'
import { unschedulable } from './read/waiting.ts'
import type { KubernetesSettings } from './settings.ts'

export interface LaunchParts {
  readonly pods: Pods
  readonly inventory: InventoryParts
  readonly settings: KubernetesSettings
  readonly namespace: string
  readonly client: KubeClient
  readonly timers: Timers
}

type Refused = { readonly ok: false; readonly fault: Fault }

/**
 * Starts an attempt. The pod comes first, because its name makes the attempt happen once; what it needs beside itself follows, as its
 * property, and goes with it. A repeated launch writes what is missing and starts nothing.
 */
export async function launchOrder(order: Order, call: LaunchCall, parts: LaunchParts): Promise<Answer<Launched>> {
  const wrong = wrongWith(order, call.secrets)
  if (wrong !== undefined) return refuse('BAD_REQUEST', wrong)
  const made = await make(order, call, parts)
  if (!made.ok) return made
  const { pod } = made
  const launched = { ok: true, value: { instance: pod.name, usdPerHour: order.usdPerHourMax } } as const
  if (isOver(pod)) return launched
  const beside = await writeBeside(order, pod, { call, parts })
  if (beside !== undefined) return left(beside, pod)
  if (!pod.isPinned) return launched
  return (await verdict(pod, call, parts)) ?? launched
}

type Made = { readonly ok: true; readonly pod: SeenPod } | Refused

async function make(order: Order, call: LaunchCall, parts: LaunchParts): Promise<Made> {
  const ground = await groundFor(order, call, parts)
  if (!ground.ok) return earlier(await known(order, call, parts), ground)
  const { settings, namespace, pods } = parts
  const created = await pods.create(podFor(order, ground.ground, { settings, namespace }), call)
  if (!created.ok) return created
  if (created.pod !== 'taken') return { ok: true, pod: created.pod }
  return (
    (await known(order, call, parts)) ?? refuse('AMBIGUOUS', 'Its pod was there a moment ago, and is not any more.')
  )
}

/** An attempt that was made before is answered with its pod, even if its node is gone by now. */
function earlier(before: Made | undefined, refused: Refused): Made {
  return before?.ok === true ? before : refused
}

/** What an earlier call has made of it; undefined: nothing. */
async function known(order: Order, call: LaunchCall, { pods }: LaunchParts): Promise<Made | undefined> {
  const found = await pods.any(nameOf(order.tag.attempt), call)
  if (!found.ok) return refuse('AMBIGUOUS', found.fault.message)
  if (found.pod === undefined) return undefined
  if (readTag(found.pod.annotations)?.owner === order.tag.owner) return { ok: true, pod: found.pod }
  const message = `Another installation of Berth has a pod ${found.pod.name} in the same namespace.`
  return { ok: false, fault: { class: 'TRANSIENT', message, created: 'no' } }
}

type Found = { readonly ok: true; readonly ground: Ground } | Refused

async function groundFor(order: Order, call: LaunchCall, { inventory }: LaunchParts): Promise<Found> {
  const name = order.place.node?.id ?? order.place.instance
  const node = await groundNode(name, inventory, call)
  if (!node.ok) return node
  if (typeof node.value === 'string') return refuse('OFFER_GONE', node.value)
  const ground = groundOf(order, node.value)
  return 'class' in ground ? { ok: false, fault: ground } : { ok: true, ground }
}

/** Undefined: everything is written. */
async function writeBeside(
  order: Order,
  pod: SeenPod,
  { call, parts }: { readonly call: LaunchCall; readonly parts: LaunchParts },
): Promise<Fault | undefined> {
  const { pods, namespace } = parts
  const beside = { order, namespace, pod }
  const own = [secretFor(beside, call.secrets), serviceFor(beside)].filter((object) => object !== undefined)
  const gang = gangServiceFor(beside)
  const replies: KubeReply[] = await Promise.all([
    ...own.map((object) => pods.beside(object, call)),
    ...(gang === undefined ? [] : [pods.shared(gang, pod.name, call)]),
  ])
  return replies.find((reply) => !reply.ok)?.fault
}

/** The pod is there, whatever is missing beside it. What cannot be told is tried again; a plain refusal is one. */
function left(fault: Fault, { name }: SeenPod): Refused {
  const isOpen = fault.class === 'TRANSIENT' || fault.class === 'AMBIGUOUS'
  return { ok: false, fault: { ...fault, class: isOpen ? 'AMBIGUOUS' : fault.class, created: 'yes', instance: name } }
}

const LOOKS = 6
const LOOK_MS = 150

/**
 * What the scheduler says of a pod that is bound to one node: it knows at once whether there is room. A pod without a place is taken
 * back, so that the slot goes elsewhere now and not after a deadline. Undefined: it has its place, or the scheduler is busy.
 */
async function verdict(pod: SeenPod, call: LaunchCall, { pods, timers }: LaunchParts): Promise<Refused | undefined> {
  let seen: SeenPod | undefined = pod
  for (let look = 0; look < LOOKS && seen?.node === undefined; look++) {
    await timers.sleep(LOOK_MS, call.signal)
    const found = await pods.any(pod.name, call)
    if (!found.ok) return undefined
    seen = found.pod
    const fault = seen && unschedulable(seen)
    if (fault !== undefined) return takenBack(pod, fault, { call, pods })
  }
  return undefined
}

async function takenBack(
  pod: SeenPod,
  fault: Fault,
  { call, pods }: { readonly call: Call; readonly pods: Pods },
): Promise<Refused | undefined> {
  const removed = await pods.remove(pod, call)
  // It may have got its place in this very moment.
  const isGone = removed.ok && (removed.pod === undefined || removed.pod.node === undefined)
  if (isGone && removed.pod !== undefined) await pods.tidy(removed.pod, call)
  return { ok: false, fault: isGone ? { ...fault, created: 'no' } : { ...fault, created: 'yes', instance: pod.name } }
}

function refuse(name: Fault['class'], message: string): Refused {
  return { ok: false, fault: { class: name, message: message.slice(0, 500) } }
}
