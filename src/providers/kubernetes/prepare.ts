import type { Fault } from '../../core/life/call/fault.ts'
import type { Order } from '../../core/life/call/order.ts'
import type { Call } from '../../ports/provider.ts'
import { GROUP_ANNOTATION, labelsOf, LABELS, nameOf, QUEUE_ANNOTATION, SCHEDULER_ANNOTATION } from './names.ts'
import { labelFor } from './nodes/domains.ts'
import { listAt, textAt, textsAt } from './nodes/object/json.ts'
import { parseQuantity } from './nodes/object/quantity.ts'
import type { Ground } from './objects/ground.ts'
import type { KubeObject } from './objects/object.ts'
import { podFor } from './objects/pod.ts'
import type { Batches } from './schedulers/batches.ts'
import type { Batch, GangAsk, GangPlan } from './schedulers/scheduler.ts'
import type { KubernetesSettings } from './settings.ts'

/** A member of a gang and the ground that was chosen for it. */
export interface Member {
  readonly order: Order
  readonly ground: Ground
}

export interface PrepareParts {
  readonly settings: KubernetesSettings
  readonly namespace: string
  readonly batches: Batches
}

export type Prepared =
  | {
      readonly ok: true
      /** By rank. */
      readonly pods: readonly KubeObject[]
      /** By rank. */
      readonly grounds: readonly Ground[]
      /** The gang, as the scheduler wants it; undefined: nothing is written. */
      readonly group: KubeObject | undefined
      /** Undefined: the cluster has no batch scheduler for us. */
      readonly batch: Batch | undefined
    }
  | { readonly ok: false; readonly fault: Fault }

/**
 * Pods that are to start together, in the words of the scheduler that the cluster has. One with queues picks the nodes: by the time a
 * pod leaves its queue, the node that was free when it was chosen may be taken.
 */
export async function prepare(members: readonly Member[], call: Call, parts: PrepareParts): Promise<Prepared> {
  const { namespace, batches } = parts
  const used = await batches.used(call)
  if (!used.ok) return used
  const batch = used.value
  const settings =
    batch?.scheduler.queues === undefined ? parts.settings : { ...parts.settings, pick: 'cluster' as const }
  const ask = askFor(members, batch, { ...parts, settings })
  if (ask.fraction !== undefined && batch?.scheduler.divides !== true) return { ok: false, fault: UNDIVIDED }
  const plan = await batch?.scheduler.plan(ask, batches.reader(call))
  if (plan !== undefined && 'class' in plan) return { ok: false, fault: plan }
  const lost = settings.pick === 'cluster' ? placeless(members) : undefined
  if (lost !== undefined) return { ok: false, fault: lost }
  const isKept = settings.pick === 'berth' || plan?.isTogether === true
  const pods = members.map(({ order, ground }, rank) => {
    const near = isKept || ask.domain === undefined ? ground : nearest(ground, ask.domain.label)
    return podFor(order, near, { settings, namespace, more: additionOf(plan, batch, { rank, ask }) })
  })
  return { ok: true, pods, grounds: members.map(({ ground }) => ground), group: plan?.group, batch }
}

const UNDIVIDED: Fault = {
  class: 'NO_MATCHING_SHAPE',
  message: "No scheduler of the cluster gives out parts of whole cards: correct the provider's setting fractions.",
  scope: 'provider',
  created: 'no',
}

function askFor(members: readonly Member[], batch: Batch | undefined, parts: PrepareParts): GangAsk {
  const { settings, namespace } = parts
  const bare = ({ order, ground }: Member): KubeObject => podFor(order, ground, { settings, namespace })
  const [first] = members
  const { [LABELS.attempt]: _attempt, 'berth.dev/slot': _slot, ...labels } = first ? labelsOf(first.order.tag) : {}
  const within = first?.order.within
  const label = within === undefined ? undefined : labelFor(within, first?.ground.labels ?? {})
  return {
    name: nameOf(first?.order.tag.attempt ?? ''),
    namespace,
    queue: batch?.queue ?? '',
    size: members.length,
    requests: batch === undefined ? new Map() : requestsOf(members.map(bare)),
    domain: within === undefined || label === undefined ? undefined : { level: within, label },
    fraction: first?.ground.fraction,
    priorityClass: settings.priorityClass,
    labels,
  }
}

/** A gang that must be near, on a node that no longer says where it is. */
function placeless(members: readonly Member[]): Fault | undefined {
  const [first] = members
  const within = first?.order.within
  if (within === undefined || labelFor(within, first?.ground.labels ?? {}) !== undefined) return undefined
  const message = `The node ${first?.ground.node ?? ''} does not say which ${within} it is in any more.`
  return { class: 'OFFER_GONE', message, created: 'no' }
}

/** What pods request together. */
function requestsOf(pods: readonly KubeObject[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const container of pods.flatMap((pod) => [
    ...listAt(pod, 'spec', 'containers'),
    ...listAt(pod, 'spec', 'initContainers').filter((one) => textAt(one, 'restartPolicy') === 'Always'),
  ])) {
    for (const [resource, text] of textsAt(container, 'resources', 'requests')) {
      sums.set(resource, (sums.get(resource) ?? 0) + (parseQuantity(text) ?? 0))
    }
  }
  return sums
}

/** Only nodes in the same domain as the chosen one: for schedulers that cannot be told to find one themselves. */
function nearest(ground: Ground, label: string): Ground {
  const value = ground.labels[label]
  if (value === undefined) return ground
  return { ...ground, alike: [...ground.alike, { key: label, operator: 'In', values: [value] }] }
}

/** What the scheduler wants, and by which we know later whose it is. */
function additionOf(
  plan: GangPlan | undefined,
  batch: Batch | undefined,
  { rank, ask }: { readonly rank: number; readonly ask: GangAsk },
): ReturnType<GangPlan['pod']> {
  if (plan === undefined || batch === undefined) return {}
  const { scheduler, queue } = batch
  const { annotations, ...more } = plan.pod(rank)
  const { isGrouped } = plan
  if (scheduler.queues === undefined && !isGrouped) return {}
  return {
    ...more,
    annotations: {
      ...annotations,
      [SCHEDULER_ANNOTATION]: scheduler.name,
      ...(queue !== '' && { [QUEUE_ANNOTATION]: queue }),
      ...(isGrouped && { [GROUP_ANNOTATION]: ask.name }),
    },
  }
}
