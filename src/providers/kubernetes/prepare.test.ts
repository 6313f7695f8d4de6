import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Order } from '../../core/life/call/order.ts'
import { call } from '../contract/bench.suite.ts'
import { groundOf, type GroundNode } from './objects/ground.ts'
import { NODES, orderOn, settingsOf } from './objects/orders.suite.ts'
import { prepare, type Prepared } from './prepare.ts'
import { batchesOn, KAI, KUEUE, NATIVE, VOLCANO, type FakeCluster } from './schedulers/cluster.suite.ts'

const RACK = 'topology.kubernetes.io/rack'
const IN_RACK: GroundNode = { ...NODES.whole, labels: { ...NODES.whole.labels, [RACK]: 'r7' } }
const LEVELS = { spec: { levels: [{ nodeLabel: RACK }, { nodeLabel: 'kubernetes.io/hostname' }] } }

const KAI_QUEUE = '/apis/scheduling.run.ai/v2/queues/ml'
const KAI_TOPOLOGIES = '/apis/kai.scheduler/v1alpha1/topologies'
const VOLCANO_QUEUE = '/apis/scheduling.volcano.sh/v1beta1/queues/ml'
const HYPER_NODES = '/apis/topology.volcano.sh/v1alpha1/hypernodes'
const KUEUE_QUEUE = '/apis/kueue.x-k8s.io/v1beta2/namespaces/berth/localqueues/ml'
const KUEUE_TOPOLOGIES = '/apis/kueue.x-k8s.io/v1beta2/topologies'

const RACKS = [
  {
    metadata: { name: 'rack-7' },
    spec: { tier: 1, members: [{ type: 'Node', selector: { labelMatch: { matchLabels: { [RACK]: 'r7' } } } }] },
  },
]
const ONE_NODE = [{ metadata: { name: 'gpu-a', labels: { [RACK]: 'r7' } } }]

/** Clusters with their schedulers, each with a queue `ml`, and with or without what it knows of racks. */
const CLUSTERS: Readonly<Record<string, FakeCluster>> = {
  kai: { groups: KAI, objects: { [KAI_QUEUE]: {}, [KAI_TOPOLOGIES]: [{ metadata: { name: 'net' }, ...LEVELS }] } },
  'kai-without-topology': { groups: KAI, objects: { [KAI_QUEUE]: {}, [KAI_TOPOLOGIES]: [] } },
  volcano: {
    groups: VOLCANO,
    objects: { [VOLCANO_QUEUE]: {}, [HYPER_NODES]: RACKS, '/api/v1/nodes': ONE_NODE },
  },
  'volcano-without-topology': {
    groups: VOLCANO,
    objects: { [VOLCANO_QUEUE]: {}, [HYPER_NODES]: [], '/api/v1/nodes': ONE_NODE },
  },
  kueue: { groups: KUEUE, objects: { [KUEUE_QUEUE]: {}, [KUEUE_TOPOLOGIES]: [LEVELS] } },
  'kueue-without-topology': { groups: KUEUE, objects: { [KUEUE_QUEUE]: {}, [KUEUE_TOPOLOGIES]: [] } },
  native: { groups: NATIVE },
  none: {},
}

function membersOf(size: number, node: GroundNode, change: Partial<Order> = {}, taken?: Parameters<typeof orderOn>[2]) {
  return Array.from({ length: size }, (_, rank) => {
    const near = size > 1 ? { within: 'rack' as const, nodes: size } : {}
    const order = orderOn(node, { gpus: 8, ...near, ...change }, taken)
    const ground = groundOf(order, node)
    if ('class' in ground) throw new Error(ground.message)
    return { order: { ...order, tag: { ...order.tag, slot: `0.${rank}`, attempt: `try-${rank}` } }, ground }
  })
}

function preparedOn(
  cluster: string,
  members: ReturnType<typeof membersOf>,
  stated: Readonly<Record<string, unknown>> = {},
): Promise<Prepared> {
  const isQueued = cluster !== 'native' && cluster !== 'none'
  const settings = settingsOf({ ...(isQueued && { queue: 'ml' }), ...stated })
  const { batches } = batchesOn(CLUSTERS[cluster] ?? {}, settings)
  return prepare(members, call(), { settings, namespace: 'berth', batches })
}

describe('what is written for each scheduler', () => {
  const FOLDER = join(import.meta.dirname, 'schedulers/golden')
  const DIVISIBLE: GroundNode = { ...NODES.whole, ask: { ...NODES.whole.ask, isDivisible: true } }
  const cases: readonly (readonly [string, Promise<Prepared>])[] = [
    ...Object.keys(CLUSTERS).map((name) => [`${name}-gang`, preparedOn(name, membersOf(2, IN_RACK))] as const),
    ...['kai', 'volcano', 'kueue'].map((name) => [`${name}-single`, preparedOn(name, membersOf(1, IN_RACK))] as const),
    ['none-gang-cluster-picks', preparedOn('none', membersOf(2, IN_RACK), { pick: 'cluster' })],
    ['native-gang-cluster-picks', preparedOn('native', membersOf(2, IN_RACK), { pick: 'cluster' })],
    ['kai-fraction', preparedOn('kai', membersOf(1, DIVISIBLE, { gpus: 2 }, { kind: 'share', milli: 500 }))],
  ]

  test.each(cases)('%s', async (name, preparing) => {
    const prepared = await preparing
    if (!prepared.ok) throw new Error(prepared.fault.message)
    const objects = [...(prepared.group === undefined ? [] : [prepared.group]), ...prepared.pods]
    await expect(`${JSON.stringify(objects, null, 2)}\n`).toMatchFileSnapshot(join(FOLDER, `${name}.json`))
  })

  test('every file in the folder is one of these', () => {
    expect(readdirSync(FOLDER).toSorted()).toEqual(cases.map(([name]) => `${name}.json`).toSorted())
  })
})

describe('where a gang lands', () => {
  const text = (prepared: Prepared): string => JSON.stringify(prepared.ok ? prepared.pods : prepared.fault)

  test.each(['kai', 'volcano', 'kueue'])('%s finds the rack itself if it knows of racks', async (name) => {
    expect(text(await preparedOn(name, membersOf(2, IN_RACK)))).not.toContain('r7')
  })

  test.each(['kai-without-topology', 'volcano-without-topology', 'kueue-without-topology'])(
    '%s is bound to the rack that Berth chose',
    async (name) => {
      const rule = JSON.stringify({ key: RACK, operator: 'In', values: ['r7'] })
      expect(text(await preparedOn(name, membersOf(2, IN_RACK)))).toContain(rule)
    },
  )

  test('a node that does not say any more where it is, is no ground for a gang', async () => {
    expect(await preparedOn('kai', membersOf(2, NODES.whole))).toMatchObject({
      ok: false,
      fault: { class: 'OFFER_GONE' },
    })
  })
})

describe('what a queue can never give', () => {
  test.each([
    [
      'kai',
      { groups: KAI, objects: { [KAI_QUEUE]: { spec: { resources: { gpu: { limit: 15 } } } }, [KAI_TOPOLOGIES]: [] } },
    ],
    [
      'kai, by the queue above it',
      {
        groups: KAI,
        objects: {
          [KAI_QUEUE]: { spec: { parentQueue: 'all', resources: { gpu: { limit: -1 } } } },
          '/apis/scheduling.run.ai/v2/queues/all': { spec: { resources: { gpu: { limit: 15 } } } },
          [KAI_TOPOLOGIES]: [],
        },
      },
    ],
    [
      'volcano',
      { groups: VOLCANO, objects: { [VOLCANO_QUEUE]: { spec: { capability: { 'nvidia.com/gpu': '15' } } } } },
    ],
  ])('%s is refused with the name of the queue', async (_, cluster) => {
    const settings = settingsOf({ queue: 'ml' })
    const { batches } = batchesOn(cluster, settings)
    const prepared = await prepare(membersOf(2, IN_RACK), call(), { settings, namespace: 'berth', batches })
    expect(prepared).toMatchObject({
      ok: false,
      fault: {
        class: 'QUOTA',
        created: 'no',
        message: expect.stringMatching(/^queue (ml|all): it asks for 16 .* 15\.$/),
      },
    })
  })
})

test('a wrong pair of settings is refused', () => {
  expect(() => settingsOf({ scheduler: 'none', queue: 'ml' })).toThrow(/has no queues/)
  expect(() => settingsOf({ scheduler: 'slurm' })).toThrow(/must be auto, none/)
  expect(() => settingsOf({ queue: 'Not a name' })).toThrow(/name of a queue/)
})
