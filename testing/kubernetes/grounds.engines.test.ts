import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PlanReport } from '../../src/core/place/explain/report.ts'
import { migCutNode, migSingleNode, wholeCardNodes, type FakeNode } from '../engines/fakes/nodes.ts'
import { addNodes } from '../engines/fakes/pods.ts'
import { DEVICE_CLASSES, dualSocketCards, partitionableSlices, sliceOf } from '../engines/fakes/slices.ts'
import { namespaceOf } from '../engines/rig/host.ts'
import { startRig, type Rig } from '../engines/rig/rig.ts'
import { claimsIn, type ClaimSeen } from './claims.ts'
import { PlaneOnClusters } from './clusters.suite.ts'

// One manifest, unchanged, on every ground that there is: what is asked of the cluster follows from the node alone.

const POOL = 'berth.test/pool'

const MANIFEST = `berth: v1
kind: service
name: embeddings
image: registry.test/embeddings:1
resources:
  cpu: 4
  memory: 16Gi
  gpu: { count: 1, min_vram: 10Gi, sharing: mig }
`

/** A pool of nodes that give out their cards in one way, and what a pod must ask for there. */
interface PoolOfNodes {
  readonly name: string
  readonly node: FakeNode
  /** Each is cheaper than those before it, also by the part of a card that is taken. */
  readonly usdPerCardHour: number
  /** What `berth plan` shows of the hardware. */
  readonly shown: RegExp
  /** Limits of the container, besides processors and memory. */
  readonly limits: Readonly<Record<string, string>>
  /** The class and the selector of the claim; left out: there is no claim. */
  readonly claim?: { readonly class: string; readonly selector: RegExp; readonly devices: RegExp }
}

const [WHOLE] = wholeCardNodes(1)

const POOLS: readonly PoolOfNodes[] = [
  {
    name: 'whole',
    node: { ...(WHOLE ?? { name: 'whole' }), name: 'whole-0' },
    usdPerCardHour: 5,
    shown: /card \d of 8 × H100 SXM/,
    limits: { 'nvidia.com/gpu': '1' },
  },
  {
    name: 'mixed',
    node: migCutNode('mixed-0'),
    usdPerCardHour: 4,
    shown: /3g\.40gb at \d on card \d of 8 × A100 SXM/,
    limits: { 'nvidia.com/mig-3g.40gb': '1' },
  },
  {
    name: 'single',
    node: migSingleNode('single-0'),
    usdPerCardHour: 3,
    shown: /1g\.10gb at \d on card \d of 8 × A100 SXM/,
    limits: { 'nvidia.com/gpu': '1' },
  },
  {
    name: 'devices',
    node: { name: 'devices-0' },
    usdPerCardHour: 0.3,
    shown: /card \d of 8 × A100 PCIe/,
    limits: {},
    claim: { class: 'gpu.nvidia.com', selector: /uuid.*"GPU-devices-0-\d"/, devices: /^devices-0\/gpu-\d$/ },
  },
  {
    name: 'cuttable',
    node: { name: 'cuttable-0' },
    usdPerCardHour: 0.2,
    shown: /1g\.10gb at \d on card 0 of 1 × A100 PCIe/,
    limits: {},
    claim: {
      class: 'mig.nvidia.com',
      selector: /1g\.10gb.*parentUUID.*"GPU-cuttable-0-0"/,
      devices: /^cuttable-0\/gpu-0-mig-1g-10gb-\d$/,
    },
  },
]

let rig: Rig
const plane = new PlaneOnClusters()
let file = ''

beforeAll(async () => {
  rig = await startRig({ name: 'grounds' })
  await addNodes(
    rig.api,
    POOLS.map(({ name, node }) => ({ ...node, labels: { ...node.labels, [POOL]: name } })),
  )
  await rig.api.apply(
    ...DEVICE_CLASSES,
    sliceOf('devices-0', dualSocketCards('devices-0')),
    ...partitionableSlices('cuttable-0'),
    ...POOLS.map(({ name }) => namespaceOf(name)),
  )
  expect(await plane.plane.start()).toBe(true)
  file = plane.write('embeddings.yaml', MANIFEST)
}, 240_000)
afterAll(async () => {
  await plane.end()
  await rig.stop()
})

interface PodAsked {
  readonly metadata: { readonly name: string }
  readonly spec: {
    readonly nodeName?: string
    readonly resourceClaims?: readonly { readonly resourceClaimName: string }[]
    readonly containers: readonly { readonly resources: { readonly limits?: Readonly<Record<string, string>> } }[]
  }
}

interface ClaimAsked extends ClaimSeen {
  readonly spec: {
    readonly devices: {
      readonly requests: readonly {
        readonly exactly: {
          readonly deviceClassName: string
          readonly selectors: readonly { readonly cel: { readonly expression: string } }[]
        }
      }[]
    }
  }
}

/** Plans the manifest as users do; the plan as data and as they see it. */
async function planned(): Promise<{ readonly plan: PlanReport; readonly text: string }> {
  const data = await plane.berth('plan', file, '-o', 'json')
  const text = await plane.berth('plan', file)
  expect([data.code, text.code], text.said).toEqual([0, 0])
  return { plan: JSON.parse(data.said), text: text.said }
}

async function run(): Promise<string> {
  const { code, said } = await plane.berth('apply', file, '--yes', '--timeout', '60s')
  expect(code, said).toBe(0)
  const [placed] = await plane.ready(['embeddings'])
  return placed?.provider ?? 'nowhere'
}

describe('one manifest, unchanged', () => {
  test('runs in the cloud where there is nothing else', async () => {
    const { plan, text } = await planned()
    expect(plan.chosen.map(({ offer }) => offer.provider)).toEqual(['cloud'])
    expect(text).toMatch(/cloud\/sim .*1 × H100 SXM.* the only one that fits/)
    expect(await run()).toBe('cloud')
    await plane.remove(['embeddings'])
  })

  test.each(POOLS.map((pool, index) => [pool.name, pool, index] as const))(
    'asks for the right thing on %s',
    async (name, { node, usdPerCardHour, shown, limits, claim }, index) => {
      await plane.add(name, rig, { usdPerCardHour, namespace: name, nodes: { [POOL]: name } })
      const { plan, text } = await planned()
      const [chosen] = plan.chosen
      expect([chosen?.offer.provider, chosen?.own?.node]).toEqual([name, node.name])
      // Why: it is the cheapest, and what else would have done is named.
      expect(text).toMatch(shown)
      expect(text).toMatch(/cheapest of \d+ that fit/)
      const others = plan.asks[0]?.passed_over.map(({ offer }) => offer.provider)
      expect(others).toContain(POOLS[index - 1]?.name ?? 'cloud')
      expect(await run()).toBe(name)
      const [pod] = await rig.api.list<PodAsked>(`/api/v1/namespaces/${name}/pods`)
      const { cpu: _, memory: __, ...asked } = pod?.spec.containers[0]?.resources.limits ?? {}
      expect([pod?.spec.nodeName, asked]).toEqual([node.name, limits])
      await expectClaim(name, pod, claim)
      await plane.remove(['embeddings'])
      expect(readFileSync(file, 'utf8')).toBe(MANIFEST)
    },
  )
})

async function expectClaim(
  namespace: string,
  pod: PodAsked | undefined,
  claim: PoolOfNodes['claim'] | undefined,
): Promise<void> {
  const names = pod?.spec.resourceClaims?.map(({ resourceClaimName }) => resourceClaimName) ?? []
  expect(names).toHaveLength(claim === undefined ? 0 : 1)
  if (claim === undefined) return
  const { spec, status } = await rig.api.get<ClaimAsked>(`${claimsIn(namespace)}/${names[0]}`)
  const [request] = spec.devices.requests
  expect(request?.exactly.deviceClassName).toBe(claim.class)
  expect(request?.exactly.selectors.map(({ cel }) => cel.expression).join(' ')).toMatch(claim.selector)
  const [device] = status?.allocation?.devices.results ?? []
  expect(`${device?.pool}/${device?.device}`).toMatch(claim.devices)
}
