import { describe, expect, test } from 'vitest'
import type { FleetNode, Request, Tenant } from '../../fleet/fleet.ts'
import { proposePreemption, type Newcomer } from './preempt.ts'
import { asks, cutNode, node, saved, share, slice, tenant, UNSAVED, world } from './proposal.suite.ts'

function newcomer(request: Request, change: Partial<Newcomer> = {}): Newcomer {
  return { name: 'new', request, priority: 10, nodes: 1, within: undefined, ...change }
}

/** The names of those who would make way, proposal by proposal. */
function victims(nodes: readonly FleetNode[], tenants: readonly Tenant[], who: Newcomer): readonly string[] {
  return proposePreemption(world(nodes, tenants), who).map((proposal) =>
    proposal.victims.map(({ name }) => name).join(' '),
  )
}

function onRack(rack: string | undefined): Partial<FleetNode> {
  return { domains: { zone: 'z', fabric: undefined, rack, nvlinkDomain: undefined } }
}

describe('a proposal', () => {
  const tenants = [
    tenant('a', 'n0:0', { ...saved(100), priority: 1 }),
    tenant('b', 'n0:1', { priority: 2, request: asks(1, undefined, { cpuMilli: 3000, diskMib: 7 }) }),
  ]

  test('says what it frees, for whom, what it costs and why each victim', () => {
    const who = newcomer(asks(2))
    expect(proposePreemption(world([node('n', 2)], tenants), who)).toEqual([
      {
        kind: 'preemption',
        for: who,
        spots: [{ node: 0, cards: [0, 1], taken: undefined }],
        frees: [{ node: 0, cards: [0, 1], cpuMilli: 4000, memoryMib: 2000, diskMib: 7 }],
        cost: { lostGpuSeconds: 100, restarts: 2 },
        victims: [
          {
            name: 'a',
            spot: tenants[0]?.spot,
            cost: { lostGpuSeconds: 100, restarts: 1 },
            why: { kind: 'in-the-way', priority: 1, below: 10, restart: 'training', checkpointAgeS: 100 },
          },
          {
            name: 'b',
            spot: tenants[1]?.spot,
            cost: { lostGpuSeconds: 0, restarts: 1 },
            why: { kind: 'in-the-way', priority: 2, below: 10, restart: 'inference', checkpointAgeS: undefined },
          },
        ],
      },
    ])
  })

  test('is not made when the newcomer fits as things are', () => {
    expect(victims([node('n', 2), node('m', 2)], tenants, newcomer(asks(2)))).toEqual([])
  })

  test('is not made when nobody who may stop holds enough', () => {
    expect(victims([node('n', 2)], tenants, newcomer(asks(3)))).toEqual([])
    expect(victims([node('n', 2)], tenants, newcomer(asks(2, undefined, { models: ['other'] })))).toEqual([])
  })
})

describe('who makes way', () => {
  test('is of strictly lower priority', () => {
    const tenants = [tenant('a', 'n0:0', { priority: 5 })]
    expect(victims([node('n', 1)], tenants, newcomer(asks(1), { priority: 5 }))).toEqual([])
    expect(victims([node('n', 1)], tenants, newcomer(asks(1), { priority: 6 }))).toEqual(['a'])
  })

  test('is never training without a checkpoint', () => {
    const tenants = [tenant('a', 'n0:0', UNSAVED), tenant('b', 'n0:1', saved(1e6))]
    expect(victims([node('n', 2)], tenants, newcomer(asks(1)))).toEqual(['b'])
    expect(victims([node('n', 2)], tenants, newcomer(asks(2)))).toEqual([])
  })

  test('is inference rather than training, and of training the one with less to lose', () => {
    const tenants = [tenant('a', 'n0:0', saved(500)), tenant('b', 'n0:1', saved(400)), tenant('c', 'n0:2')]
    expect(victims([node('n', 3)], tenants, newcomer(asks(1)))).toEqual(['c'])
    expect(victims([node('n', 3)], tenants, newcomer(asks(2)))).toEqual(['b c'])
  })

  test('is one rather than two, unless the two cost less', () => {
    const tenants = [tenant('a', 'n0:0,1', saved(20)), tenant('b', 'n0:2'), tenant('c', 'n0:3')]
    expect(victims([node('n', 4)], tenants, newcomer(asks(2)))).toEqual(['a'])
    const dear = [tenant('a', 'n0:0,1', saved(31)), tenant('b', 'n0:2'), tenant('c', 'n0:3')]
    expect(victims([node('n', 4)], dear, newcomer(asks(2)))).toEqual(['b c'])
  })

  test('at the same cost is one rather than two', () => {
    const tenants = [tenant('a', 'n0:0'), tenant('b', 'n0:1'), tenant('z', 'n0:2,3', saved(30))]
    expect(victims([node('n', 4)], tenants, newcomer(asks(2)))).toEqual(['z'])
  })

  test('at the same cost is of lower priority, then first by name', () => {
    const tenants = [tenant('a', 'n0:0', { priority: 3 }), tenant('c', 'n0:1'), tenant('b', 'n0:2')]
    expect(victims([node('n', 3)], tenants, newcomer(asks(1)))).toEqual(['b'])
    expect(victims([node('n', 3)], tenants.toReversed(), newcomer(asks(1)))).toEqual(['b'])
  })

  test('is nobody whose room does not help', () => {
    const tenants = [tenant('a', 'n0:0/500'), tenant('b', 'n0:1/700'), tenant('c', 'n0:1/300'), tenant('d', 'n0:')]
    expect(victims([node('n', 2)], tenants, newcomer(asks(1, share(700))))).toEqual(['a'])
    expect(victims([node('n', 2)], tenants, newcomer(asks(2, share(700))))).toEqual(['a b'])
  })

  test('also holds CPU, memory or disk, on whatever card', () => {
    const tenants = [
      tenant('a', 'n0:0/100', { request: asks(1, share(100), { cpuMilli: 9000 }) }),
      tenant('b', 'n0:', { request: asks(0, undefined, { memoryMib: 60_000 }) }),
      tenant('c', 'n0:', { request: asks(0, undefined, { diskMib: 99_000 }) }),
    ]
    expect(victims([node('n', 2)], tenants, newcomer(asks(1, undefined, { cpuMilli: 8000 })))).toEqual(['a'])
    expect(victims([node('n', 2)], tenants, newcomer(asks(1, undefined, { memoryMib: 8000 })))).toEqual(['b'])
    expect(victims([node('n', 2)], tenants, newcomer(asks(1, undefined, { diskMib: 8000 })))).toEqual(['c'])
  })

  test('lies where a slice can be cut', () => {
    const tenants = [
      tenant('a', 'n0:0@1g.10gb+1'),
      tenant('b', 'n0:0@1g.10gb+3', saved(10)),
      tenant('c', 'n0:0@1g.10gb+2', { priority: 11 }),
    ]
    expect(victims([cutNode('n', 1)], tenants, newcomer(asks(1, slice(20))))).toEqual(['a'])
  })
})

describe('proposals', () => {
  test('are one for each node, cheapest first, then by fewer victims and by name', () => {
    const tenants = [
      tenant('a', 'n0:0', saved(100)),
      tenant('b', 'n1:0/500'),
      tenant('c', 'n1:0/500'),
      tenant('e', 'n2:0'),
      tenant('d', 'n3:0'),
    ]
    const nodes = [node('w', 1), node('x', 1), node('y', 1), node('z', 1)]
    expect(victims(nodes, tenants, newcomer(asks(1)))).toEqual(['d', 'e', 'b c', 'a'])
  })

  test('are five at most', () => {
    const nodes = Array.from({ length: 9 }, (_, index) => node(`n${index}`, 1))
    const tenants = nodes.map(({ id }, index) => tenant(`on-${id}`, `n${index}:0`))
    expect(victims(nodes, tenants, newcomer(asks(1)))).toEqual(['on-n0', 'on-n1', 'on-n2', 'on-n3', 'on-n4'])
  })
})

describe('for a gang', () => {
  const nodes = [
    node('a', 1, onRack('1')),
    node('b', 1, onRack('2')),
    node('c', 1, onRack('1')),
    node('d', 1, onRack('2')),
  ]
  const tenants = [
    tenant('w', 'n0:0', saved(500)),
    tenant('x', 'n1:0', saved(300)),
    tenant('y', 'n2:0'),
    tenant('z', 'n3:0', saved(200)),
  ]

  test('room is made on several nodes of one domain', () => {
    const gang = newcomer(asks(1), { nodes: 2, within: 'rack' })
    expect(victims(nodes, tenants, gang)).toEqual(['w y', 'x z'])
    expect(victims(nodes, tenants, { ...gang, within: undefined })).toEqual(['y z'])
    expect(victims(nodes, tenants, { ...gang, nodes: 3 })).toEqual([])
  })

  test('nodes that are free already are used', () => {
    const some = tenants.filter(({ name }) => name !== 'x')
    const [first] = proposePreemption(world(nodes, some), newcomer(asks(1), { nodes: 2, within: 'rack' }))
    expect(first?.victims.map(({ name }) => name)).toEqual(['z'])
    expect(first?.spots.map((spot) => spot.node)).toEqual([1, 3])
    expect(first?.frees.map((freed) => freed.node)).toEqual([3])
  })

  test('a node of which nobody knows the domain is in none', () => {
    const unknown = [node('a', 1, onRack(undefined)), node('b', 1, onRack(undefined))]
    const two = [tenant('w', 'n0:0'), tenant('x', 'n1:0')]
    expect(victims(unknown, two, newcomer(asks(1), { nodes: 2, within: 'rack' }))).toEqual([])
    expect(victims(unknown, two, newcomer(asks(1), { nodes: 2, within: 'zone' }))).toEqual(['w x'])
  })

  test('racks of the same name in two zones are two racks', () => {
    const other = { domains: { zone: 'other', fabric: undefined, rack: '1', nvlinkDomain: undefined } }
    const far = [node('a', 1, onRack('1')), node('b', 1, other)]
    const two = [tenant('w', 'n0:0'), tenant('x', 'n1:0')]
    expect(victims(far, two, newcomer(asks(1), { nodes: 2, within: 'rack' }))).toEqual([])
  })
})

describe('a gang that runs', () => {
  const gangOf = ({ name }: Tenant): string | undefined => (name.startsWith('gang') ? 'gang' : undefined)
  const nodes = [node('a', 1), node('b', 1), node('c', 1)]

  test('goes as a whole, and its whole work counts', () => {
    const tenants = [
      tenant('gang-0', 'n0:0', saved(50)),
      tenant('gang-1', 'n1:0', saved(50)),
      tenant('x', 'n2:0', saved(99)),
    ]
    const [first, second] = proposePreemption({ ...world(nodes, tenants), gangOf }, newcomer(asks(1)))
    expect(first?.victims.map(({ name }) => name)).toEqual(['x'])
    expect(second?.cost).toEqual({ lostGpuSeconds: 100, restarts: 2 })
    expect(second?.victims.map(({ name, why }) => [name, why.kind])).toEqual([
      ['gang-0', 'in-the-way'],
      ['gang-1', 'goes-with'],
    ])
  })

  test('stays if one of it may not stop or ranks too high', () => {
    const unsaved = [tenant('gang-0', 'n0:0', saved(50)), tenant('gang-1', 'n1:0', UNSAVED)]
    const high = [tenant('gang-0', 'n0:0'), tenant('gang-1', 'n1:0', { priority: 10 })]
    for (const tenants of [unsaved, high]) {
      expect(proposePreemption({ ...world(nodes.slice(0, 2), tenants), gangOf }, newcomer(asks(1)))).toEqual([])
    }
  })

  test('is counted once where a newcomer takes several of its nodes', () => {
    const tenants = [
      tenant('gang-0', 'n0:0', saved(50)),
      tenant('gang-1', 'n1:0', saved(50)),
      tenant('x', 'n2:0', saved(100)),
    ]
    const [first] = proposePreemption({ ...world(nodes, tenants), gangOf }, newcomer(asks(1), { nodes: 2 }))
    expect(first?.victims.map(({ name, why }) => [name, why.kind])).toEqual([
      ['gang-0', 'in-the-way'],
      ['gang-1', 'in-the-way'],
    ])
  })

  test('that has left for one node is not there on the next', () => {
    const wide = [node('a', 2), node('b', 2), node('c', 2)]
    const tenants = [
      tenant('gang-0', 'n0:0,1', saved(20)),
      tenant('gang-1', 'n1:0', saved(20)),
      tenant('y', 'n1:1'),
      tenant('x', 'n2:0,1', saved(70)),
    ]
    const [first] = proposePreemption({ ...world(wide, tenants), gangOf }, newcomer(asks(2), { nodes: 2 }))
    expect(first?.victims.map(({ name }) => name)).toEqual(['gang-0', 'gang-1', 'y'])
  })
})
