import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '../../src/core/life/call/order.ts'
import type { Provider } from '../../src/ports/provider.ts'
import { Secret } from '../../src/ports/secret.ts'
import {
  becomes,
  call,
  freshOwner,
  freshTag,
  isOver,
  isUp,
  launchCall,
  yes,
} from '../../src/providers/contract/bench.suite.ts'
import { nameOf } from '../../src/providers/kubernetes/names.ts'
import { objectsOf, TABLE } from '../../src/providers/kubernetes/objects/table.suite.ts'
import { wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes } from '../engines/fakes/pods.ts'
import type { RigObject } from '../engines/rig/api.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { configAs, configWith, depsAs, depsFor, openOn, sampleOrder } from './bench.ts'

const RBAC = join(import.meta.dirname, '../../deploy/kubernetes/rbac.yaml')
const SOON = { timeout: 60_000, interval: 100 }

let rig: Rig
let provider: Provider
beforeAll(async () => {
  rig = await startRig({ name: 'faults' })
  // The namespace, the account and the rights that ship: everything below is done with them alone.
  await rig.api.applyText(readFileSync(RBAC, 'utf8'))
  await addNodes(rig.api, wholeCardNodes(2))
  provider = await openOn(await depsAs(rig, 'berth'), { namespace: 'berth' })
})
afterAll(async () => {
  await provider.close?.()
  await rig.stop()
})

function orderWith(change: Partial<Order> = {}, owner?: string): Order {
  return { ...sampleOrder({ kind: 'long' }), tag: freshTag(owner === undefined ? {} : { owner }), ...change }
}

/** What a launch is refused with; nothing may be left of it. */
async function refusal(order: Order, on: Provider = provider): Promise<unknown> {
  const answer = await on.launch(order, launchCall())
  expect(isOver(yes(await provider.describe({ tag: order.tag, instance: undefined }, call())))).toBe(true)
  return answer.ok ? 'it was launched' : answer.fault
}

test.each(TABLE.map((each) => [each.says, each] as const))(
  'the API server accepts the objects of %s',
  async (_, each) => {
    for (const { apiVersion, kind, metadata, ...rest } of objectsOf(each)) {
      const object: RigObject = {
        apiVersion,
        kind,
        metadata: { ...metadata, namespace: 'default' },
        ...withoutNames(rest),
      }
      const path = (await rig.api.pathOf(object)).replace(/\/[^/]*$/, '?dryRun=All&fieldValidation=Strict')
      await rig.api.ask({ method: 'POST', path, body: object })
    }
  },
)

/** Classes and accounts that a golden names are not those of this cluster; that they are refused is tested elsewhere. */
function withoutNames(rest: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { spec } = rest
  if (typeof spec !== 'object' || spec === null) return rest
  const names = ['serviceAccountName', 'priorityClassName', 'runtimeClassName']
  return { ...rest, spec: Object.fromEntries(Object.entries(spec).filter(([key]) => !names.includes(key))) }
}

describe('rights', () => {
  test('those that ship are all that is needed', async () => {
    expect((await provider.check?.(call()))?.filter(({ ok }) => !ok)).toEqual([])
    expect(yes(await provider.offers(call()))).toMatchObject({ complete: true })
    const order = orderWith({
      secrets: ['TOKEN'],
      ports: [{ name: 'http', port: 80, health: '/', expose: 'private' }],
      nodes: 2,
      meeting: { hosts: ['r0.gang-1.berth.svc.cluster.local', 'r1.gang-1.berth.svc.cluster.local'], port: 29_500 },
    })
    const member = { ...order, tag: { ...order.tag, slot: '0.1' } }
    yes(await provider.launch(member, launchCall({ TOKEN: 'x' })))
    const ref = { tag: member.tag, instance: undefined }
    await becomes({ provider, pass: sleep }, ref, isUp)
    const name = nameOf(order.tag.attempt)
    expect(await rig.api.find(`/api/v1/namespaces/berth/secrets/${name}`)).toBeDefined()
    expect(await rig.api.get(`/api/v1/namespaces/berth/services/gang-1`)).toMatchObject({ spec: { clusterIP: 'None' } })
    await expect.poll(async () => yes(await provider.stop(ref, call())).gone, SOON).toBe(true)
    expect(await rig.api.find(`/api/v1/namespaces/berth/secrets/${name}`)).toBeUndefined()
    expect(await rig.api.find(`/api/v1/namespaces/berth/services/${name}`)).toBeUndefined()
  })

  test('each that is missing is named, with the rule to add', async () => {
    await rig.api.apply({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'nobody', namespace: 'berth' } })
    const poor = await openOn(await depsAs(rig, 'nobody'), { namespace: 'berth' })
    const failed = (await poor.check?.(call()))?.filter(({ ok }) => !ok) ?? []
    expect(failed.map(({ check }) => check)).toContain('permission get, list, watch nodes')
    expect(failed[0]?.text).toContain(
      'a ClusterRole with {apiGroups: [""], resources: ["nodes"], verbs: [get, list, watch]}',
    )
    expect(await poor.offers(call())).toMatchObject({ ok: false, fault: { class: 'AUTH' } })
    expect(await refusal(orderWith(), poor)).toMatchObject({ class: 'AUTH' })
    await poor.close?.()
  })

  test('a token that is refused is replaced by the next one without opening the provider again', async () => {
    const deps = depsFor(rig)
    let text = await configWith(rig, 'no-such-token')
    const turning = await openOn({ ...deps, credential: async () => new Secret(text) }, { namespace: 'berth' })
    expect(await turning.list('anybody', call())).toMatchObject({ ok: false, fault: { class: 'AUTH' } })
    text = await configAs(rig, 'berth')
    expect(await turning.list('anybody', call())).toMatchObject({ ok: true })
    await turning.close?.()
  })
})

describe('refusals', () => {
  test('a node without room is sold out at once, and nothing stays', async () => {
    expect(await refusal(orderWith({ cpu: 10_000 }))).toMatchObject({ class: 'SOLD_OUT', created: 'no' })
    expect(await refusal(orderWith({ gpus: 9 }))).toMatchObject({ class: 'SOLD_OUT', created: 'no' })
  })

  test('a node that is gone is no offer any more', async () => {
    const order = orderWith()
    const place = { ...order.place, node: undefined, instance: 'gpu-999' }
    expect(await refusal({ ...order, place })).toMatchObject({ class: 'OFFER_GONE' })
  })

  test('a quota is one', async () => {
    const quota = {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'none', namespace: 'berth' },
      spec: { hard: { 'requests.nvidia.com/gpu': '0' } },
    }
    await rig.api.apply(quota)
    const order = orderWith({ gpus: 1 })
    await expect.poll(() => refusal({ ...order, tag: freshTag() }), SOON).toMatchObject({ class: 'QUOTA' })
    await rig.api.delete('/api/v1/namespaces/berth/resourcequotas/none')
  })

  test('a policy of the cluster sends the work elsewhere', async () => {
    const lax = await openOn(await depsAs(rig, 'berth'), { namespace: 'berth', security: 'baseline' })
    expect(await refusal(orderWith(), lax)).toMatchObject({
      class: 'NO_MATCHING_SHAPE',
      message: expect.stringContaining('PodSecurity'),
    })
    await lax.close?.()
  })

  test('a webhook that cannot be called leaves nothing behind', async () => {
    await rig.api.apply(DEAD_WEBHOOK)
    await expect.poll(() => refusal(orderWith()), SOON).toMatchObject({ class: 'TRANSIENT', created: 'no' })
    await rig.api.delete('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/dead')
    await expect.poll(async () => (await provider.launch(orderWith(), launchCall())).ok, SOON).toBe(true)
  })

  test('a namespace that is not there is a matter of the provider', async () => {
    const lost = await openOn(depsFor(rig), { namespace: 'nowhere' })
    expect(await refusal(orderWith(), lost)).toMatchObject({ class: 'TRANSIENT', scope: 'provider', created: 'no' })
    await lost.close?.()
  })
})

describe('what happens to pods', () => {
  test('one that is evicted ends as preempted, and stays known', async () => {
    const order = orderWith()
    yes(await provider.launch(order, launchCall()))
    const ref = { tag: order.tag, instance: undefined }
    await becomes({ provider, pass: sleep }, ref, isUp)
    const name = nameOf(order.tag.attempt)
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: 'berth' } }
    await rig.api.ask({ method: 'POST', path: `/api/v1/namespaces/berth/pods/${name}/eviction`, body })
    const ended = await becomes({ provider, pass: sleep }, ref, isOver)
    expect(ended).toMatchObject({ state: 'ended', exit: { kind: 'preempted' } })
  })

  test('twenty launches through a killed API server make twenty pods', async () => {
    const owner = freshOwner()
    const orders = Array.from({ length: 20 }, () => orderWith({}, owner))
    const first = orders.map((order) => provider.launch(order, launchCall()))
    await rig.kill('kube-apiserver')
    const answers = await Promise.all(first)
    for (const answer of answers) if (!answer.ok) expect(['AMBIGUOUS', 'TRANSIENT']).toContain(answer.fault.class)
    await rig.start('kube-apiserver')
    for (const order of orders) {
      await expect.poll(async () => (await provider.launch(order, launchCall())).ok, SOON).toBe(true)
    }
    const { instances, complete } = yes(await provider.list(owner, call()))
    expect([instances.length, complete]).toEqual([20, true])
    expect(new Set(instances.map(({ tag }) => tag.attempt)).size).toBe(20)
  })

  test('hints go on after the API server was killed', async () => {
    const control = new AbortController()
    const owner = freshOwner()
    let hints = 0
    const reading = (async () => {
      for await (const { what } of provider.watch?.(owner, call(control.signal)) ?? [])
        if (what === 'instances') hints++
    })()
    await expect.poll(() => hints, SOON).toBeGreaterThan(0)
    await rig.kill('kube-apiserver')
    await rig.start('kube-apiserver')
    const before = hints
    await expect.poll(async () => (await provider.launch(orderWith({}, owner), launchCall())).ok, SOON).toBe(true)
    await expect.poll(() => hints, SOON).toBeGreaterThan(before)
    control.abort()
    await reading
  })
})

const DEAD_WEBHOOK: RigObject = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingWebhookConfiguration',
  metadata: { name: 'dead' },
  webhooks: [
    {
      name: 'dead.berth.test',
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      failurePolicy: 'Fail',
      timeoutSeconds: 1,
      clientConfig: { url: 'https://127.0.0.1:1/no' },
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'berth' } },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    },
  ],
}
