import type { Fault } from '../../../core/life/call/fault.ts'
import { inCluster } from '../api/paths.ts'
import { GROUP_ANNOTATION, groupsOf, QUEUE_ANNOTATION } from '../names.ts'
import { mapAt, textAt } from '../nodes/object/json.ts'
import { parseQuantity } from '../nodes/object/quantity.ts'
import type { SeenPod } from '../read/pod.ts'
import { tierWithin } from './hyper-nodes.ts'
import { overQuota, shown } from './quota.ts'
import type { ApiKind, ClusterReader } from './reader.ts'
import type { BatchScheduler, GangAsk, GangPlan } from './scheduler.ts'

const GROUP = 'scheduling.volcano.sh'
const GANGS: ApiKind = { group: GROUP, resource: 'podgroups' }
const QUEUES = { group: GROUP, resource: 'queues', isWide: true, usual: 'default' }
const HYPER_NODES: ApiKind = { group: 'topology.volcano.sh', resource: 'hypernodes', isWide: true }

/** Volcano: queues with capabilities, and gangs inside a HyperNode. */
export const volcano: BatchScheduler = {
  name: 'volcano',
  title: 'Volcano',
  gangs: GANGS,
  queues: QUEUES,
  plan,
  reasons,
}

async function plan(ask: GangAsk, reader: ClusterReader): Promise<GangPlan | Fault> {
  const queue = await reader.find(QUEUES, ask.queue)
  const limits = quantities(queue.ok ? queue.value : undefined, 'spec', 'capability')
  const refused = overQuota(ask.queue, ask.requests, limits)
  if (refused !== undefined) return refused
  const tier = ask.domain === undefined ? undefined : await tierFor(ask.domain.label, reader)
  const version = await reader.version(GANGS)
  return {
    pod: () => ({
      annotations: { 'scheduling.k8s.io/group-name': ask.name },
      spec: { schedulerName: 'volcano' },
    }),
    group: {
      apiVersion: `${GROUP}/${version.ok ? version.value : ''}`,
      kind: 'PodGroup',
      metadata: { name: ask.name, namespace: ask.namespace, labels: ask.labels },
      spec: {
        minMember: ask.size,
        queue: ask.queue,
        // What the queue is asked for before any pod of the gang may start.
        minResources: Object.fromEntries([...ask.requests].map(([resource, amount]) => [resource, written(amount)])),
        ...(ask.priorityClass !== undefined && { priorityClassName: ask.priorityClass }),
        ...(tier !== undefined && { networkTopology: { mode: 'hard', highestTierAllowed: tier } }),
      },
    },
    isGrouped: true,
    isTogether: tier !== undefined,
  }
}

function written(amount: number): string {
  return Number.isInteger(amount) ? `${amount}` : `${Math.ceil(amount * 1000)}m`
}

async function tierFor(label: string, reader: ClusterReader): Promise<number | undefined> {
  const [hyperNodes, nodes] = await Promise.all([reader.list(HYPER_NODES), reader.items(inCluster('nodes'))])
  return hyperNodes.ok && nodes.ok ? tierWithin(label, hyperNodes.value, nodes.value) : undefined
}

/** A gang that the queue has not let in has only a phase: what the queue lacks is worked out from its figures. */
async function reasons(pods: readonly SeenPod[], reader: ClusterReader): Promise<ReadonlyMap<string, string>> {
  const groups = await reader.some(GANGS, groupsOf(pods))
  const shut = new Map(
    groups.flatMap((group): readonly [string, unknown][] => {
      const phase = textAt(group, 'status', 'phase') ?? 'Pending'
      return phase === 'Pending' ? [[textAt(group, 'metadata', 'name') ?? '', group]] : []
    }),
  )
  const waiting = pods.filter(({ annotations }) => shut.has(annotations[GROUP_ANNOTATION] ?? ''))
  const names = [...new Set(waiting.map(({ annotations }) => annotations[QUEUE_ANNOTATION] ?? ''))]
  const queues = new Map(
    await Promise.all(
      names.map(async (name): Promise<[string, unknown]> => {
        const found = await reader.find(QUEUES, name)
        return [name, found.ok ? found.value : undefined]
      }),
    ),
  )
  return new Map(
    waiting.map(({ name, annotations }) => {
      const queue = queues.get(annotations[QUEUE_ANNOTATION] ?? '')
      return [name, lackOf(queue, shut.get(annotations[GROUP_ANNOTATION] ?? ''))]
    }),
  )
}

function lackOf(queue: unknown, group: unknown): string {
  const limits = quantities(queue, 'spec', 'capability')
  const used = quantities(queue, 'status', 'allocated')
  for (const [resource, wants] of quantities(group, 'spec', 'minResources')) {
    const limit = limits.get(resource)
    const taken = used.get(resource) ?? 0
    if (limit !== undefined && taken + wants > limit)
      return `insufficient quota: ${shown(taken)} of ${shown(limit)} ${resource} are in use, and it asks for ${shown(wants)}`
  }
  return 'it waits for its turn'
}

function quantities(object: unknown, ...path: readonly string[]): ReadonlyMap<string, number> {
  const map = mapAt(object, ...path)
  return new Map(
    Object.keys(map).flatMap((key): readonly [string, number][] => {
      const amount = parseQuantity(map[key])
      return amount === undefined ? [] : [[key, amount]]
    }),
  )
}
