import { expect, test } from 'vitest'
import { addNodes, endPod, podOf, type RigPod } from './fakes/pods.ts'
import { migMixedNode, migSingleNode, wholeCardNodes } from './fakes/nodes.ts'
import { makeKeyPair } from './rig/certificates.ts'
import { useRig } from './rig.suite.ts'
import { MISSING_IMAGE } from './rig/stages.ts'

const rig = useRig({ name: 'kube' }, async ({ api }) => {
  await addNodes(api, [...wholeCardNodes(2), migSingleNode('mig-single'), migMixedNode('mig-mixed')])
})

const PODS = '/api/v1/namespaces/default/pods'
const pod = (name: string): Promise<RigPod> => rig().api.get<RigPod>(`${PODS}/${name}`)
const soon = { timeout: 30_000, interval: 50 }

async function isRunning(name: string): Promise<RigPod> {
  await expect.poll(async () => (await pod(name)).status.phase, soon).toBe('Running')
  return pod(name)
}

test('fake nodes are Ready with the cards they were given', async () => {
  const nodes = await rig().api.list<NodeSeen>('/api/v1/nodes')
  const cards = nodes.map(({ metadata, status }) => [metadata.name, status.allocatable['nvidia.com/gpu']])
  expect(cards).toEqual([
    ['gpu-000', '8'],
    ['gpu-001', '8'],
    ['mig-mixed', '4'],
    ['mig-single', '56'],
  ])
  for (const { status, spec } of nodes) {
    expect(status.conditions.find(({ type }) => type === 'Ready')?.status).toBe('True')
    expect(spec.taints).toBeUndefined()
  }
})

interface NodeSeen {
  readonly metadata: { readonly name: string }
  readonly spec: { readonly taints?: unknown }
  readonly status: {
    readonly allocatable: Readonly<Record<string, string>>
    readonly conditions: readonly { readonly type: string; readonly status: string }[]
  }
}

test('kube-scheduler binds a pod and it runs until it is told to end', async () => {
  await rig().api.apply(podOf('works', { cards: 2 }))
  const { spec, status } = await isRunning('works')
  expect(spec.nodeName).toMatch(/^gpu-00|^mig-/)
  expect(status.podIP).toMatch(/^10\./)
  await endPod(rig().api, `${PODS}/works`, { code: 0 })
  await expect.poll(async () => (await pod('works')).status.phase, soon).toBe('Succeeded')
})

test.each([
  { name: 'fails', code: 3, reason: undefined, says: 'Error' },
  { name: 'starves', code: 137, reason: 'OOMKilled', says: 'OOMKilled' },
])('a pod that $name has its exit code and why', async ({ name, code, reason, says }) => {
  await rig().api.apply(podOf(name))
  await isRunning(name)
  await endPod(rig().api, `${PODS}/${name}`, { code, ...(reason === undefined ? {} : { reason }) })
  await expect.poll(async () => (await pod(name)).status.phase, soon).toBe('Failed')
  expect((await pod(name)).status.containerStatuses?.[0]?.state.terminated).toMatchObject({
    exitCode: code,
    reason: says,
  })
})

test('an image that is missing is not pulled', async () => {
  await rig().api.apply(podOf('missing', { image: MISSING_IMAGE }))
  const waiting = async () => (await pod('missing')).status.containerStatuses?.[0]?.state.waiting
  await expect.poll(waiting, soon).toMatchObject({ reason: 'ImagePullBackOff' })
  expect((await pod('missing')).status.phase).toBe('Pending')
})

test('more cards than any node has: not bound, and why', async () => {
  await rig().api.apply(podOf('huge', { cards: 99 }))
  const scheduled = async () => (await pod('huge')).status.conditions?.find(({ type }) => type === 'PodScheduled')
  await expect.poll(scheduled, soon).toMatchObject({ status: 'False', reason: 'Unschedulable' })
})

test('a user of a certificate may do what RBAC gives to it, which is nothing', () => {
  const { certificate, key } = makeKeyPair(rig().place.folder, { name: 'guest', groups: ['visitors'] })
  const kubectl = rig().kubectl([
    '--client-certificate',
    certificate,
    '--client-key',
    key,
    '--token=',
    'auth',
    'can-i',
    'create',
    'pods',
  ])
  expect(kubectl).toMatchObject({ code: 1, said: expect.stringContaining('no') })
})

test('what was written outlives a killed API server and a killed etcd', async () => {
  await rig().kill('kube-apiserver')
  expect(await rig().api.isReady()).toBe(false)
  await rig().start('kube-apiserver')
  await rig().kill('etcd')
  await rig().start('etcd')
  await expect.poll(async () => (await rig().api.list(PODS)).length, soon).toBeGreaterThan(3)
})

test('an API server that hangs answers when it goes on', async () => {
  rig().freeze('kube-apiserver')
  const asked = rig().api.list('/api/v1/nodes')
  rig().thaw('kube-apiserver')
  expect(await asked).toHaveLength(4)
})
