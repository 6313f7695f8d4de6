import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../contract/bench.suite.ts'
import type { KubeClient, KubeReply, KubeRequest } from '../api/client.ts'
import { FINALIZER } from '../names.ts'
import { mapAt, textAt } from '../nodes/object/json.ts'

import { Pods } from '../pods.ts'
import { pod } from '../read/pods.suite.ts'
import type { Discovery } from '../schedulers/discovery.ts'
import { rayPair, rayPods } from './clusters.suite.ts'
import type { SeenRay } from './instances.ts'
import { RAY_RESOURCES } from './kinds.ts'
import { RayObjects } from './objects.ts'
import { rayServiceFor } from './service.ts'

const KUBERAY = 'ray.io/rayservice-finalizer'
const ORDERS = rayPair({ framework: 'ray-serve' })
const [{ tag }] = ORDERS
const SERVICE = rayServiceFor(ORDERS, rayPods(ORDERS), {
  version: 'v1',
  target: { importPath: 'app:main', routePrefix: '/', args: {} },
})

/** An API server with at most one RayService, and the pods of its head. */
class Cluster {
  readonly asked: string[] = []
  service: unknown
  pods: readonly unknown[] = []
  forbidden = ''

  reply({ method, path, body }: KubeRequest): KubeReply {
    const isPods = path.endsWith('/pods')
    this.asked.push(`${method} ${path.split('/').at(-1)}`)
    if (method === 'POST') return this.#made(body)
    if (method === 'GET' && this.forbidden !== '' && path.endsWith(this.forbidden)) {
      const message = `berth cannot list resource "${this.forbidden}" in API group "ray.io"`
      return { ok: false, status: 403, reason: 'Forbidden', fault: { class: 'AUTH', message } }
    }
    const services = path.endsWith('/rayservices') && this.service !== undefined ? [this.service] : []
    if (method === 'GET' && !path.endsWith('berth-ray-attempt-0'))
      return { ok: true, value: { metadata: {}, items: isPods ? this.pods : services } }
    if (this.service === undefined) return refused(404, 'NotFound')
    if (method === 'DELETE') this.change({ deletionTimestamp: '2026-11-18T10:00:00Z' })
    if (method === 'PATCH') this.change(mapAt(body, 'metadata'))
    return { ok: true, value: this.service }
  }

  change(metadata: object): void {
    const before = mapAt(this.service)
    this.service = { ...before, metadata: { ...mapAt(before, 'metadata'), ...metadata } }
  }

  #made(body: unknown): KubeReply {
    if (this.service !== undefined) return refused(409, 'AlreadyExists')
    this.service = { ...mapAt(body), metadata: { ...mapAt(body, 'metadata'), uid: 'u1' } }
    return { ok: true, value: this.service }
  }
}

function refused(status: number, reason: string): KubeReply {
  return { ok: false, status, reason, fault: { class: 'TRANSIENT', message: reason } }
}

let cluster: Cluster
let rays: RayObjects
beforeEach(() => {
  cluster = new Cluster()
  const client = { call: async (request: KubeRequest) => cluster.reply(request) } as unknown as KubeClient
  const discovery = { version: async () => ({ ok: true, value: 'v1' }) } as unknown as Discovery
  rays = new RayObjects({ client, discovery, namespace: 'n', pods: new Pods(client, 'n') })
})

async function made(): Promise<SeenRay> {
  return must(await rays.create('RayService', SERVICE, call()))
}

function must<T>(answer: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (!answer.ok) throw new Error(JSON.stringify(answer))
  return answer.value
}

async function isGone(): Promise<boolean> {
  const found = must(await rays.find(tag, call()))
  if (found === undefined) throw new Error('it is not there')
  return must(await rays.stop(found, 0, call())).gone
}

describe('a RayService', () => {
  test('is made once, and found by each of its nodes', async () => {
    const first = await made()
    expect(await made()).toEqual(first)
    expect(cluster.asked.filter((asked) => asked.startsWith('POST'))).toHaveLength(2)
    expect(must(await rays.find(ORDERS[1]?.tag ?? tag, call()))).toEqual(first)
    expect(must(await rays.find({ ...tag, attempt: 'another' }, call()))).toBeUndefined()
  })

  test('is gone when KubeRay has let go of it and its pods have ended, and its name stays taken', async () => {
    await made()
    cluster.change({ finalizers: [FINALIZER, KUBERAY] })
    const labels = { 'ray.io/cluster': 'c', 'berth.dev/attempt': tag.attempt }
    const annotations = { 'berth.dev/tag': JSON.stringify(tag) }
    cluster.pods = [pod({ metadata: { labels, annotations } })]
    expect(await isGone()).toBe(false)
    expect(await isGone()).toBe(false)
    cluster.change({ finalizers: [FINALIZER] })
    expect(await isGone()).toBe(false)
    cluster.pods = []
    expect(await isGone()).toBe(true)
    expect(cluster.asked.filter((asked) => asked.startsWith('DELETE'))).toEqual(['DELETE berth-ray-attempt-0'])
    expect(await made()).toMatchObject({ deletedMs: Date.parse('2026-11-18T10:00:00Z') })
    const [seen] = must(await rays.all(tag.owner, call())).all
    if (seen !== undefined) await rays.remove(seen, call())
    expect(mapAt(cluster.service, 'metadata')).toMatchObject({ uid: 'u1', finalizers: null })
  })

  test('that is gone already is gone', async () => {
    const seen = await made()
    cluster.service = undefined
    expect(must(await rays.stop(seen, 0, call()))).toEqual({ gone: true })
  })
})

test('what may not be seen was never made, and is a fault once it was', async () => {
  cluster.forbidden = RAY_RESOURCES.RayService
  expect(must(await rays.all(tag.owner, call()))).toEqual({ all: [], complete: true })
  await made()
  expect(await rays.all(tag.owner, call())).toMatchObject({ ok: false, fault: { class: 'AUTH' } })
})

test('one of another owner is not listed, and one without its nodes is counted', async () => {
  await made()
  expect(must(await rays.all('someone', call()))).toEqual({ all: [], complete: true })
  cluster.change({ annotations: {} })
  expect(must(await rays.all(tag.owner, call()))).toEqual({ all: [], complete: false })
  expect(textAt(cluster.service, 'metadata', 'uid')).toBe('u1')
})
