import { describe, expect, test } from 'vitest'
import { freeze, listingAt } from '../../../core/offer/snapshot.ts'
import { shareOf } from '../../../core/place/share.ts'
import { packingOf } from '../../../core/pack/owned/room.ts'
import { fleetOf, type ClusterFleet, type ClusterView } from './fleet.ts'
import { claim, device, node, pod, slice } from './make.suite.ts'

const GPU = 'nvidia.com/gpu'
const H100 = { 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3', 'nvidia.com/gpu.count': '8' }
const L40S = { 'nvidia.com/gpu.product': 'NVIDIA-L40S', 'nvidia.com/gpu.count': '4' }
const A100_CUT = {
  'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-40GB',
  'nvidia.com/gpu.count': '2',
  'nvidia.com/mig.strategy': 'mixed',
}

function made(nodes: readonly unknown[], others: Partial<ClusterView> = {}): ClusterFleet {
  const read = fleetOf({ provider: 'lab', region: 'hall', nodes, pods: [], nowMs: 0, ...others })
  // What the engine cannot pack is no fleet.
  expect(() => packingOf(read.fleet)).not.toThrow()
  return read
}

/** `8 h100-sxm available`, `1 1g.5gb full`, `none available`. */
function told({ offers }: ClusterFleet): readonly string[] {
  return offers.map(({ gpu, stock }) => {
    const what = gpu === undefined ? 'none' : `${gpu.count} ${gpu.slice?.profile ?? gpu.slice?.kind ?? gpu.model}`
    return `${what} ${stock?.level}`
  })
}

function holders({ fleet }: ClusterFleet) {
  return fleet.tenants.map(({ name, spot }) => [name, spot.cards])
}

describe('a cluster as a fleet', () => {
  test('a node has its room, its cards and its place', () => {
    const labels = {
      ...H100,
      'topology.kubernetes.io/zone': 'z1',
      'network.topology.nvidia.com/spine': 's1',
      'network.topology.nvidia.com/leaf': 'r1',
      'nvidia.com/gpu.clique': 'c.1',
      'nvidia.com/cuda.driver-version.full': '550.54.15',
    }
    const read = made([node({ labels, has: { [GPU]: 8 }, taints: ['nvidia.com/gpu:NoSchedule'] })])
    expect(read.fleet).toMatchObject({ provider: 'lab', region: 'hall', tenants: [] })
    expect(read.fleet.fleet.nodes[0]).toMatchObject({
      id: 'n',
      model: 'h100-sxm',
      cpuMilli: 64_000,
      memoryMib: 524_288,
      diskMib: 1_048_576,
      domains: { zone: 'z1', fabric: 's1', rack: 'r1', nvlinkDomain: 'c.1' },
      layout: { cards: 8 },
    })
    expect(read.fleet.fleet.nodes[0]?.cards).toHaveLength(8)
    expect(told(read)).toEqual(['8 h100-sxm available'])
    expect(read.offers[0]).toMatchObject({
      driver: '550.54.15',
      hostArch: 'amd64',
      zone: 'z1',
      domain: 'nvlink_domain',
    })
    expect(read.asks.get('n')).toMatchObject({
      whole: GPU,
      claims: undefined,
      tolerations: [{ key: 'nvidia.com/gpu' }],
    })
  })

  test('pods hold cards and room; those without cards count together', () => {
    const pods = [
      pod({ [GPU]: 2, cpu: '4', memory: '8Gi' }, { name: 'b' }),
      pod({ [GPU]: 1 }, { name: 'a' }),
      pod({ cpu: '500m' }, { name: 'c' }),
      pod({ cpu: '250m', memory: '100Mi' }, { name: 'd' }),
      pod({ [GPU]: 5 }, { name: 'elsewhere', on: 'm' }),
    ]
    const read = made([node({ labels: H100, has: { [GPU]: 8 } })], { pods })
    expect(holders(read)).toEqual([
      ['team/a', [0]],
      ['team/b', [1, 2]],
      ['2 other pods', []],
    ])
    expect(read.fleet.tenants[2]?.request).toMatchObject({ cpuMilli: 750, memoryMib: 100 })
    expect(told(read)).toEqual(['5 h100-sxm available', '8 h100-sxm full'])
    expect(read.offers[0]?.cpu).toBe(64 - 4 - 0.75)
  })

  test('our own pods keep the cards that were chosen for them, and their attempt is their name', () => {
    const pods = [pod({ [GPU]: 2 }, { name: 'other' }), pod({ [GPU]: 2 }, { name: 'ours' })]
    const ours: NonNullable<ClusterView['ours']> = (each) =>
      JSON.stringify(each).includes('"ours"') ? { attempt: 'att-1', cards: [0, 3] } : undefined
    const read = made([node({ labels: H100, has: { [GPU]: 8 } })], { pods, ours })
    expect(holders(read)).toEqual([
      ['att-1', [0, 3]],
      ['team/other', [1, 2]],
    ])
  })

  test('a card that is not allocatable has failed', () => {
    const read = made([node({ labels: H100, has: { [GPU]: 8 }, ready: { [GPU]: 7 } })])
    expect(read.fleet.fleet.nodes[0]?.cards.filter(({ health }) => health === 'failing')).toHaveLength(1)
    expect(told(read)).toEqual(['7 h100-sxm available'])
  })

  test('slices that exist are offered in their profiles and no others', () => {
    const has = { 'nvidia.com/mig-1g.5gb': 7, 'nvidia.com/mig-3g.20gb': 2 }
    const pods = [pod({ 'nvidia.com/mig-3g.20gb': 2 })]
    const read = made([node({ labels: A100_CUT, has })], { pods })
    expect(read.asks.get('n')?.slices).toEqual(
      new Map([
        ['1g.5gb', 'nvidia.com/mig-1g.5gb'],
        ['3g.20gb', 'nvidia.com/mig-3g.20gb'],
      ]),
    )
    expect(told(read)).toEqual(['1 1g.5gb available', '1 3g.20gb full'])
    expect(read.fleet.tenants.map(({ spot }) => spot.taken)).toMatchObject([
      { profile: '3g.20gb' },
      { profile: '3g.20gb' },
    ])
    expect(new Set(read.offers.map(({ id }) => id)).size).toBe(2)
  })

  test('in the single strategy a slice is asked for as a GPU', () => {
    const labels = { 'nvidia.com/gpu.product': 'NVIDIA-A100-SXM4-40GB-MIG-1g.5gb', 'nvidia.com/gpu.count': '7' }
    const read = made([node({ labels, has: { [GPU]: 7 } })])
    expect(read.asks.get('n')).toMatchObject({ whole: undefined, slices: new Map([['1g.5gb', GPU]]) })
    expect(told(read)).toEqual(['1 1g.5gb available'])
  })

  test('next to whole cards, cut ones are left alone', () => {
    const has = { [GPU]: 1, 'nvidia.com/mig-1g.5gb': 7 }
    const read = made([node({ labels: A100_CUT, has })], { pods: [pod({ 'nvidia.com/mig-1g.5gb': 1 })] })
    expect(told(read)).toEqual(['1 a100-40-sxm available', '2 a100-40-sxm full'])
    expect(holders(read)).toEqual([['cut into slices', [1]]])
  })

  test('shares are offered as shares, never as whole cards', () => {
    const labels = { ...L40S, 'nvidia.com/gpu.product': 'NVIDIA-L40S-SHARED', 'nvidia.com/gpu.replicas': '4' }
    const read = made([node({ labels, has: { [GPU]: 16 } })], { pods: [pod({ [GPU]: 3 })] })
    expect(read.asks.get('n')?.share).toEqual({ resource: GPU, ofCard: 4 })
    expect(read.offers.filter(({ gpu }) => gpu !== undefined && gpu.slice?.kind !== 'share')).toEqual([])
    expect(read.fleet.tenants).toHaveLength(3)
  })

  test('devices have their NUMA node and PCIe root, and claims say who has them', () => {
    const cards = Array.from({ length: 4 }, (_, at) =>
      device(`gpu-${at}`, {
        type: 'gpu',
        uuid: `GPU-${at}`,
        productName: 'NVIDIA L40S',
        memory: '46068Mi',
        'resource.kubernetes.io/numaNode': at >> 1,
        'resource.kubernetes.io/pcieRoot': `pci0000:0${at >> 1}`,
        ...(at === 3 ? { taint: 'NoSchedule' } : {}),
      }),
    )
    const pods = [pod({}, { resourceClaims: [{ name: 'g', resourceClaimName: 'c' }] })]
    const read = made([node()], { slices: [slice(cards)], claims: [claim(['gpu-1'])], pods })
    const [only] = read.fleet.fleet.nodes
    expect(only?.layout).toMatchObject({ numa: [0, 0, 1, 1], pcieSwitch: [0, 0, 1, 1] })
    expect(only?.cards.map(({ health }) => health)).toEqual(['ok', 'ok', 'ok', 'failing'])
    expect(holders(read)).toEqual([['team/p', [1]]])
    expect(read.asks.get('n')?.claims?.cards.map(({ device: name, mark }) => [name, mark?.value])).toEqual([
      ['gpu-0', 'GPU-0'],
      ['gpu-1', 'GPU-1'],
      ['gpu-2', 'GPU-2'],
      ['gpu-3', 'GPU-3'],
    ])
    expect(read.asks.get('n')?.claims?.ties).toEqual([
      {
        attribute: 'resource.kubernetes.io/pcieRoot',
        values: ['pci0000:00', 'pci0000:00', 'pci0000:01', 'pci0000:01'],
      },
      { attribute: 'resource.kubernetes.io/numaNode', values: ['0', '0', '1', '1'] },
    ])
    expect(read.asks.get('n')?.whole).toBeUndefined()
    expect(told(read)).toContain('2 l40s available')
  })

  test('a claim without a pod holds its cards, too', () => {
    const cards = [0, 1, 2].map((at) =>
      device(`gpu-${at}`, { type: 'gpu', uuid: `GPU-${at}`, productName: 'NVIDIA L40S' }),
    )
    const claims = [claim(['gpu-1']), claim(['gpu-2'], { name: 'elsewhere', on: 'm' })]
    const read = made([node()], { slices: [slice(cards)], claims })
    expect(holders(read)).toEqual([['claim team/c', [1]]])
    expect(told(read)).toContain('2 l40s available')
  })

  test('a slice that a claim has is where its device is', () => {
    const parts = [0, 4].map((start) => ({
      ...device(`m${start}`, {
        type: 'mig',
        profile: '3g.20gb',
        parentUUID: 'GPU-0',
        productName: 'NVIDIA A100-SXM4-40GB',
      }),
      consumesCounters: [{ counterSet: 'set-0', counters: { [`memory-slice-${start}`]: { value: '1' } } }],
    }))
    const whole = device('gpu-0', {
      type: 'gpu',
      uuid: 'GPU-0',
      counters: 'set-0',
      productName: 'NVIDIA A100-SXM4-40GB',
    })
    const read = made([node()], { slices: [slice([whole, ...parts])], claims: [claim(['m4'])] })
    expect(read.fleet.tenants.map(({ spot }) => spot)).toEqual([
      { node: 0, cards: [0], taken: { kind: 'slice', profile: '3g.20gb', start: 4 } },
    ])
  })

  test('cards that a claim cannot tell apart, or that several claims may have at once, are left alone', () => {
    const alike = ['gpu-0', 'gpu-1'].map((name) => device(name, { type: 'gpu', productName: 'NVIDIA L40S' }))
    const shared = { ...device('gpu-0', { type: 'gpu', uuid: 'GPU-0' }), allowMultipleAllocations: true }
    for (const devices of [alike, [shared]]) {
      const read = made([node()], { slices: [slice(devices)], claims: [] })
      expect(read.left[0]?.why).toContain('How to ask for its accelerators is not known')
      expect(read.offers).toEqual([])
    }
  })

  test('a card that can be cut in many ways is offered whole and in slices', () => {
    const parts = ['1g.5gb', '2g.10gb', '7g.40gb'].map((profile) =>
      device(`gpu-0-mig-${profile}`, {
        type: 'mig',
        profile,
        counters: 'set-0',
        parentUUID: 'GPU-0',
        productName: 'NVIDIA A100-SXM4-40GB',
      }),
    )
    const whole = device('gpu-0', {
      type: 'gpu',
      uuid: 'GPU-0',
      counters: 'set-0',
      productName: 'NVIDIA A100-SXM4-40GB',
      memory: '40Gi',
    })
    const read = made([node()], { slices: [slice([whole, ...parts])], claims: [] })
    expect(told(read)).toEqual(expect.arrayContaining(['1 a100-40-sxm available', '1 1g.5gb available']))
    expect(told(read).filter((each) => each.includes('3g.20gb'))).toEqual([])
    expect(read.asks.get('n')?.claims?.cards[0]?.parts.map(({ profile }) => profile)).toEqual([
      '1g.5gb',
      '2g.10gb',
      '7g.40gb',
    ])
  })

  test('a cut card of slices that exist is offered in those that no claim has', () => {
    const parts = [0, 1].map((at) =>
      device(`m${at}`, { type: 'mig', profile: '3g.20gb', parentUUID: 'GPU-0', productName: 'NVIDIA A100-SXM4-40GB' }),
    )
    const pods = [pod({}, { resourceClaims: [{ name: 'g', resourceClaimName: 'c' }] })]
    const slices = [slice(parts)]
    expect(told(made([node()], { slices, claims: [claim(['m0'])], pods }))).toEqual(['1 3g.20gb available'])
    expect(told(made([node()], { slices, claims: [claim(['m0', 'm1'])], pods }))).toEqual([
      'none available',
      '1 3g.20gb full',
    ])
  })

  test('cards that pods may hold by another name are left alone', () => {
    const nodes = [node({ labels: L40S, has: { [GPU]: 4, 'acme.example/gpu-slots': 40 } })]
    expect(told(made(nodes))).toContain('4 l40s available')
    const read = made(nodes, { pods: [pod({ 'acme.example/gpu-slots': 2 })] })
    expect(read.offers).toEqual([])
    expect(read.left[0]?.why).toContain('Pods may hold the same cards as acme.example/gpu-slots')
  })

  test('nodes that take no work are left, with the reason', () => {
    const read = made([
      node({ name: 'b', labels: L40S, has: { [GPU]: 4 }, conditions: { Ready: 'False' } }),
      node({ name: 'a', taints: ['dedicated=team-x:NoSchedule'] }),
      node({ name: 'c', conditions: false }),
      node({ name: 'd', labels: { 'nvidia.com/gpu.product': 'GRID-A100-4C' }, has: { [GPU]: 1 } }),
      node({ name: 'e' }),
      { metadata: {} },
    ])
    expect(read.fleet.fleet.nodes.map(({ id }) => id)).toEqual(['e'])
    expect(read.left.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd', '(no name)'])
    expect(read.left[0]?.why).toBe('Pods there must tolerate taint dedicated, which the settings do not name.')
    expect(read.left[1]?.why).toContain('condition Ready is False')
  })

  test('a taint that the settings tolerate is tolerated', () => {
    const read = made([node({ taints: ['dedicated=team-x:NoSchedule'] })], { tolerated: ['dedicated'] })
    expect(read.left).toEqual([])
    expect(read.asks.get('n')?.tolerations).toEqual([{ key: 'dedicated', value: 'team-x', effect: 'NoSchedule' }])
  })

  test('a card costs what the first label that fits says, and a part of it its part', () => {
    const prices = [
      { label: 'nvidia.com/gpu.product', value: '*H100*', usdPerCardHour: 2.5 },
      { label: 'nvidia.com/gpu.product', usdPerCardHour: 1 },
    ]
    const nodes = [
      node({ name: 'h', labels: H100, has: { [GPU]: 8 } }),
      node({ name: 'm', labels: A100_CUT, has: { 'nvidia.com/mig-3g.20gb': 4 } }),
      node({ name: 'p' }),
    ]
    const pods = [pod({ [GPU]: 6 }, { name: 'x', on: 'h' })]
    const { offers, fleet } = made(nodes, { prices, pods })
    expect(new Map(offers.map(({ instance, usdPerHour }) => [instance, usdPerHour]))).toEqual(
      new Map([
        ['h', 20],
        ['m', 2],
        ['p', 0],
      ]),
    )
    // One card of eight, whatever pods hold; half a card.
    const snapshot = freeze(offers, [], [fleet])
    const each = offers.map((_, row) => listingAt(snapshot, row)).filter(({ machine }) => machine.gpu !== undefined)
    const costs = each.map((listing) => (listing.price.usdPerHour ?? 0) * shareOf(listing, 1))
    expect(new Set(costs)).toEqual(new Set([2.5, 0.5]))
  })

  test('the order of objects changes nothing', () => {
    const nodes = ['a', 'b', 'c'].map((name) => node({ name, labels: H100, has: { [GPU]: 8 } }))
    const pods = ['x', 'y', 'z'].map((name, at) => pod({ [GPU]: at + 1 }, { name, on: 'b' }))
    expect(made(nodes.toReversed(), { pods: pods.toReversed() })).toEqual(made(nodes, { pods }))
  })

  test('cards of an unknown model are under quarantine', () => {
    const labels = { 'nvidia.com/gpu.product': 'NVIDIA-Strange-9000', 'nvidia.com/gpu.count': '2' }
    const { offers } = made([node({ labels, has: { [GPU]: 2 } })])
    expect(offers.map(({ quarantine }) => quarantine)).toEqual(['NAME_UNKNOWN'])
  })
})
