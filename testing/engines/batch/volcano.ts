import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { RACK } from '../fakes/nodes.ts'
import type { RigObject } from '../rig/api.ts'
import { answers, applySoon, installResources, namespaceOf, type EngineHost } from '../rig/host.ts'
import { portOf, programOf } from '../rig/place.ts'

/** The queue that tests may use. */
export const VOLCANO_QUEUE = 'team-a'

/** Volcano without its webhooks: what they would fill in has to be written into the objects. */
export async function bringUpVolcano(host: EngineHost): Promise<void> {
  await installResources(host, 'volcano')
  await applySoon(host, SETUP)
  const config = join(host.place.folder, 'volcano-scheduler.yaml')
  writeFileSync(config, stringify(SCHEDULER))
  const at = (name: Parameters<typeof portOf>[1]): string => `127.0.0.1:${portOf(host.place, name)}`
  const both = [
    `--kubeconfig=${host.kubeconfig}`,
    '--leader-elect=false',
    '--kube-api-qps=2000',
    '--kube-api-burst=4000',
  ]
  const health = (name: 'volcano-scheduler' | 'volcano-controllers'): readonly string[] => [
    '--enable-healthz=true',
    `--healthz-address=${at(`${name}-health`)}`,
    '--enable-metrics=false',
  ]
  const programs = {
    'volcano-scheduler': [
      ...both,
      ...health('volcano-scheduler'),
      `--scheduler-conf=${config}`,
      '--schedule-period=1s',
      '--cache-dumper=false',
    ],
    'volcano-controller-manager': [...both, ...health('volcano-controllers')],
  }
  for (const [name, argv] of Object.entries(programs)) await host.ensure({ name, program: programOf(name), argv })
  await host.until('Volcano answers', async () =>
    (
      await Promise.all(
        (['volcano-scheduler-health', 'volcano-controllers-health'] as const).map((name) =>
          answers(`http://${at(name)}/healthz`),
        ),
      )
    ).every(Boolean),
  )
}

/** The network as Volcano wants it drawn: a HyperNode for each rack, and one for all of them. */
export function hyperNodes(racks: readonly string[]): readonly RigObject[] {
  const head = { apiVersion: 'topology.volcano.sh/v1alpha1', kind: 'HyperNode' }
  const one = (rack: string): RigObject => ({
    ...head,
    metadata: { name: rack },
    spec: { tier: 1, members: [{ type: 'Node', selector: { labelMatch: { matchLabels: { [RACK]: rack } } } }] },
  })
  const members = [{ type: 'HyperNode', selector: { regexMatch: { pattern: '^rack-' } } }]
  return [...racks.map(one), { ...head, metadata: { name: 'fabric' }, spec: { tier: 2, members } }]
}

/** A queue for Volcano; left out: nothing limits its cards. */
export function volcanoQueue(name: string, { cards }: { readonly cards?: number } = {}): RigObject {
  const capability = cards === undefined ? {} : { capability: { 'nvidia.com/gpu': cards } }
  return {
    apiVersion: 'scheduling.volcano.sh/v1beta1',
    kind: 'Queue',
    metadata: { name },
    spec: { weight: 1, reclaimable: name !== 'root', ...capability },
  }
}

const SETUP: readonly RigObject[] = [
  namespaceOf('volcano-system'),
  ...['root', 'default', VOLCANO_QUEUE].map((name) => volcanoQueue(name)),
]

const SCHEDULER = {
  actions: 'enqueue, allocate, backfill',
  tiers: [
    { plugins: [{ name: 'priority' }, { name: 'gang', enablePreemptable: false }, { name: 'conformance' }] },
    {
      plugins: [
        { name: 'drf', enablePreemptable: false },
        ...['predicates', 'proportion', 'nodeorder', 'binpack'].map((name) => ({ name })),
        {
          name: 'network-topology-aware',
          arguments: {
            weight: 10,
            'hypernode.binpack.resources': 'nvidia.com/gpu',
            'hypernode.binpack.resources.nvidia.com/gpu': 2,
          },
        },
      ],
    },
  ],
}
