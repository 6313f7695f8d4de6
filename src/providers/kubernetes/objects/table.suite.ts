import type { Order } from '../../../core/life/call/order.ts'
import { Secret } from '../../../ports/secret.ts'
import { NODES, orderOn, settingsOf } from './orders.suite.ts'
import { storagePlan } from '../../storage/plan.ts'
import { hasData } from './courier.ts'
import { claimFor, gangServiceFor, referenceTo, secretFor, serviceFor, storageSecretFor } from './dependents.ts'
import { groundOf } from './ground.ts'
import type { KubeObject } from './object.ts'
import { podFor } from './pod.ts'

const { whole, single, mixed, shared, amd, plain, claimed, cuttable, cut } = NODES

const PORTS: Order['ports'] = [{ name: 'http', port: 8000, health: '/health', expose: 'private' }]
const SLICE = { kind: 'slice', profile: '1g.5gb', start: 0 } as const
const PART = { kind: 'slice', profile: '3g.40gb', start: 0 } as const
const MEDIA = { kind: 'slice', profile: '1g.5gb+me', start: 0 } as const
const HOSTS = ['r0.gang-1.berth.svc.cluster.local', 'r1.gang-1.berth.svc.cluster.local']
const DATA: Order['storage'] = [
  { mount: '/data', from: 's3://acme/corpus', mode: 'ro', sizeGib: 20, secret: 'S3' },
  { mount: '/ckpt', from: 's3://acme/runs/train', mode: 'rw', sizeGib: undefined, secret: 'S3' },
  { mount: '/scratch', from: undefined, mode: 'rw', sizeGib: 100 },
]
const TRAINING = { gpus: 8, nodes: 2, meeting: { hosts: HOSTS, port: 29_500 } }

/** What is asked of a cluster: by its words, the node, the order and the settings. */
export const TABLE: readonly Case[] = [
  { says: 'cpu-only', node: plain, order: orderOn(plain) },
  { says: 'cpu-on-gpu-node', node: whole, order: orderOn(whole) },
  { says: 'whole-card', node: whole, order: orderOn(whole, { gpus: 1 }) },
  { says: 'whole-node', node: whole, order: orderOn(whole, { gpus: 8 }) },
  { says: 'whole-card-cluster-picks', node: whole, order: orderOn(whole, { gpus: 1 }), settings: { pick: 'cluster' } },
  { says: 'mig-single', node: single, order: orderOn(single, { gpus: 1 }, SLICE) },
  {
    says: 'mig-single-cluster-picks',
    node: single,
    order: orderOn(single, { gpus: 1 }, SLICE),
    settings: { pick: 'cluster' },
  },
  { says: 'mig-mixed', node: mixed, order: orderOn(mixed, { gpus: 2 }, SLICE) },
  { says: 'mig-mixed-media', node: mixed, order: orderOn(mixed, { gpus: 1 }, MEDIA) },
  { says: 'mig-mixed-whole-card', node: mixed, order: orderOn(mixed, { gpus: 1 }) },
  { says: 'share', node: shared, order: orderOn(shared, { gpus: 1 }, { kind: 'share', milli: 300 }) },
  { says: 'amd', node: amd, order: orderOn(amd, { gpus: 8 }) },
  { says: 'service', node: whole, order: orderOn(whole, { gpus: 1, ports: PORTS }) },
  {
    says: 'service-with-everything',
    node: whole,
    order: orderOn(whole, {
      gpus: 4,
      ports: [...PORTS, { name: 'metrics', port: 9000, health: undefined, expose: 'private' }],
      command: ['vllm', 'serve', '/models/$(MODEL)'],
      args: ['--price', '5$', 'pid $$'],
      env: { MODEL: 'llama-70b', COST: '$(HOME)' },
      secrets: ['HF_TOKEN'],
      storage: [{ mount: '/scratch', from: undefined, mode: 'rw', sizeGib: 500 }],
      shmGib: 32,
      diskGib: 100,
    }),
  },
  {
    says: 'job-with-a-limit',
    node: whole,
    order: orderOn(whole, { gpus: 1, maxDurationSeconds: 3600, resumeFromMs: 5 }),
  },
  {
    says: 'fractions',
    node: plain,
    order: orderOn(plain, { cpu: 0.25, memoryGib: 0.1, diskGib: 1.5, shmGib: 0.5 }),
  },
  { says: 'all-of-the-machine', node: plain, order: orderOn(plain, { cpu: undefined, memoryGib: undefined }) },
  {
    says: 'secrets',
    node: plain,
    order: orderOn(plain, { secrets: ['HF_TOKEN', 'WANDB'], env: { HF_TOKEN: 'plain' } }),
  },
  {
    says: 'volumes',
    node: plain,
    order: orderOn(plain, {
      storage: [
        { mount: '/scratch', from: undefined, mode: 'rw', sizeGib: 500 },
        { mount: '/read', from: undefined, mode: 'ro', sizeGib: undefined },
      ],
    }),
  },
  {
    says: 'volumes-of-a-class',
    node: plain,
    order: orderOn(plain, { storage: [{ mount: '/scratch', from: undefined, mode: 'rw', sizeGib: 0.5 }] }),
    settings: { storage_class: 'fast' },
  },
  { says: 'data-to-read', node: whole, order: orderOn(whole, { gpus: 1, storage: DATA.slice(0, 1) }) },
  {
    says: 'data-that-is-saved',
    node: whole,
    order: orderOn(whole, {
      gpus: 1,
      diskGib: 100,
      storage: DATA,
      checkpoint: { path: '/ckpt', everySeconds: 600 },
    }),
  },
  {
    says: 'data-as-a-user-of-a-class',
    node: plain,
    order: orderOn(plain, { storage: DATA }),
    settings: { run_as_user: 1000, storage_class: 'fast', storage_image: 'registry.acme.example/rclone:1' },
  },
  {
    says: 'data-on-baseline',
    node: plain,
    order: orderOn(plain, { storage: DATA }),
    settings: { security: 'baseline' },
  },
  { says: 'gang-rank-0', node: whole, order: member(0) },
  { says: 'gang-rank-1', node: whole, order: member(1) },
  { says: 'long-names', node: plain, order: longNames() },
  { says: 'baseline', node: plain, order: orderOn(plain), settings: { security: 'baseline' } },
  { says: 'as-a-user', node: plain, order: orderOn(plain), settings: { run_as_user: 1000 } },
  {
    says: 'names-of-the-namespace',
    node: whole,
    order: orderOn(whole, { gpus: 1 }),
    settings: {
      pull_secrets: ['registry'],
      service_account: 'trainer',
      runtime_class: 'nvidia',
      priority_class: 'train',
      tolerations: [{ key: 'sku', value: 'gpu', effect: 'NoSchedule' }, { key: 'dedicated' }],
    },
  },
  {
    says: 'cluster-picks-among-some',
    node: plain,
    order: orderOn(plain),
    settings: { pick: 'cluster', nodes: { pool: 'cheap' } },
  },
  { says: 'claims/cards', node: claimed, order: orderOn(claimed, { gpus: 2 }) },
  { says: 'claims/cards-alike', node: claimed, order: orderOn(claimed, { gpus: 2 }), settings: { pick: 'cluster' } },
  {
    says: 'claims/cards-in-a-socket',
    node: claimed,
    order: orderOn(claimed, { gpus: 4 }),
    settings: { pick: 'cluster' },
  },
  { says: 'claims/card-alike', node: claimed, order: orderOn(claimed, { gpus: 1 }), settings: { pick: 'cluster' } },
  { says: 'claims/slice', node: cuttable, order: orderOn(cuttable, { gpus: 1 }, PART) },
  { says: 'claims/slices-of-two-cards', node: cuttable, order: orderOn(cuttable, { gpus: 2 }, PART) },
  {
    says: 'claims/slice-alike',
    node: cuttable,
    order: orderOn(cuttable, { gpus: 1 }, PART),
    settings: { pick: 'cluster' },
  },
  { says: 'claims/slices-that-exist', node: cut, order: orderOn(cut, { gpus: 2 }, PART) },
  { says: 'claims/whole-card-of-a-cuttable-one', node: cuttable, order: orderOn(cuttable, { gpus: 1 }) },
]

interface Case {
  readonly says: string
  readonly node: Parameters<typeof groundOf>[1]
  readonly order: Order
  readonly settings?: Readonly<Record<string, unknown>>
}

function member(rank: number): Order {
  const order = orderOn(whole, { ...TRAINING, env: { MASTER_ADDR: HOSTS[0] ?? '', RANK: `${rank}` } })
  return { ...order, tag: { ...order.tag, slot: `0.${rank}`, attempt: `gang-attempt-${rank}` } }
}

/** The courier is a long text that is tried elsewhere. */
function without(secret: KubeObject): KubeObject {
  return { ...secret, data: { ...Object(secret['data']), 'courier.sh': 'Y291cmllcg==' } }
}

function longNames(): Order {
  const order = orderOn(plain)
  const odd = { workload: `w${'x'.repeat(60)}-9`, uid: 'u_1.2:3', slot: 'prefill/node-0.12', attempt: 'Upper_Case' }
  return { ...order, tag: { ...order.tag, ...odd } }
}

/** Everything that one launch writes, in that order. */
export function objectsOf({ node, order, settings }: Case): readonly KubeObject[] {
  const ground = groundOf(order, node)
  if ('class' in ground) throw new Error(ground.message)
  const namespace = 'berth'
  const read = settingsOf(settings)
  const pod = podFor(order, ground, { settings: read, namespace })
  const beside = {
    order,
    namespace,
    owner: referenceTo({ name: pod.metadata.name, uid: '0c7b1a52-0d0b-4b0e-9a39-0f2e7c6c0a11' }),
  }
  const secrets = new Map(order.secrets.map((name) => [name, new Secret(`value of ${name}`)]))
  const claim = ground.devices === undefined ? undefined : claimFor(beside, ground.devices, read)
  const keys = 'access_key_id = AKIA\nsecret_access_key = value of S3\n'
  const plan = storagePlan(order, new Map([['S3', new Secret(keys)]]))
  const storage = typeof plan === 'object' && hasData(order) ? without(storageSecretFor(beside, plan)) : undefined
  return [pod, claim, secretFor(beside, secrets), storage, serviceFor(beside), gangServiceFor(beside)].filter(
    (one) => one !== undefined,
  )
}
