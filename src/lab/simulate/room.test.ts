import { describe, expect, test } from 'vitest'
import { Kinds } from '../../core/pack/engine/kinds.ts'
import { shapesOf } from '../../core/pack/engine/states.ts'
import type { Fleet, Request } from '../../core/fleet/fleet.ts'
import { SimulatedRoom, type Leftover, type RefusalKind } from './room.ts'
import { cardsOf, fleetOf, nodeOf, shareOf } from './simulate.suite.ts'

/** Two nodes of two cards, with 2 cores and 2 GiB each. */
const FLEET = fleetOf(2, 2)

interface Use {
  readonly request: Request
  readonly node: number
  readonly card: number
}

function roomWith(uses: readonly Use[], fleet: Fleet = FLEET): SimulatedRoom {
  const room = new SimulatedRoom(fleet)
  for (const { request, node, card } of uses) room.take(request, spotOf({ request, node, card }))
  return room
}

function spotOf({ request: { part }, node, card }: Use): Parameters<SimulatedRoom['take']>[1] {
  return { node, cards: [card], taken: part.kind === 'share' ? { kind: 'share', milli: part.milli } : undefined }
}

function kindOf(request: Request, fleet: Fleet = FLEET): ReturnType<Kinds['of']> {
  return new Kinds(shapesOf(fleet.nodes).pools).of(request)
}

describe('why something does not fit', () => {
  const half = (node: number, card: number, given: Partial<Request> = {}): Use => ({
    request: shareOf(500, given),
    node,
    card,
  })
  const halves = [half(0, 0), half(0, 1), half(1, 0), half(1, 1)]
  const greedy: Partial<Request> = { cpuMilli: 2000 }

  test.each<[string, Request, readonly Use[], RefusalKind | undefined]>([
    ['it fits', cardsOf(2), [], undefined],
    ['no model that will do', cardsOf(1, { models: ['H100'] }), [], 'no-such-card'],
    ['more cards than a node has', cardsOf(3), [], 'too-large'],
    ['more CPU than a node has', cardsOf(1, { cpuMilli: 2001 }), [], 'too-large'],
    ['more disk than anybody knows of', cardsOf(1, { diskMib: 1 }), [], 'too-large'],
    ['enough in sum, in pieces', cardsOf(1), halves, 'in-pieces'],
    ['not even in sum', shareOf(600), [...halves, ...halves.slice(1)], 'full'],
    ['cards on different nodes', cardsOf(2), [half(0, 0), half(1, 0)], 'apart'],
    ['no CPU beside the cards', cardsOf(1, { cpuMilli: 1 }), [half(0, 0, greedy), half(1, 0, greedy)], 'cpu'],
    [
      'no memory beside the cards',
      cardsOf(1, { memoryMib: 1 }),
      [half(0, 0, { memoryMib: 2048 }), half(1, 0, { memoryMib: 2048 })],
      'memory',
    ],
    [
      'CPU here and memory there: the first that is short',
      cardsOf(1, { cpuMilli: 1, memoryMib: 1 }),
      [half(0, 0, greedy), half(1, 0, { memoryMib: 2048 })],
      'cpu',
    ],
    [
      'neither CPU nor memory',
      cardsOf(1, { cpuMilli: 1, memoryMib: 1 }),
      [half(0, 0, { ...greedy, memoryMib: 2048 }), half(1, 0, { ...greedy, memoryMib: 2048 })],
      'several',
    ],
    ['work without cards lacks CPU', cardsOf(0, { cpuMilli: 1 }), [half(0, 0, greedy), half(1, 0, greedy)], 'cpu'],
  ])('%s', (_, request, uses, expected) => {
    expect(roomWith(uses).whyNot(kindOf(request))).toBe(expected)
  })

  test('a failing card is none', () => {
    const fleet = {
      nodes: [
        nodeOf('n', 2, {
          cards: [
            { health: 'failing', parts: 'share' },
            { health: 'ok', parts: 'share' },
          ],
        }),
      ],
    }
    expect(new SimulatedRoom(fleet).capacityMilli).toBe(1000)
    expect(new SimulatedRoom(fleet).whyNot(kindOf(cardsOf(2), fleet))).toBe('too-large')
  })

  test('disk is short like everything else', () => {
    const fleet = fleetOf(1, 2, { diskMib: 10 })
    const use = { request: shareOf(500, { diskMib: 10 }), node: 0, card: 0 }
    expect(roomWith([use], fleet).whyNot(kindOf(cardsOf(1, { diskMib: 1 }), fleet))).toBe('disk')
  })
})

describe('what is free', () => {
  test('comes back with what is given back', () => {
    const use = { request: shareOf(300), node: 1, card: 1 }
    const room = roomWith([use])
    expect(room.freeMilli).toBe(3700)
    room.giveBack(use.request, spotOf(use))
    expect(room.freeMilli).toBe(room.capacityMilli)
  })

  test('is told in pieces, with why each is of no use', () => {
    const kinds = new Kinds(shapesOf(FLEET.nodes).pools)
    const usual = [
      { kind: kinds.of(cardsOf(1, { cpuMilli: 1000 })), count: 90 },
      { kind: kinds.of(shareOf(300)), count: 1 },
      { kind: kinds.of(cardsOf(1, { models: ['H100'], part: { kind: 'share', milli: 200 } })), count: 9 },
      { kind: kinds.of(cardsOf(0)), count: 10 },
    ]
    const room = roomWith([
      { request: shareOf(600), node: 0, card: 0 },
      { request: shareOf(750), node: 0, card: 1 },
      { request: shareOf(950, { cpuMilli: 2000 }), node: 1, card: 0 },
    ])
    const told = room.leftovers(usual).map(({ from, why, cards, milli }: Leftover) => [from, why, cards, milli])
    expect(told).toEqual([
      [1000, 'rare', 1, 1000],
      [250, 'rare', 1, 400],
      [250, 'elsewhere', 1, 250],
      [1, 'too-small', 1, 50],
    ])
    expect(roomWith([]).leftovers(usual)).toEqual([{ from: 1000, to: 1000, why: 'usable', cards: 4, milli: 4000 }])
  })

  test.each([
    ['cpu', { cpuMilli: 2000 }],
    ['memory', { memoryMib: 2048 }],
    ['several', { cpuMilli: 2000, memoryMib: 2048 }],
  ] as const)('is stuck without %s beside it', (why, taken) => {
    const usual = [{ kind: kindOf(shareOf(500, { cpuMilli: 1, memoryMib: 1 })), count: 1 }]
    const fleet = fleetOf(1, 2)
    const room = roomWith([{ request: shareOf(500, taken), node: 0, card: 0 }], fleet)
    expect(room.leftovers(usual)).toEqual([
      { from: 1000, to: 1000, why, cards: 1, milli: 1000 },
      { from: 500, to: 999, why, cards: 1, milli: 500 },
    ])
  })
})
