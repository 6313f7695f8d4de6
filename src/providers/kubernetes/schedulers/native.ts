import type { Fault } from '../../../core/life/call/fault.ts'
import type { ApiKind, ClusterReader } from './reader.ts'
import type { BatchScheduler, GangAsk, GangPlan } from './scheduler.ts'

const GROUP = 'scheduling.k8s.io'
const GANGS: ApiKind = { group: GROUP, resource: 'podgroups' }

/** Gangs of Kubernetes itself, where an administrator has turned them on. It has no queues. */
export const native: BatchScheduler = { name: 'native', title: 'Kubernetes', gangs: GANGS, queues: undefined, plan }

async function plan(ask: GangAsk, reader: ClusterReader): Promise<GangPlan | Fault> {
  const version = await reader.version(GANGS)
  return {
    pod: () => (ask.size === 1 ? {} : { spec: { schedulingGroup: { podGroupName: ask.name } } }),
    group:
      ask.size === 1
        ? undefined
        : {
            apiVersion: `${GROUP}/${version.ok ? version.value : ''}`,
            kind: 'PodGroup',
            metadata: { name: ask.name, namespace: ask.namespace, labels: ask.labels },
            spec: { schedulingPolicy: { gang: { minCount: ask.size } } },
          },
    isGrouped: ask.size > 1,
    // Constraints are a feature of their own, and without it the API server drops them without a word.
    isTogether: false,
  }
}
