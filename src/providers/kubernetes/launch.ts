import type { Fault } from '../../core/life/call/fault.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { Answer, LaunchCall, Launched } from '../../ports/provider.ts'
import type { Timers } from '../../ports/timers.ts'
import type { KubeReply } from './api/client.ts'
import { neverStarts, takenBack, writeGang } from './gang-hold.ts'
import { groundNode, type GroundParts } from './inventory.ts'
import { nameOf, readTag } from './names.ts'
import { storagePlan } from '../storage/plan.ts'
import { hasData } from './objects/courier.ts'
import { claimFor, gangServiceFor, referenceTo, secretFor, serviceFor, storageSecretFor } from './objects/dependents.ts'
import { groundOf, type Ground } from './objects/ground.ts'
import type { KubeObject, OwnerReference } from './objects/object.ts'
import { wrongWith } from './order.ts'
import type { PodNews, PodStory } from './pod-news.ts'
import type { Pods } from './pods.ts'
import { prepare, type Member, type PrepareParts, type Prepared } from './prepare.ts'
import { isOver } from './read/ending.ts'
import type { SeenPod } from './read/pod.ts'
import { unschedulable } from './read/waiting.ts'

export interface LaunchParts extends PrepareParts {
  readonly pods: Pods
  readonly news: PodNews
  readonly inventory: GroundParts
  readonly timers: Timers
}

export type Refused = { readonly ok: false; readonly fault: Fault }

/**
 * Starts an attempt. The pod comes first, because its name makes the attempt happen once; what it needs beside itself follows, as its
 * property, and goes with it. A repeated launch writes what is missing and starts nothing.
 */
export async function launchOrder(order: Order, call: LaunchCall, parts: LaunchParts): Promise<Answer<Launched>> {
  const wrong = wrongWith(order, call)
  if (wrong !== undefined) return refuse('BAD_REQUEST', wrong)
  const story = parts.news.follow(nameOf(order.tag.attempt))
  try {
    return await launchFollowed(order, { call, parts }, story)
  } finally {
    story.end()
  }
}

async function launchFollowed(order: Order, { call, parts }: LaunchAt, story: PodStory): Promise<Answer<Launched>> {
  const made = await make(order, call, parts)
  if (!made.ok) return made
  const { pod, ground } = made
  const launched = { ok: true, value: { instance: pod.name, usdPerHour: order.usdPerHourMax } } as const
  if (isOver(pod)) return launched
  const beside =
    (await writeBeside(order, { pod, ground }, { call, parts })) ??
    (await writeGang([pod], made.group, { call, parts }))
  if (beside !== undefined) return left(beside, pod)
  const never = await neverStarts([pod], call, parts)
  if (never !== undefined) return takenBack([pod], never, { call, parts })
  if (!pod.isPinned) return launched
  return (await verdict(pod, story, { call, parts })) ?? launched
}

type Made = ({ readonly ok: true; readonly group?: KubeObject | undefined } & MadePod) | Refused

export interface MadePod {
  readonly pod: SeenPod
  /** Undefined: an earlier call has made it, and its node cannot be read now. */
  readonly ground?: Ground | undefined
}

async function make(order: Order, call: LaunchCall, parts: LaunchParts): Promise<Made> {
  const prepared = await preparedFor([order], call, parts)
  if (!prepared.ok) return earlier(await known(order, call, parts), prepared)
  const made = await makePod(order, prepared.pods[0], { call, parts })
  return made.ok ? { ...made, group: prepared.group, ground: prepared.grounds[0] } : made
}

/** The pods of orders that start together, each on the ground that was chosen for it. */
export async function preparedFor(orders: readonly Order[], call: LaunchCall, parts: LaunchParts): Promise<Prepared> {
  const grounds = await Promise.all(orders.map((order) => groundFor(order, call, parts)))
  const members: Member[] = []
  for (const [rank, found] of grounds.entries()) {
    const order = orders[rank]
    if (!found.ok) return found
    if (order !== undefined) members.push({ order, ground: found.ground })
  }
  return prepare(members, call, parts)
}

/** Creates the pod of an attempt, or finds the one that was created before. */
export async function makePod(order: Order, pod: KubeObject | undefined, at: LaunchAt): Promise<Made> {
  if (pod === undefined) return refuse('BAD_REQUEST', 'There is no order.')
  const created = await at.parts.pods.create(pod, at.call)
  if (!created.ok) return created
  if (created.pod !== 'taken') return { ok: true, pod: created.pod }
  return (
    (await known(order, at.call, at.parts)) ??
    refuse('AMBIGUOUS', 'Its pod was there a moment ago, and is not any more.')
  )
}

/** A launch that is under way. */
export interface LaunchAt {
  readonly call: LaunchCall
  readonly parts: LaunchParts
}

/** An attempt that was made before is answered with its pod, even if its node is gone by now. */
function earlier(before: Made | undefined, refused: Refused): Made {
  return before?.ok === true ? before : refused
}

/** What an earlier call has made of it; undefined: nothing. */
export async function known(order: Order, call: LaunchCall, { pods }: LaunchParts): Promise<Made | undefined> {
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
  const node = await groundNode({ name, gpus: order.gpus }, inventory, call)
  if (!node.ok) return node
  if (typeof node.value === 'string') return refuse('OFFER_GONE', node.value)
  const ground = groundOf(order, node.value)
  return 'class' in ground ? { ok: false, fault: ground } : { ok: true, ground }
}

/** Undefined: everything is written. */
export async function writeBeside(
  order: Order,
  { pod, ground }: MadePod,
  { call, parts }: LaunchAt,
): Promise<Fault | undefined> {
  const devices = pod.hasDevices ? ground?.devices : undefined
  return writeFor(order, { owner: referenceTo(pod), isPinned: pod.isPinned, devices }, { call, parts })
}

/** What the things beside a pod belong to, and what its cards are. */
interface Owning {
  readonly owner: OwnerReference
  readonly isPinned: boolean
  readonly devices: Ground['devices']
}

/** Undefined: everything is written. */
export async function writeFor(
  order: Order,
  { owner, isPinned, devices }: Owning,
  { call, parts }: LaunchAt,
): Promise<Fault | undefined> {
  const { pods, namespace } = parts
  // In a queue the scheduler picks the node, so the claim describes its cards.
  const settings = isPinned ? parts.settings : { ...parts.settings, pick: 'cluster' as const }
  const beside = { order, namespace, owner }
  const claim = devices === undefined ? undefined : claimFor(beside, devices, settings)
  const plan = storagePlan(order, call.storageSecrets ?? new Map())
  // An order that cannot be planned was refused before.
  const storage = typeof plan !== 'object' || !hasData(order) ? undefined : storageSecretFor(beside, plan)
  const all = [claim, secretFor(beside, call.secrets), storage, serviceFor(beside)]
  const own = all.filter((object) => object !== undefined)
  const gang = gangServiceFor(beside)
  const replies: KubeReply[] = await Promise.all([
    ...own.map((object) => pods.beside(object, call)),
    ...(gang === undefined ? [] : [pods.shared(gang, owner.name, call)]),
  ])
  return replies.find((reply) => !reply.ok)?.fault
}

/** The pod is there, whatever is missing beside it. What cannot be told is tried again; a plain refusal is one. */
export function left(fault: Fault, pod?: SeenPod): Refused {
  const isOpen = fault.class === 'TRANSIENT' || fault.class === 'AMBIGUOUS'
  const named = pod === undefined ? {} : { instance: pod.name }
  return { ok: false, fault: { ...fault, class: isOpen ? 'AMBIGUOUS' : fault.class, created: 'yes', ...named } }
}

const LOOKS = 6
const LOOK_MS = 150
/** So many looks without a word of any pod, and the watch may be broken. On a busy cluster it is merely late, and asking makes that worse. */
const SILENT_LOOKS = 4

/**
 * What the scheduler says of a pod that is bound to one node: it knows at once whether there is room. A pod without a place is taken
 * back, so that the slot goes elsewhere now and not after a deadline. Undefined: it has its place, or the scheduler is busy.
 */
async function verdict(pod: SeenPod, story: PodStory, { call, parts }: LaunchAt): Promise<Refused | undefined> {
  const { pods, timers } = parts
  let seen: SeenPod | undefined = pod
  for (let waits = 0; waits < LOOKS && seen?.node === undefined;) {
    if (!(await story.news(timers, LOOK_MS, call.signal))) waits++
    const isLate = waits < SILENT_LOOKS || story.isAlive()
    if (story.latest === undefined && isLate && !call.signal.aborted) continue
    const found = story.latest === undefined ? await pods.any(pod.name, call) : { ok: true as const, pod: story.latest }
    if (!found.ok) return undefined
    seen = found.pod
    const fault = seen && unschedulable(seen)
    if (fault !== undefined) return takenBack([pod], fault, { call, parts })
  }
  return undefined
}

export function refuse(name: Fault['class'], message: string): Refused {
  return { ok: false, fault: { class: name, message: message.slice(0, 500) } }
}
