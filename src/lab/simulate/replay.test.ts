import { describe, expect, test } from 'vitest'
import { bestFit } from '../../core/pack/engine/best-fit.ts'
import type { Fleet, Tenant } from '../../core/fleet/fleet.ts'
import { replay, type Replayed } from './replay.ts'
import { arrivalOf, cardsOf, fleetOf, nodeOf, shareOf } from './simulate.suite.ts'
import type { Arrival } from './trace.ts'

interface Given {
  readonly fleet?: Fleet
  readonly tenants?: readonly Tenant[]
  readonly patienceS?: number
}

/** Two nodes of four cards unless given. */
function played(
  arrivals: readonly Arrival[],
  { fleet = fleetOf(2, 4), tenants = [], patienceS = 1000 }: Given = {},
): Replayed {
  return replay({ fleet, tenants, arrivals, policy: bestFit, knows: 'nothing', patienceS })
}

function waitOf({ waits }: Replayed, size: string): number | undefined {
  return waits.find((each) => each.size === size)?.longestS
}

describe('a trace of single nodes', () => {
  test('work that fits is placed at once, other work waits until something leaves', () => {
    const result = played([
      arrivalOf('a', cardsOf(4), { durationS: 30 }),
      arrivalOf('b', cardsOf(4), { durationS: 20 }),
      arrivalOf('c', cardsOf(3), { arrivalS: 5, durationS: 10 }),
    ])
    expect(result).toMatchObject({ arrived: 3, placed: 3, fromS: 0, toS: 30, refused: [], waiting: [] })
    expect(waitOf(result, '3')).toBe(15)
    expect(waitOf(result, '4')).toBe(0)
    // All 8 cards for 20 s, then 4 and 3 for 10 s.
    expect(result.allocated).toBeCloseTo((100 * (8 * 20 + 7 * 10)) / (8 * 30))
    expect(result.curve).toEqual([
      [0, 100],
      [20, 87.5],
      [30, 0],
    ])
  })

  test('the small may pass the large, and the higher priority goes first', () => {
    const result = played([
      arrivalOf('full', cardsOf(4), { durationS: 50 }),
      arrivalOf('most', cardsOf(3), { durationS: 50 }),
      arrivalOf('large', cardsOf(4), { arrivalS: 1 }),
      arrivalOf('small', cardsOf(1), { arrivalS: 2 }),
      arrivalOf('low', cardsOf(2), { arrivalS: 3, durationS: 100 }),
      arrivalOf('high', cardsOf(2), { arrivalS: 4, durationS: 30, priority: 9 }),
    ])
    expect(waitOf(result, '1')).toBe(0)
    expect(waitOf(result, '2')).toBe(47)
    expect(result.placed).toBe(6)
  })

  test('what never leaves stays, and work that waits for it waits to the end', () => {
    const result = played([
      arrivalOf('a', cardsOf(3), { durationS: undefined }),
      arrivalOf('b', cardsOf(3), { durationS: undefined }),
      arrivalOf('c', cardsOf(2), { arrivalS: 7 }),
    ])
    expect(result).toMatchObject({ placed: 2, toS: 7, waiting: [{ name: 'c', reason: 'apart' }] })
    expect(result.waits.find(({ size }) => size === '2')).toMatchObject({ count: 1, waiting: 1 })
  })

  test('what no node could ever take is refused at once, with the reason', () => {
    const result = played([
      arrivalOf('wide', cardsOf(5)),
      arrivalOf('exotic', cardsOf(1, { models: ['X'] })),
      arrivalOf('fine', cardsOf(4), { arrivalS: 1 }),
    ])
    expect(result.refused).toEqual([
      { name: 'wide', reason: 'too-large' },
      { name: 'exotic', reason: 'no-such-card' },
    ])
    expect(result.placed).toBe(1)
    expect(result.waits.map(({ size }) => size)).toEqual(['4'])
  })

  test('tenants keep their places', () => {
    const tenant = (node: number, cards: readonly number[]): Tenant => ({
      name: `t-${node}`,
      request: cardsOf(cards.length),
      spot: { node, cards, taken: undefined },
      priority: 0,
      restart: 'inference',
      checkpointAgeS: undefined,
    })
    const result = played([arrivalOf('a', cardsOf(4)), arrivalOf('b', cardsOf(3))], {
      tenants: [tenant(0, [0]), tenant(1, [1, 2])],
    })
    expect(result.waiting).toEqual([{ name: 'a', reason: 'apart' }])
    expect(result).toMatchObject({ placed: 1, capacityMilli: 8000 })
    expect(result.curve[0]).toEqual([0, 75])
  })

  test('nothing comes: nothing happens', () => {
    expect(played([])).toMatchObject({ arrived: 0, placed: 0, allocated: 0, curve: [], waits: [], fromS: 0, toS: 0 })
  })
})

describe('what is left in pieces', () => {
  test('is looked at over time, and told for the fullest moment', () => {
    const halves = Array.from({ length: 8 }, (_, index) => arrivalOf(`h-${index}`, shareOf(600), { durationS: 50 }))
    const result = played([...halves, arrivalOf('late', cardsOf(1), { arrivalS: 10 })])
    expect(result.fullest).toEqual({
      atS: 0,
      allocated: 60,
      leftovers: [{ from: 250, to: 499, why: 'too-small', cards: 8, milli: 3200 }],
    })
    expect(result.stuck.slice(0, 2)).toEqual([
      [0, 40],
      [10, 40],
    ])
    expect(waitOf(result, '1')).toBe(40)
  })

  test('however long a trace is, only some moments are kept', () => {
    const many = Array.from({ length: 2000 }, (_, index) =>
      arrivalOf(`a-${index}`, cardsOf(1), { arrivalS: index * 7, durationS: 9999 }),
    )
    const { stuck } = played(many)
    expect(stuck.length).toBeGreaterThan(50)
    expect(stuck.length).toBeLessThan(200)
  })
})

describe('gangs', () => {
  test('start whole or not at all', () => {
    const result = played(
      [
        arrivalOf('busy', cardsOf(4), { durationS: 40 }),
        arrivalOf('gang', cardsOf(4), { arrivalS: 1, nodes: 2, durationS: 10 }),
        arrivalOf('single', cardsOf(4), { arrivalS: 2, durationS: 5 }),
      ],
      {},
    )
    // The gang takes nothing while one node is busy, and so a single passes it.
    expect(waitOf(result, '4')).toBe(0)
    expect(waitOf(result, '2 × 4')).toBe(39)
    expect(result.curve).toContainEqual([40, 100])
  })

  test('nodes are kept for one that was passed for too long', () => {
    const stream = Array.from({ length: 20 }, (_, index) =>
      arrivalOf(`s-${index}`, cardsOf(4), { arrivalS: index * 10, durationS: 19 }),
    )
    const gang = arrivalOf('gang', cardsOf(4), { arrivalS: 5, nodes: 2, durationS: 10 })
    const arrivals = [...stream, gang].sort((one, two) => one.arrivalS - two.arrivalS)
    expect(waitOf(played(arrivals, { patienceS: 10_000 }), '2 × 4')).toBeGreaterThan(150)
    expect(waitOf(played(arrivals, { patienceS: 30 }), '2 × 4')).toBeLessThan(70)
  })

  test('priority decides between a gang and a single node', () => {
    const busy = ['a', 'b'].map((name) => arrivalOf(name, cardsOf(4), { durationS: 20 }))
    const gang = arrivalOf('gang', cardsOf(4), { arrivalS: 1, nodes: 2, durationS: 10 })
    const single = (priority: number): Arrival => arrivalOf('s', cardsOf(3), { arrivalS: 2, durationS: 10, priority })
    expect(waitOf(played([...busy, gang, single(0)]), '3')).toBe(28)
    expect(waitOf(played([...busy, gang, single(1)]), '3')).toBe(18)
  })

  const racks = {
    nodes: ['r1', 'r1', 'r2', 'r2'].map((rack, index) =>
      nodeOf(`n-${index}`, 4, { domains: { zone: 'z', fabric: 'f', rack, nvlinkDomain: undefined } }),
    ),
  }

  test('that could not even start in an empty fleet are refused', () => {
    const { refused, placed } = played(
      [
        arrivalOf('rack', cardsOf(4), { nodes: 3, within: 'rack' }),
        arrivalOf('nowhere', cardsOf(1), { nodes: 2, within: 'nvlink_domain' }),
        arrivalOf('large', cardsOf(5), { nodes: 2 }),
        arrivalOf('fabric', cardsOf(4), { arrivalS: 1, nodes: 3, within: 'fabric' }),
      ],
      { fleet: racks },
    )
    expect(refused).toEqual([
      { name: 'rack', reason: 'gang-too-large' },
      { name: 'nowhere', reason: 'gang-too-large' },
      { name: 'large', reason: 'too-large' },
    ])
    expect(placed).toBe(1)
  })

  test('that wait to the end say what is in the way', () => {
    const stay = { durationS: undefined }
    const { waiting } = played(
      [
        arrivalOf('a', cardsOf(4), { ...stay, nodes: 2, within: 'rack' }),
        arrivalOf('b', cardsOf(1), stay),
        arrivalOf('apart', cardsOf(4), { arrivalS: 1, nodes: 2, within: 'rack' }),
        arrivalOf('short', cardsOf(4), { arrivalS: 2, nodes: 3 }),
      ],
      { fleet: { nodes: [...racks.nodes, nodeOf('n-4', 4)] } },
    )
    expect(waiting).toEqual([
      { name: 'apart', reason: 'gang-apart' },
      { name: 'short', reason: 'gang-short' },
    ])
  })
})
