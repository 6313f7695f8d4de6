import { describe, expect, test } from 'vitest'
import type { FleetNode, Request, Tenant } from '../../fleet/fleet.ts'
import { proposeMoves, type Goal, type Moves, type NoMovesReason } from './defragment.ts'
import { asks, cutNode, node, PAIRS, saved, share, slice, tenant, UNSAVED, world } from './proposal.suite.ts'

type Scene = readonly [nodes: readonly FleetNode[], tenants: readonly Tenant[]]

function fit(request: Request, nodes = 1): Goal {
  return { kind: 'fit', request, nodes, within: undefined }
}

/** `name from>to how`, with nodes and cards. */
function moves([nodes, tenants]: Scene, goal: Goal): readonly string[] | NoMovesReason {
  const answer = proposeMoves(world(nodes, tenants), goal)
  if (answer.kind === 'no-moves') return answer.why
  return answer.moves.map(({ name, from, to, how }) => `${name} ${place(from)}>${place(to)} ${how}`)
}

function place({ node, cards, taken }: Moves['spots'][number]): string {
  return `n${node}:${cards.join(',')}${taken?.kind === 'slice' ? `+${taken.start}` : ''}`
}

describe('moves for a request', () => {
  test('empty a card that others can take over', () => {
    const scene: Scene = [
      [node('a', 1), node('b', 1)],
      [tenant('x', 'n0:0/500'), tenant('y', 'n1:0/500', saved(9))],
    ]
    expect(moves(scene, fit(asks(1)))).toEqual(['x n0:0>n1:0 start-first'])
  })

  test('say what they cost, what for and where it would fit', () => {
    const nodes = [node('a', 2), node('b', 1)]
    const tenants = [
      tenant('x', 'n0:1/500', saved(100)),
      tenant('y', 'n1:0/500', UNSAVED),
      tenant('z', 'n0:0', UNSAVED),
    ]
    const goal = fit(asks(1))
    const spot = { node: 0, cards: [1], taken: undefined }
    expect(proposeMoves(world(nodes, tenants), goal)).toEqual({
      kind: 'moves',
      goal,
      moves: [
        {
          name: 'x',
          from: tenants[0]?.spot,
          to: { node: 1, cards: [0], taken: share(500) },
          how: 'start-first',
          room: spot,
          restart: 'training',
          cost: { lostGpuSeconds: 50, restarts: 1 },
        },
      ],
      cost: { lostGpuSeconds: 50, restarts: 1 },
      spots: [spot],
      idleCards: { before: 0, after: 1 },
      gained: 0,
    })
  })

  test('stay on the node where that is enough', () => {
    const scene: Scene = [[node('a', 2)], [tenant('x', 'n0:0/400'), tenant('y', 'n0:1/500', UNSAVED)]]
    expect(moves(scene, fit(asks(1)))).toEqual(['x n0:0>n0:1 start-first'])
  })

  test('shift a slice on its own card', () => {
    const scene: Scene = [[cutNode('a', 1)], [tenant('x', 'n0:0@1g.10gb+1'), tenant('y', 'n0:0@1g.10gb+3', UNSAVED)]]
    expect(moves(scene, fit(asks(1, slice(20))))).toEqual(['x n0:0+1>n0:0+2 start-first'])
  })

  test('stop first where both copies have no room at once', () => {
    const tight = node('a', 2, { cpuMilli: 5000 })
    const tenants = [
      tenant('x', 'n0:0/400', { request: asks(1, share(400), { cpuMilli: 3000 }) }),
      tenant('y', 'n0:1/500', UNSAVED),
    ]
    expect(moves([[tight], tenants], fit(asks(1)))).toEqual(['x n0:0>n0:1 stop-first'])
  })

  test('are not made when it fits, when too little is free, or when no tenant may move', () => {
    const free: Scene = [[node('a', 1)], []]
    expect(moves(free, fit(asks(1)))).toBe('fits-already')
    const full: Scene = [
      [node('a', 1), node('b', 1)],
      [tenant('x', 'n0:0/500'), tenant('y', 'n1:0/600')],
    ]
    expect(moves(full, fit(asks(1)))).toBe('too-little-free')
    const stuck: Scene = [
      [node('a', 1), node('b', 1)],
      [tenant('x', 'n0:0/500', UNSAVED), tenant('y', 'n1:0/500', UNSAVED)],
    ]
    expect(moves(stuck, fit(asks(1)))).toBe('none-found')
  })

  test('look at CPU, memory and disk in sum, too', () => {
    const scene: Scene = [[node('a', 1), node('b', 1)], [tenant('x', 'n0:0')]]
    expect(moves(scene, fit(asks(0, undefined, { cpuMilli: 40_000 })))).toBe('too-little-free')
    expect(moves(scene, fit(asks(0, undefined, { memoryMib: 140_000 })))).toBe('too-little-free')
    expect(moves(scene, fit(asks(0, undefined, { diskMib: 200_001 })))).toBe('too-little-free')
    expect(moves(scene, fit(asks(0, undefined, { diskMib: 200_000 })))).toBe('none-found')
  })

  test('also give back cards that were whole where a slice would have done', () => {
    const wasteful = [0, 1].map((card) => tenant(`x${card}`, `n0:${card}`, { request: asks(1, slice(10)) }))
    const scene: Scene = [
      [node('a', 2), cutNode('b', 1)],
      [...wasteful, tenant('y', 'n1:0@1g.10gb+0', UNSAVED)],
    ]
    expect(moves(scene, fit(asks(2)))).toEqual(['x0 n0:0>n1:0+1 start-first', 'x1 n0:1>n1:0+2 start-first'])
  })

  test('take the cheapest way, whatever it moves', () => {
    const tenants = [
      tenant('x', 'n0:0/300', saved(400)),
      tenant('y', 'n1:0/200'),
      tenant('z', 'n1:0/200'),
      tenant('w', 'n2:0/600', UNSAVED),
    ]
    const nodes = [node('a', 1), node('b', 1), node('c', 1)]
    expect(moves([nodes, tenants], fit(asks(1)))).toEqual(['y n1:0>n2:0 start-first', 'z n1:0>n2:0 start-first'])
    const cheaper = [tenant('x', 'n0:0/300', saved(100)), ...tenants.slice(1)]
    expect(moves([nodes, cheaper], fit(asks(1)))).toEqual(['x n0:0>n2:0 start-first'])
  })

  test('do not tear a gang apart', () => {
    const tenants = [tenant('gang-0', 'n0:0/500'), tenant('gang-1', 'n1:0/500')]
    const bound = { ...world([node('a', 1), node('b', 1)], tenants), gangOf: () => 'gang' }
    expect(proposeMoves(bound, fit(asks(1)))).toEqual({ kind: 'no-moves', why: 'none-found' })
  })
})

const FREE: Partial<Tenant> = { restart: 'inference', checkpointAgeS: undefined }

describe('moves for a gang', () => {
  const rack = (name: string): Partial<FleetNode> => ({
    domains: { zone: 'z', fabric: undefined, rack: name, nvlinkDomain: undefined },
  })
  const nodes = [node('a', 1, rack('1')), node('b', 1, rack('2')), node('c', 1, rack('2')), node('d', 1, rack('3'))]
  const gang: Goal = { kind: 'fit', request: asks(1), nodes: 2, within: 'rack' }

  test('clear several nodes of one domain', () => {
    const tenants = [tenant('w', 'n0:0/500'), tenant('x', 'n1:0/500'), tenant('y', 'n2:0/500'), tenant('z', 'n3:0/500')]
    const answer = moves([nodes, tenants], gang)
    expect(answer).toEqual(['x n1:0>n0:0 start-first', 'y n2:0>n3:0 start-first'])
  })

  test('are made in the domain where they cost least', () => {
    const more = [...nodes.slice(0, 3), node('d', 1, rack('1')), node('e', 4)]
    const tenants = [
      tenant('w', 'n0:0/500', saved(9)),
      tenant('x', 'n1:0/500'),
      tenant('y', 'n2:0/500'),
      tenant('z', 'n3:0/500', saved(9)),
    ]
    expect(moves([more, tenants], gang)).toEqual(['x n1:0>n0:0 start-first', 'y n2:0>n3:0 start-first'])
    const other = tenants.map((each) => ({ ...each, ...(each.restart === 'training' ? FREE : saved(9)) }))
    expect(moves([more, other], gang)).toEqual(['w n0:0>n1:0 start-first', 'z n3:0>n2:0 start-first'])
  })

  test('use what the first of them left behind', () => {
    const cores = (count: number) => ({ cpuMilli: count * 1000 })
    const tight = [node('a', 2, cores(12)), node('b', 1, cores(9)), node('c', 1, cores(11))]
    const tenants = [
      tenant('u', 'n0:0/600', { request: asks(1, share(600), cores(10)) }),
      tenant('v', 'n1:', { request: asks(0, undefined, cores(9)) }),
      tenant('w', 'n0:1', UNSAVED),
      tenant('x', 'n2:0/400', UNSAVED),
    ]
    expect(moves([tight, tenants], fit(asks(1), 2))).toEqual(['u n0:0>n2:0 start-first', 'v n1:>n0: start-first'])
  })

  test('use the nodes that are free already', () => {
    const tenants = [tenant('w', 'n0:0/500'), tenant('x', 'n1:0/500')]
    const answer = proposeMoves(world(nodes, tenants), gang)
    expect(answer).toMatchObject({ moves: [{ name: 'x', to: { node: 0 } }], spots: [{ node: 2 }, { node: 1 }] })
  })
})

describe('moves for whole cards', () => {
  test('bring shares together until as many cards are idle as were wanted', () => {
    const nodes = Array.from({ length: 6 }, (_, index) => node(`n${index}`, 1))
    const tenants = nodes.map((_, index) => tenant(`t${index}`, `n${index}:0/300`))
    const one = proposeMoves(world(nodes, tenants), { kind: 'whole', size: 1, more: 1 })
    expect(one).toMatchObject({ gained: 1, idleCards: { before: 0, after: 1 }, cost: { restarts: 1 } })
    const all = proposeMoves(world(nodes, tenants), { kind: 'whole', size: 1, more: 9 })
    expect(all).toMatchObject({ gained: 4, idleCards: { before: 0, after: 4 }, cost: { restarts: 4 } })
  })

  test('are none where nothing can be gained', () => {
    const scene: Scene = [
      [node('a', 1), node('b', 1)],
      [tenant('x', 'n0:0/600'), tenant('y', 'n1:0/600')],
    ]
    expect(moves(scene, { kind: 'whole', size: 1, more: 1 })).toBe('none-found')
    expect(moves([[node('a', 2)], [tenant('x', 'n0:0')]], { kind: 'whole', size: 1, more: 1 })).toBe('none-found')
    expect(moves(scene, { kind: 'whole', size: 1, more: 0 })).toBe('none-found')
  })

  test('prefer the clearing that gains most for its price', () => {
    const tenants = [
      tenant('a', 'n0:0/100', saved(3000)),
      tenant('b', 'n1:0/100'),
      tenant('c', 'n1:0/100'),
      tenant('d', 'n2:0/700', UNSAVED),
    ]
    const scene: Scene = [[node('a', 1), node('b', 1), node('c', 1)], tenants]
    expect(moves(scene, { kind: 'whole', size: 1, more: 1 })).toEqual([
      'b n1:0>n2:0 start-first',
      'c n1:0>n2:0 start-first',
    ])
  })

  test('prefer one who holds two cards to one who holds one', () => {
    const tenants = [
      tenant('x', 'n0:0/300'),
      tenant('y', 'n1:0,1/300'),
      tenant('v', 'n2:0/600', UNSAVED),
      tenant('w', 'n2:1/600', UNSAVED),
    ]
    const scene: Scene = [[node('a', 1), node('b', 2), node('c', 2)], tenants]
    expect(moves(scene, { kind: 'whole', size: 1, more: 1 })).toEqual(['y n1:0,1>n2:0,1 start-first'])
  })

  test('break before they make, rather than open another card', () => {
    const tight = node('a', 2, { cpuMilli: 2000 })
    const scene: Scene = [
      [tight, node('b', 1)],
      [tenant('x', 'n0:0/300'), tenant('y', 'n0:1/300')],
    ]
    expect(moves(scene, { kind: 'whole', size: 1, more: 1 })).toEqual(['x n0:0>n0:1 stop-first'])
  })

  test('interrupt where going on elsewhere would open as many cards as it leaves', () => {
    const scene: Scene = [
      [node('a', 4, { memoryMib: 2000 }), node('b', 4)],
      [tenant('x', 'n0:0/250', UNSAVED), tenant('y', 'n0:1,3/250')],
    ]
    expect(moves(scene, { kind: 'whole', size: 1, more: 1 })).toEqual(['y n0:1,3>n0:0,2 stop-first'])
  })

  test('make islands whole by moving whole cards, too', () => {
    const wired = { layout: PAIRS }
    const tenants = [
      tenant('x', 'n0:0'),
      tenant('y', 'n0:2'),
      tenant('z', 'n1:0', UNSAVED),
      tenant('w', 'n1:2', UNSAVED),
    ]
    const scene: Scene = [[node('a', 4, wired), node('b', 4, wired)], tenants]
    expect(moves(scene, { kind: 'whole', size: 2, more: 1 })).toEqual(['x n0:0>n1:1 start-first'])
    expect(moves(scene, { kind: 'whole', size: 2, more: 2 })).toHaveLength(2)
    expect(moves(scene, { kind: 'whole', size: 4, more: 1 })).toHaveLength(2)
  })

  test('know of no island where the wiring is not known', () => {
    const tenants = [tenant('x', 'n0:0'), tenant('y', 'n0:2')]
    expect(moves([[node('a', 4), node('b', 4)], tenants], { kind: 'whole', size: 4, more: 1 })).toBe('none-found')
  })
})
