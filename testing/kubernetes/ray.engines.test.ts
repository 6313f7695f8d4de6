import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchCall } from '../../src/providers/contract/bench.suite.ts'
import { startRayHead, type RayHead } from '../engines/batch/ray-head.ts'
import { wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes, type RigPod } from '../engines/fakes/pods.ts'
import type { RigObject } from '../engines/rig/api.ts'
import { NODE_IP } from '../engines/rig/namespace.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { until } from '../plane/plane.ts'
import { configAs } from './bench.ts'
import { PlaneOnClusters } from './clusters.suite.ts'
import { gangOrders, Tried } from './gangs.suite.ts'

// Work with `framework: ray`, by a control plane with the rights that ship: the real KubeRay makes its clusters, and a real Ray head runs
// commands and applications. Pods are fake; the head that their heads stand for is not.
const NEEDS = { engines: ['kuberay'], python: ['ray'] } as const

const RBAC = join(import.meta.dirname, '../../deploy/kubernetes/rbac.yaml')
const GOLDEN = join(import.meta.dirname, '../../src/providers/kubernetes/ray/golden')
const JOBS = '/apis/ray.io/v1/namespaces/berth/rayjobs'
const SERVICES = '/apis/ray.io/v1/namespaces/berth/rayservices'
const CLUSTERS = '/apis/ray.io/v1/namespaces/berth/rayclusters'
/** Others stay for a while after their end, for their names. */
const RAY_PODS = `/api/v1/namespaces/berth/pods?labelSelector=${encodeURIComponent('ray.io/cluster')}`
const SOON = { withinMs: 120_000, everyMs: 200 }

/** Where Ray Serve answers. */
const PORT = 18_123
const MODULES = {
  answering: `from ray import serve

@serve.deployment
class Answer:
    def __init__(self, word):
        self.word = word

    async def __call__(self, request):
        return f"{self.word} at {request.url.path}"

def build(args):
    return Answer.bind(args.get("word", "hello"))
`,
  broken: 'raise RuntimeError("there are no weights here")\n',
} as const

let rig: Rig
let ray: RayHead
const plane = new PlaneOnClusters()

beforeAll(async () => {
  ;[rig, ray] = await Promise.all([startRig({ name: 'ray', engines: NEEDS.engines }), startRayHead(16, MODULES)])
  await rig.api.applyText(readFileSync(RBAC, 'utf8'))
  await addNodes(rig.api, wholeCardNodes(2))
  expect(await plane.plane.start()).toBe(true)
  const kubeconfig = plane.write('ray.kubeconfig', await configAs(rig, 'berth'))
  await plane.add('lab', { kubeconfig }, { usdPerCardHour: 1, namespace: 'berth' })
  await plane.free(['lab'], 8)
}, 360_000)
afterAll(async () => {
  await plane.end()
  ray.stop()
  await rig.stop()
})

const CARDS = 'import ray; ray.init(); print("cards:", int(ray.cluster_resources()["GPU"]), flush=True)'

async function apply(
  name: string,
  { kind = 'job', ...more }: Readonly<Record<string, unknown>> & { readonly kind?: 'job' | 'service' },
): Promise<void> {
  const resources = { cpu: 1, memory: '1Gi', gpu: { count: 8 } }
  const text = JSON.stringify({
    berth: 'v1',
    kind,
    name,
    image: 'registry.test/ray:1',
    framework: 'ray',
    resources,
    restart: { max: 0 },
    ...more,
  })
  await plane.client.apply({ project: 'default', text, file: `${name}.yaml`, idempotencyKey: randomUUID() })
}

/** The state of a workload, as soon as it is one of these. */
async function reaches(name: string, states: readonly string[]): Promise<string> {
  return until(`${name} is ${states.join(' or ')}`, SOON, async () => {
    const view = await plane.client.workload({ project: 'default', name })
    return states.includes(view.state) ? { found: view.state } : JSON.stringify(view)
  })
}

function podsOf(): Promise<readonly RigPod[]> {
  return rig.api.list<RigPod>('/api/v1/namespaces/berth/pods')
}

/** What is there at none of these paths any more. */
async function nothingLeft(...paths: readonly string[]): Promise<void> {
  await until('nothing is left', SOON, async () => {
    const left = (await Promise.all(paths.map((path) => rig.api.list(path)))).flat()
    return left.length === 0 ? { found: true } : left.map(({ metadata }) => metadata.name).join(' ')
  })
}

test.each(['pair', 'service'])('the API server accepts the object of %s.json', async (name) => {
  const { metadata, ...rest }: RigObject = JSON.parse(readFileSync(join(GOLDEN, `${name}.json`), 'utf8'))
  const object = { ...rest, metadata: { ...metadata, namespace: 'default' } }
  const path = (await rig.api.pathOf(object)).replace(/\/[^/]*$/, '?dryRun=All&fieldValidation=Strict')
  await rig.api.ask({ method: 'POST', path, body: object })
})

test('a job on two nodes is one RayJob, whose command runs once on a real head, and reaches its end', async () => {
  await apply('pair', { nodes: 2, command: ['python', '-c', `${CARDS}; import time; time.sleep(8)`] })
  await until('it runs', SOON, async () => {
    const view = await plane.client.workload({ project: 'default', name: 'pair' })
    return view.ready > 0 ? { found: true } : JSON.stringify(view)
  })
  const pods = await podsOf()
  expect(new Set(pods.map(({ spec }) => spec.nodeName))).toEqual(new Set(['gpu-000', 'gpu-001']))
  const { said } = await plane.berth('logs', 'pair')
  expect(said).toContain('cards: 16')
  expect(await reaches('pair', ['done', 'failed'])).toBe('done')
  const jobs = await rig.api.list<RigObject & { readonly status: unknown }>(JOBS)
  expect(jobs.map(({ status }) => status)).toEqual([
    expect.objectContaining({ jobStatus: 'SUCCEEDED', jobDeploymentStatus: 'Complete' }),
  ])
  await until('its pods are gone', SOON, async () => {
    const left = await podsOf()
    return left.length === 0 ? { found: true } : `${left.length} pods`
  })
})

test('a command that fails is a job that failed, with its code', async () => {
  await apply('wrong', { command: ['python', '-c', 'import sys; print("it is $HOME"); sys.exit(3)'] })
  expect(await reaches('wrong', ['done', 'failed'])).toBe('failed')
  const { said } = await plane.berth('explain', 'wrong')
  expect(said).toMatch(/code 3|exit.* 3/)
})

test('a job that is removed ends with its cluster, and its name stays taken', async () => {
  await apply('long', { command: ['sleep', '600'] })
  await reaches('long', ['serving', 'running', 'up'])
  await plane.client.remove({ project: 'default', name: 'long' })
  await until('its pods are gone', SOON, async () => {
    const left = await podsOf()
    return left.length === 0 ? { found: true } : `${left.length} pods`
  })
  const states = (
    await rig.api.list<RigObject & { readonly status: { readonly jobDeploymentStatus: string } }>(JOBS)
  ).map(({ status }) => status.jobDeploymentStatus)
  expect(states).toContain('Suspended')
})

test('launching twice makes one, and all nodes of it end together', async () => {
  const lab = await Tried.asShipped(rig, {})
  const orders = gangOrders(2, { node: ['gpu-000', 'gpu-001'] }).map((order) => ({
    ...order,
    framework: 'ray' as const,
    command: ['sleep', '600'],
    env: {},
  }))
  expect(await lab.launch(orders)).toMatchObject({ ok: true })
  expect(await lab.launch(orders)).toMatchObject({ ok: true })
  await lab.up(orders)
  const mine = (await rig.api.list(JOBS)).filter(({ metadata }) =>
    metadata.name.endsWith(orders[0]?.tag.attempt ?? '?'),
  )
  expect(mine).toHaveLength(1)
  expect(await lab.listed(orders)).toEqual(['up', 'up'])
  await lab.stop(orders.slice(1))
  expect(await lab.listed(orders)).toEqual(['ended', 'ended'])
  expect(await lab.launch(orders)).toMatchObject({ ok: true })
  expect(await lab.listed(orders)).toEqual(['ended', 'ended'])
})

test('a node that is full sends the whole job elsewhere at once', async () => {
  const lab = await Tried.asShipped(rig, {})
  const holder = gangOrders(1, { gpus: 8, node: 'gpu-001' })
  expect(await lab.launch(holder)).toMatchObject({ ok: true })
  const [order] = gangOrders(1, { gpus: 8, node: 'gpu-001' })
  if (order === undefined) throw new Error('there is no order')
  const wanted = { ...order, framework: 'ray' as const, command: ['true'] }
  expect(await lab.provider.launch(wanted, launchCall())).toMatchObject({ ok: false, fault: { class: 'SOLD_OUT' } })
  await lab.stop([wanted, ...holder])
})

const SERVE = { kind: 'service', command: ['serve', 'run', 'answering:build', 'word=ahoy'] } as const
const PORTS = [{ name: 'http', port: PORT, health: '/health' }]

test('a service on two nodes is one RayService, which gets ready, answers, and leaves nothing when it ends', async () => {
  await apply('served', { ...SERVE, nodes: 2, ports: PORTS })
  await until('it is ready', SOON, async () => {
    const view = await plane.client.workload({ project: 'default', name: 'served' })
    return view.ready > 0 ? { found: true } : JSON.stringify(view)
  })
  const pods = await rig.api.list<RigPod>(RAY_PODS)
  expect(new Set(pods.map(({ spec }) => spec.nodeName))).toEqual(new Set(['gpu-000', 'gpu-001']))
  expect(await (await fetch(`http://${NODE_IP}:${PORT}/berth`)).text()).toBe('ahoy at /berth')
  expect(await rig.api.list(SERVICES)).toMatchObject([{ status: { serviceStatus: 'Running' } }])
  const { slots } = await plane.client.workload({ project: 'default', name: 'served' })
  expect(slots.map(({ healthy }) => healthy)).toEqual([true, true])
  await plane.client.remove({ project: 'default', name: 'served' })
  const services = ['berth.dev/workload=served', 'ray.io/originated-from-crd=RayService'].map(
    (labels) => `/api/v1/namespaces/berth/services?labelSelector=${encodeURIComponent(labels)}`,
  )
  await nothingLeft(RAY_PODS, CLUSTERS, ...services)
  const left = await rig.api.list(SERVICES)
  expect(left.map(({ metadata }) => metadata['finalizers'])).toEqual([['berth.dev/attempt-name']])
})

test('an application that cannot be deployed is a service that failed, with its words', async () => {
  await apply('unserved', { ...SERVE, command: ['serve', 'run', 'broken:app'], ports: PORTS })
  expect(await reaches('unserved', ['serving', 'failed'])).toBe('failed')
  const { said } = await plane.berth('explain', 'unserved')
  expect(said).toContain('there are no weights here')
  await nothingLeft(RAY_PODS, CLUSTERS)
})

test('launching a service twice makes one, and one that was stopped is never started again', async () => {
  const lab = await Tried.asShipped(rig, {})
  const orders = gangOrders(2, { node: ['gpu-000', 'gpu-001'] }).map((order) => ({
    ...order,
    framework: 'ray-serve' as const,
    command: SERVE.command,
    args: [],
    ports: [{ name: 'http', port: PORT, health: undefined, expose: 'private' as const }],
  }))
  expect(await lab.launch(orders)).toMatchObject({ ok: true })
  expect(await lab.launch(orders)).toMatchObject({ ok: true })
  const [head] = await lab.become(orders, (described) => 'healthy' in described && described.healthy === true)
  expect(head).toMatchObject({ ports: { http: { port: PORT } } })
  expect(await lab.launch(orders)).toMatchObject({ ok: true })
  await lab.stop(orders)
  expect(await lab.listed(orders)).toEqual(['ended', 'ended'])
  expect(await lab.launch(orders)).toMatchObject({ ok: true })
  expect(await lab.listed(orders)).toEqual(['ended', 'ended'])
  await nothingLeft(RAY_PODS, CLUSTERS)
})
