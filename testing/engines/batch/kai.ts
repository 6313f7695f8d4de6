import { RACK } from '../fakes/nodes.ts'
import type { RigObject } from '../rig/api.ts'
import { answers, applySoon, installResources, namespaceOf, type EngineHost } from '../rig/host.ts'
import { portOf, programOf } from '../rig/place.ts'

/** The queue, below `parent`, that tests may use without a limit. */
export const KAI_QUEUE = 'team-a'
const KAI_TOPOLOGY = 'racks'

/** KAI without its operator and without admission: the scheduler, its binder and the three controllers. */
export async function bringUpKai(host: EngineHost): Promise<void> {
  await installResources(host, 'kai')
  await applySoon(host, SETUP)
  const at = (name: Parameters<typeof portOf>[1]): string => `127.0.0.1:${portOf(host.place, name)}`
  const quick = ['--qps=2000', '--burst=4000']
  const programs = {
    'kai-scheduler': [
      '--schedule-period=1s',
      `--listen-address=${at('kai-scheduler')}`,
      `--plugin-server-port=${portOf(host.place, 'kai-scheduler-plugins')}`,
      ...quick,
    ],
    'kai-binder': [...served('kai-binder', at), '--fake-gpu-nodes', ...quick],
    'kai-podgrouper': [...served('kai-podgrouper', at), ...quick],
    'kai-podgroupcontroller': [...served('kai-podgroupcontroller', at), '--enable-podgroup-webhook=false', ...quick],
    'kai-queuecontroller': [
      `--metrics-listen-address=${at('kai-queuecontroller')}`,
      '--enable-webhook=false',
      ...quick,
    ],
  }
  for (const [name, argv] of Object.entries(programs)) {
    await host.ensure({ name, program: programOf(name), argv, env: { KUBECONFIG: host.kubeconfig } })
  }
  await host.until('KAI answers', async () =>
    (
      await Promise.all([
        answers(`http://${at('kai-scheduler')}/metrics`),
        answers(`http://${at('kai-binder-health')}/readyz`),
      ])
    ).every(Boolean),
  )
}

type Served = 'kai-binder' | 'kai-podgrouper' | 'kai-podgroupcontroller'

function served(name: Served, at: (name: Served | `${Served}-health`) => string): readonly string[] {
  return [`--metrics-bind-address=${at(name)}`, `--health-probe-bind-address=${at(`${name}-health`)}`]
}

const FREE = { quota: -1, limit: -1, overQuotaWeight: 1 }
const UNLIMITED = { cpu: FREE, gpu: FREE, memory: FREE }

/** A queue for KAI; left out: nothing limits its cards. */
export function kaiQueue(name: string, { cards }: { readonly cards?: number } = {}): RigObject {
  const gpu = cards === undefined ? FREE : { ...FREE, quota: cards, limit: cards }
  return {
    apiVersion: 'scheduling.run.ai/v2',
    kind: 'Queue',
    metadata: { name },
    spec: { ...(name === 'parent' ? {} : { parentQueue: 'parent' }), resources: { ...UNLIMITED, gpu } },
  }
}

const SETUP: readonly RigObject[] = [
  namespaceOf('kai-resource-reservation'),
  namespaceOf('kai-scale-adjust'),
  // Whom the pods that keep a shared card belong to.
  {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'kai-resource-reservation', namespace: 'kai-resource-reservation' },
  },
  ...Object.entries({ train: 50, build: 100 }).map(([name, value]) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value,
  })),
  kaiQueue('parent'),
  kaiQueue(KAI_QUEUE),
  {
    apiVersion: 'kai.scheduler/v1alpha1',
    kind: 'Topology',
    metadata: { name: KAI_TOPOLOGY },
    spec: { levels: [{ nodeLabel: RACK }, { nodeLabel: 'kubernetes.io/hostname' }] },
  },
]
