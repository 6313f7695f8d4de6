import type { Fault } from '../../../core/life/call/fault.ts'
import { listAt, mapAt, textAt } from '../nodes/object/json.ts'
import { overQuota, stated } from './quota.ts'
import type { ApiKind, ClusterReader } from './reader.ts'
import type { BatchScheduler, GangAsk, GangPlan } from './scheduler.ts'

const GROUP = 'scheduling.run.ai'
const GANGS: ApiKind = { group: GROUP, resource: 'podgroups' }
const QUEUES = { group: GROUP, resource: 'queues', isWide: true, usual: 'default-queue' }
const TOPOLOGIES: ApiKind = { group: 'kai.scheduler', resource: 'topologies', isWide: true }
const CARDS = 'nvidia.com/gpu'

/** KAI: queues with quotas, gangs inside a domain, and parts of cards. What it says of a pod, it writes on the pod. */
export const kai: BatchScheduler = { name: 'kai', title: 'KAI', gangs: GANGS, queues: QUEUES, divides: true, plan }

async function plan(ask: GangAsk, reader: ClusterReader): Promise<GangPlan | Fault> {
  const refused = await limitOf(ask, reader)
  if (refused !== undefined) return refused
  const topology = ask.domain === undefined ? undefined : await topologyWith(ask.domain.label, reader)
  const version = await reader.version(GANGS)
  const isGang = ask.size > 1
  const constraint = topology && { topology, requiredTopologyLevel: ask.domain?.label }
  return {
    pod: () => ({
      labels: { 'kai.scheduler/queue': ask.queue },
      // A single pod gets a group from KAI itself.
      annotations: { ...(isGang && { 'pod-group-name': ask.name }), ...fractionOf(ask) },
      spec: { schedulerName: 'kai-scheduler' },
    }),
    group: isGang
      ? {
          apiVersion: `${GROUP}/${version.ok ? version.value : ''}`,
          kind: 'PodGroup',
          metadata: { name: ask.name, namespace: ask.namespace, labels: ask.labels },
          spec: {
            minMember: ask.size,
            queue: ask.queue,
            ...(ask.priorityClass !== undefined && { priorityClassName: ask.priorityClass }),
            ...(constraint !== undefined && { topologyConstraint: constraint }),
          },
        }
      : undefined,
    isGrouped: isGang,
    isTogether: constraint !== undefined,
  }
}

function fractionOf({ name, fraction }: GangAsk): Readonly<Record<string, string>> {
  if (fraction === undefined) return {}
  return {
    'gpu-fraction': `${fraction.milli / 1000}`,
    ...(fraction.count > 1 && { 'gpu-fraction-num-devices': `${fraction.count}` }),
    // Where KAI says which cards they are; its admission would name it the same way.
    'runai/shared-gpu-configmap': `${name}-cards`,
  }
}

/** The queue and those above it: what exceeds the limit of one of them would wait for ever. */
async function limitOf(ask: GangAsk, reader: ClusterReader): Promise<Fault | undefined> {
  const { fraction, size, requests } = ask
  const shares = fraction === undefined ? 0 : (fraction.milli / 1000) * fraction.count * size
  const wants = new Map([[CARDS, (requests.get(CARDS) ?? 0) + shares]])
  let name: string | undefined = ask.queue
  for (let depth = 0; depth < 5 && name !== undefined; depth++) {
    const found = await reader.find(QUEUES, name)
    if (!found.ok || found.value === undefined) return undefined
    const limit = stated(mapAt(found.value, 'spec', 'resources', 'gpu')['limit'])
    const fault = limit === undefined ? undefined : overQuota(name, wants, new Map([[CARDS, limit]]))
    if (fault !== undefined) return fault
    name = textAt(found.value, 'spec', 'parentQueue')
  }
  return undefined
}

/** The name of a topology that has this label among its levels. */
async function topologyWith(label: string, reader: ClusterReader): Promise<string | undefined> {
  const all = await reader.list(TOPOLOGIES)
  const has = (each: unknown) => listAt(each, 'spec', 'levels').some((level) => textAt(level, 'nodeLabel') === label)
  const names = all.ok ? all.value.filter(has).flatMap((each) => textAt(each, 'metadata', 'name') ?? []) : []
  return names.toSorted()[0]
}
