import { describe, expect, test } from 'vitest'
import type { Fleet, Request, Spot } from '../../fleet/fleet.ts'
import { nvswitch, pairedNvlink } from '../../fleet/topology/presets.ts'
import { bestFit } from './best-fit.ts'
import { IDLE } from './card-code.ts'
import { FastPacker } from './fast.ts'
import { asks, cards, fleet, node, share, slice } from './fleet.suite.ts'
import { bestOf, capacityOf, freshCodes, ranksOf, type Packer, type PackerOptions } from './packer.ts'
import { ReferencePacker } from './reference.ts'

const FAILING = { health: 'failing', parts: 'share' } as const

describe.each([
  ['fast', (nodes: Fleet, options?: Partial<PackerOptions>) => new FastPacker(nodes, { policy: bestFit, ...options })],
  [
    'reference',
    (nodes: Fleet, options?: Partial<PackerOptions>) => new ReferencePacker(nodes, { policy: bestFit, ...options }),
  ],
])('the %s engine', (_, make: (nodes: Fleet, options?: Partial<PackerOptions>) => Packer) => {
  describe('placing', () => {
    test('fills a node until nothing fits any more', () => {
      const packer = make(fleet(node('a')))
      expect([share(600), share(400), share(600), share(500)].map((part) => packer.place(asks(1, part)))).toEqual([
        { node: 0, cards: [0], taken: share(600) },
        { node: 0, cards: [0], taken: share(400) },
        { node: 0, cards: [1], taken: share(600) },
        undefined,
      ])
    })

    test('says which cards, and that nothing less than the whole of them was taken', () => {
      const packer = make(fleet(node('a', { cards: cards(4) })))
      packer.place(asks(1))
      expect(packer.place(asks(2))).toEqual({ node: 0, cards: [1, 2], taken: undefined })
      expect(packer.place(asks(0))).toEqual({ node: 0, cards: [], taken: undefined })
    })

    test('names a slice as the driver does', () => {
      const packer = make(fleet(node('a', { model: 'rtx-pro-6000-server', cards: cards(1, 'mig') })))
      const spots = [1, 2, 3, 4, 5].map(() => packer.place(asks(1, slice(10)))?.taken)
      expect(spots.map((taken) => (taken?.kind === 'slice' ? taken.profile : taken))).toEqual([
        '1g.24gb',
        '1g.24gb',
        '1g.24gb',
        '1g.24gb',
        undefined,
      ])
      const starts = spots.flatMap((taken) => (taken?.kind === 'slice' ? [taken.start] : []))
      expect(starts.toSorted((one, two) => one - two)).toEqual([0, 3, 6, 9])
    })

    test('by kind gives the node, and the spot to who asks for it', () => {
      const packer = make(fleet(node('a'), node('b')))
      const kind = packer.kinds.of(asks(2))
      expect([packer.placeKind(kind), packer.lastSpot()]).toEqual([0, { node: 0, cards: [0, 1], taken: undefined }])
      expect([packer.placeKind(kind), packer.lastSpot().node]).toEqual([1, 1])
      expect(packer.placeKind(kind)).toBe(-1)
      expect(packer.lastSpot().node).toBe(1)
    })

    test('there is no last spot before the first', () => {
      expect(() => make(fleet(node('a'))).lastSpot()).toThrow('nothing has been placed yet')
    })

    test('uses no card that fails', () => {
      const packer = make(fleet(node('a', { cards: [FAILING, ...cards(1), FAILING] })))
      expect(packer.place(asks(1, share(100)))?.cards).toEqual([1])
      expect(packer.place(asks(1, share(900)))?.cards).toEqual([1])
      expect(packer.place(asks(1, share(1)))).toBeUndefined()
    })

    test('takes cards that lie near each other', () => {
      const layout = pairedNvlink({ cards: 4, gbps: 300, facts: { target: '8.0', pcieGen: 4 } })
      const packer = make(fleet(node('a', { cards: cards(4), layout })))
      packer.occupy(asks(1), { node: 0, cards: [0], taken: undefined })
      expect(packer.place(asks(2))?.cards).toEqual([2, 3])
    })

    test('a fleet without nodes has no room', () => {
      expect(make(fleet()).place(asks(0))).toBeUndefined()
    })
  })

  describe('ties between nodes', () => {
    const alike = fleet(node('c'), node('a'), node('b'))

    test('are broken by id', () => {
      const packer = make(alike)
      expect([0, 1, 2].map(() => packer.place(asks(2))?.node)).toEqual([1, 2, 0])
    })

    test('or by the ranks that are given', () => {
      const packer = make(alike, { ranks: [1, 2, 0] })
      expect([0, 1, 2].map(() => packer.place(asks(2))?.node)).toEqual([2, 0, 1])
    })

    test('a node is as good as before when what came has left', () => {
      const packer = make(alike)
      const spot = packer.place(asks(2))
      if (spot !== undefined) packer.release(asks(2), spot)
      expect(packer.place(asks(2))).toEqual(spot)
    })
  })

  describe('placing on one of some nodes', () => {
    test('leaves the others alone', () => {
      const packer = make(fleet(node('a'), node('b'), node('c')))
      const kind = packer.kinds.of(asks(2))
      expect([packer.placeAmong(kind, [2, 1]), packer.lastSpot().node]).toEqual([1, 1])
      expect(packer.placeAmong(kind, [1])).toBe(-1)
      expect(packer.placeAmong(kind, [1, 2])).toBe(2)
      expect(packer.placeAmong(kind, [])).toBe(-1)
      expect(packer.placeKind(kind)).toBe(0)
    })

    test('prefers the better of them', () => {
      const packer = make(fleet(node('a'), node('b'), node('c')))
      packer.occupy(asks(1), { node: 2, cards: [1], taken: undefined })
      expect(packer.placeAmong(packer.kinds.of(asks(1)), [0, 2])).toBe(2)
    })
  })

  describe('asking', () => {
    test('tells which nodes fit, and takes nothing', () => {
      const packer = make(fleet(node('a', { cards: cards(1) }), node('b')))
      const [one, two] = [packer.kinds.of(asks(1)), packer.kinds.of(asks(2))]
      expect([packer.fits(one, 0), packer.fits(two, 0), packer.fits(two, 1)]).toEqual([true, false, true])
      expect(packer.score(two, 0)).toBe(Number.NEGATIVE_INFINITY)
      expect(packer.score(one, 0)).toBeGreaterThan(packer.score(one, 1))
      expect(packer.place(asks(2))?.node).toBe(1)
      expect(packer.fits(two, 1)).toBe(false)
    })
  })

  describe('what runs already', () => {
    const cut = { model: 'h100-sxm', cards: cards(1, 'mig') }
    const half = { kind: 'slice', profile: '3g.40gb', start: 4 } as const

    test.each<[string, Request, Spot['taken']]>([
      ['cards', asks(1), undefined],
      ['a share', asks(1, share(700)), { kind: 'share', milli: 700 }],
    ])('keeps its room and gives it back: %s', (__, request, taken) => {
      const packer = make(fleet(node('a', { cards: cards(1), cpuMilli: 200, memoryMib: 200 })))
      const kind = packer.kinds.of(asks(1))
      packer.occupy(request, { node: 0, cards: [0], taken })
      expect(packer.fits(kind, 0)).toBe(false)
      packer.release(request, { node: 0, cards: [0], taken })
      expect(packer.fits(kind, 0)).toBe(true)
    })

    test('keeps its CPU, memory and disk and gives them back', () => {
      const request = asks(0, { kind: 'whole' }, { cpuMilli: 6, memoryMib: 6, diskMib: 6 })
      const packer = make(fleet(node('a', { cpuMilli: 10, memoryMib: 10, diskMib: 10 })))
      const lacks = (what: Partial<Request>): boolean =>
        !packer.fits(packer.kinds.of({ ...request, cpuMilli: 0, memoryMib: 0, diskMib: 0, ...what }), 0)
      const each = (amount: number): readonly boolean[] => [
        lacks({ cpuMilli: amount }),
        lacks({ memoryMib: amount }),
        lacks({ diskMib: amount }),
      ]
      packer.occupy(request, { node: 0, cards: [], taken: undefined })
      expect([each(4), each(5)].flat()).toEqual([false, false, false, true, true, true])
      packer.release(request, { node: 0, cards: [], taken: undefined })
      expect([each(10), each(11)].flat()).toEqual([false, false, false, true, true, true])
    })

    test('keeps its slice and gives it back', () => {
      const packer = make(fleet(node('a', cut)))
      packer.occupy(asks(1, slice(40)), { node: 0, cards: [0], taken: half })
      expect(packer.place(asks(1, slice(40)))?.taken).toEqual({ ...half, start: 0 })
      expect(packer.place(asks(1, slice(10)))).toBeUndefined()
      packer.release(asks(1, slice(40)), { node: 0, cards: [0], taken: half })
      expect(packer.place(asks(1, slice(40)))?.taken).toEqual(half)
    })

    test('is not a slice of a card that is taken as a whole', () => {
      const packer = make(fleet(node('a', cut)))
      packer.occupy(asks(1), { node: 0, cards: [0], taken: undefined })
      for (const start of [0, 1, 2, 3, 4, 5, 6]) {
        const taken = { kind: 'slice', profile: '1g.10gb', start } as const
        expect(() => packer.occupy(asks(1, slice(10)), { node: 0, cards: [0], taken })).toThrow('no room for a slice')
      }
    })

    test('must be where there is room', () => {
      const packer = make(fleet(node('a', cut), node('b')))
      packer.occupy(asks(1, slice(40)), { node: 0, cards: [0], taken: half })
      packer.occupy(asks(1, share(500)), { node: 1, cards: [0], taken: { kind: 'share', milli: 500 } })
      const laid = (request: Request, spot: Spot) => () => packer.occupy(request, spot)
      expect(laid(asks(1, slice(40)), { node: 0, cards: [0], taken: half })).toThrow('no room for a slice')
      expect(laid(asks(1), { node: 0, cards: [0], taken: undefined })).toThrow('card 0 is not idle')
      expect(laid(asks(1), { node: 1, cards: [0], taken: undefined })).toThrow('card 0 is not idle')
      const more = { kind: 'share', milli: 501 } as const
      expect(laid(asks(1, share(501)), { node: 1, cards: [0], taken: more })).toThrow('no room for a share')
      expect(laid(asks(1, slice(40)), { node: 0, cards: [0], taken: { ...half, start: 2 } })).toThrow(
        'a slice is where its profile may be',
      )
      expect(laid(asks(1, slice(40)), { node: 1, cards: [1], taken: half })).toThrow('only cards with rules are cut')
      const some = { kind: 'share', milli: 100 } as const
      expect(laid(asks(1, share(100)), { node: 0, cards: [0], taken: some })).toThrow('no room for a share')
    })
  })
})

describe('ranks', () => {
  test('go by id, in the order of its letters', () => {
    expect(ranksOf(fleet(node('b'), node('a-2'), node('B'), node('a-10')))).toEqual([3, 2, 0, 1])
  })

  test('go by place where ids are the same', () => {
    expect(ranksOf(fleet(node('a'), node('a')))).toEqual([0, 1])
  })
})

describe('the best of some nodes', () => {
  const rank = (one: number): number => 10 - one

  test('has the highest score, of equals the lowest rank, whatever order they are asked in', () => {
    const scores = [5, 7, 7, -1]
    const score = (one: number): number => scores[one] ?? Number.NaN
    expect(bestOf([0, 1, 2, 3], { score, rank })).toBe(2)
    expect(bestOf([3, 2, 1, 0], { score, rank })).toBe(2)
    expect(bestOf([3], { score, rank })).toBe(3)
  })

  test('is none where nothing fits', () => {
    expect(bestOf([1, 2], { score: () => Number.NEGATIVE_INFINITY, rank })).toBe(-1)
  })
})

test('a fresh node is idle, but for the cards that fail', () => {
  const codes = new Int16Array(5).fill(7)
  const health = ['ok', 'failing', 'degraded', undefined] as const
  freshCodes(node('a', { cards: health.map((one) => ({ health: one, parts: 'none' })) }), codes, 1)
  expect([...codes]).toEqual([7, IDLE, 0, IDLE, IDLE])
})

test('the capacity of a fleet is the sum of its nodes', () => {
  const layout = nvswitch({ cards: 2, gbps: 450, sockets: 2 })
  const nodes = fleet(node('a', { cpuMilli: 3, memoryMib: 5, layout }), node('b', { cpuMilli: 4, memoryMib: 6 }))
  expect(capacityOf(nodes)).toEqual({ cards: 4, cpu: 7, memory: 11 })
})
