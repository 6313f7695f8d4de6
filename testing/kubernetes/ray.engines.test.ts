import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchCall } from '../../src/providers/contract/bench.suite.ts'
import { startRayHead, type RayHead } from '../engines/batch/ray-head.ts'
import { wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes, type RigPod } from '../engines/fakes/pods.ts'
import type { RigObject } from '../engines/rig/api.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { until } from '../plane/plane.ts'
import { configAs } from './bench.ts'
import { PlaneOnClusters } from './clusters.suite.ts'
import { gangOrders, Tried } from './gangs.suite.ts'

// Jobs with `framework: ray`, by a control plane with the rights that ship: the real KubeRay makes their clusters, and a real Ray head runs
// their commands. Pods are fake; the head that their heads stand for is not.
const NEEDS = { engines: ['kuberay'], python: ['ray'] } as const

const RBAC = join(import.meta.dirname, '../../deploy/kubernetes/rbac.yaml')
const JOBS = '/apis/ray.io/v1/namespaces/berth/rayjobs'
const SOON = { withinMs: 120_000, everyMs: 200 }

let rig: Rig
let ray: RayHead
const plane = new PlaneOnClusters()

beforeAll(async () => {
  ;[rig, ray] = await Promise.all([startRig({ name: 'ray', engines: NEEDS.engines }), startRayHead(16)])
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

async function apply(name: string, more: Readonly<Record<string, unknown>>): Promise<void> {
  const resources = { cpu: 1, memory: '1Gi', gpu: { count: 8 } }
  const text = JSON.stringify({
    berth: 'v1',
    kind: 'job',
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
