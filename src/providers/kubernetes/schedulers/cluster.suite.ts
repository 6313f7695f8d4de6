import type { KubeClient, KubeReply } from '../api/client.ts'
import { Batches } from './batches.ts'

/** What an API server has, by path; groups by name, with the resources of each version, the preferred version first. */
export interface FakeCluster {
  readonly groups?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  readonly objects?: Readonly<Record<string, unknown>>
  /** Paths that may not be read. */
  readonly forbidden?: readonly string[]
}

export const KAI = {
  'scheduling.run.ai': { v2: ['queues'], v2alpha2: ['podgroups'] },
  'kai.scheduler': { v1alpha1: ['topologies'] },
}
export const VOLCANO = {
  'scheduling.volcano.sh': { v1beta1: ['podgroups', 'queues'] },
  'topology.volcano.sh': { v1alpha1: ['hypernodes'] },
}
export const KUEUE = {
  'kueue.x-k8s.io': { v1beta2: ['workloads', 'localqueues', 'topologies'], v1beta1: ['workloads'] },
}
export const NATIVE = { 'scheduling.k8s.io': { v1: ['priorityclasses'], v1alpha2: ['podgroups', 'workloads'] } }

/** An API server in memory, and the paths that were read from it. */
function fakeApi({ groups = {}, objects = {}, forbidden = [] }: FakeCluster): {
  readonly client: KubeClient
  readonly read: string[]
} {
  const read: string[] = []
  const reply = (path: string): KubeReply => {
    read.push(path)
    const [, apis, group = '', version = '', ...rest] = path.split('/')
    if (path === '/apis') return { ok: true, value: { groups: Object.entries(groups).map(groupOf) } }
    if (apis === 'apis' && rest.length === 0)
      return { ok: true, value: { resources: (groups[group]?.[version] ?? []).map((name) => ({ name })) } }
    if (forbidden.includes(path)) return refused(403, 'Forbidden')
    const value = objects[path]
    if (value !== undefined) return { ok: true, value: Array.isArray(value) ? { metadata: {}, items: value } : value }
    return refused(404, 'NotFound')
  }
  // Only `call` is used, and only to read.
  const client = { call: async ({ path }: { readonly path: string }) => reply(path) } as unknown as KubeClient
  return { client, read }
}

export function batchesOn(
  cluster: FakeCluster,
  stated: Partial<ConstructorParameters<typeof Batches>[0]['settings']> = {},
) {
  const { client, read } = fakeApi(cluster)
  const clock = { nowMs: () => 0, tickMs: () => 0, cpuMs: () => 0 }
  const settings = { scheduler: 'auto', queue: undefined, ...stated } as const
  return { batches: new Batches({ client, clock, namespace: 'berth', settings }), read }
}

function groupOf([name, versions]: [string, Readonly<Record<string, readonly string[]>>]): object {
  const all = Object.keys(versions).map((version) => ({ version }))
  return { name, versions: all.toReversed(), preferredVersion: all[0] }
}

function refused(status: number, reason: string): KubeReply {
  const name = status === 403 ? 'AUTH' : 'TRANSIENT'
  return { ok: false, status, reason, fault: { class: name, message: reason } }
}
