import type { Fault } from '../../../core/life/call/fault.ts'
import { GROUP_ANNOTATION, groupsOf } from '../names.ts'
import { listAt, textAt } from '../nodes/object/json.ts'
import type { SeenPod } from '../read/pod.ts'
import type { ApiKind, ClusterReader } from './reader.ts'
import type { BatchScheduler, GangAsk, GangPlan } from './scheduler.ts'

const GROUP = 'kueue.x-k8s.io'
const GANGS: ApiKind = { group: GROUP, resource: 'workloads' }
const QUEUES = { group: GROUP, resource: 'localqueues', usual: 'default' }
const TOPOLOGIES: ApiKind = { group: GROUP, resource: 'topologies', isWide: true }

/**
 * Kueue: pods wait behind gates until their queue has room for all of them, and the cluster's own scheduler binds them. It makes the
 * Workload itself, by the name of the group. Everything its admission would add is stated, so that it makes no difference whether
 * that is on.
 */
export const kueue: BatchScheduler = {
  name: 'kueue',
  title: 'Kueue',
  gangs: GANGS,
  queues: QUEUES,
  plan,
  reasons,
  isMaker: true,
  never: /maximum capacity|ExceedsMaxQuota|exceeds the maximum/i,
}

async function plan(ask: GangAsk, reader: ClusterReader): Promise<GangPlan | Fault> {
  const topologies = await reader.list(TOPOLOGIES)
  const knows = (label: string): boolean =>
    topologies.ok &&
    topologies.value.some((each) =>
      listAt(each, 'spec', 'levels').some((level) => textAt(level, 'nodeLabel') === label),
    )
  const domain = ask.domain !== undefined && knows(ask.domain.label) ? ask.domain.label : undefined
  const assigns = topologies.ok && topologies.value.length > 0
  return {
    pod: (rank) => ({
      labels: {
        [`${GROUP}/queue-name`]: ask.queue,
        [`${GROUP}/managed`]: 'true',
        [`${GROUP}/pod-group-name`]: ask.name,
        [`${GROUP}/pod-group-pod-index`]: `${rank}`,
      },
      annotations: {
        [`${GROUP}/pod-group-total-count`]: `${ask.size}`,
        // Members differ in their rank alone: they count as one role.
        [`${GROUP}/role-hash`]: 'member',
        // An attempt runs once: a member that failed is not waited for.
        [`${GROUP}/retriable-in-group`]: 'false',
        ...(domain !== undefined && { [`${GROUP}/podset-required-topology`]: domain }),
      },
      spec: {
        schedulingGates: [{ name: `${GROUP}/admission` }, ...(assigns ? [{ name: `${GROUP}/topology` }] : [])],
      },
    }),
    group: undefined,
    isGrouped: true,
    isTogether: domain !== undefined,
  }
}

/** What its Workload says of the quota. */
async function reasons(pods: readonly SeenPod[], reader: ClusterReader): Promise<ReadonlyMap<string, string>> {
  const workloads = await reader.some(GANGS, groupsOf(pods))
  const byName = new Map(workloads.map((each) => [textAt(each, 'metadata', 'name') ?? '', each]))
  return new Map(
    pods.flatMap(({ name, annotations, conditions }): readonly [string, string][] => {
      // Admitted: what the scheduler says counts.
      if (!conditions.some(({ reason }) => reason === 'SchedulingGated')) return []
      const why = quotaOf(byName.get(annotations[GROUP_ANNOTATION] ?? ''))
      return why === undefined ? [] : [[name, why]]
    }),
  )
}

function quotaOf(workload: unknown): string | undefined {
  const conditions = listAt(workload, 'status', 'conditions')
  const shut = ['QuotaReserved', 'Admitted'].flatMap((type) =>
    conditions.filter((each) => textAt(each, 'type') === type && textAt(each, 'status') === 'False'),
  )
  return shut.flatMap((each) => textAt(each, 'message') ?? [])[0]
}
