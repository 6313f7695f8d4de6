import { expect, test } from 'vitest'
import { DEVICE_CLASSES, dualSocketCards, partitionableSlices, sliceOf, switchedCards } from './fakes/slices.ts'
import { addNodes, podOf } from './fakes/pods.ts'
import { useRig } from './rig.suite.ts'

const rig = useRig({ name: 'dra' }, async ({ api }) => {
  await addNodes(
    api,
    ['sockets', 'switched', 'cut'].map((name) => ({ name })),
  )
  await api.apply(
    ...DEVICE_CLASSES,
    sliceOf('sockets', dualSocketCards('sockets')),
    sliceOf('switched', switchedCards('switched')),
  )
  await api.apply(...partitionableSlices('cut'))
})

const soon = { timeout: 30_000, interval: 50 }
const CLAIMS = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims'

/** A pod that gets the devices of one class for which this holds. */
async function claim(name: string, { deviceClassName, holds, count = 1 }: Wanted): Promise<void> {
  const exactly = { deviceClassName, count, selectors: [{ cel: { expression: holds } }] }
  const { spec, ...pod } = podOf(name, { cards: 0 })
  await rig().api.apply(
    {
      apiVersion: 'resource.k8s.io/v1',
      kind: 'ResourceClaim',
      metadata: { name },
      spec: { devices: { requests: [{ name: 'cards', exactly }] } },
    },
    { ...pod, spec: { ...Object(spec), resourceClaims: [{ name: 'cards', resourceClaimName: name }] } },
  )
}

interface Wanted {
  readonly deviceClassName: string
  readonly holds: string
  readonly count?: number
}

/** The devices that a claim was given, with the pool they are of. */
async function given(name: string): Promise<readonly string[]> {
  const { status } = await rig().api.get<ClaimSeen>(`${CLAIMS}/${name}`)
  const results = status?.allocation?.devices.results ?? []
  return results.map(({ pool, device }) => `${pool}/${device}`).toSorted()
}

interface ClaimSeen {
  readonly status?: {
    readonly allocation?: {
      readonly devices: { readonly results: readonly { readonly pool: string; readonly device: string }[] }
    }
  }
}

test('a claim that names cards by uuid gets these cards', async () => {
  const holds = "device.attributes['gpu.nvidia.com'].uuid in ['GPU-switched-5', 'GPU-switched-7']"
  await claim('pinned', { deviceClassName: 'gpu.nvidia.com', holds, count: 2 })
  await expect.poll(() => given('pinned'), soon).toEqual(['switched/gpu-5', 'switched/gpu-7'])
})

test('a card that is partly given is not given whole', async () => {
  await claim('slice', {
    deviceClassName: 'mig.nvidia.com',
    holds: "device.attributes['gpu.nvidia.com'].profile == '3g.40gb'",
  })
  await expect.poll(() => given('slice'), soon).toHaveLength(1)
  await claim('whole', {
    deviceClassName: 'gpu.nvidia.com',
    holds: "device.attributes['gpu.nvidia.com'].uuid == 'GPU-cut-0'",
  })
  const pod = '/api/v1/namespaces/default/pods/whole'
  const unbound = { status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] } }
  await expect.poll(() => rig().api.get(pod), soon).toMatchObject(unbound)
  expect(await given('whole')).toEqual([])
})
