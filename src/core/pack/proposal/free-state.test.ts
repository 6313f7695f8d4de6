import { describe, expect, test } from 'vitest'
import type { FleetNode, Request, Tenant } from '../../fleet/fleet.ts'
import { fitsAt, fitsOn, freeStateOf, without, withLodger } from './free-state.ts'
import { asks, cutNode, MIG, node, PAIRS, RULES, share, SHARED, slice, tenant } from './proposal.suite.ts'

function spotOn(about: FleetNode, tenants: readonly Tenant[], request: Request) {
  return fitsOn(freeStateOf({ nodes: [about] }, tenants, RULES), 0, request)
}

describe('a spot on a node', () => {
  test('needs CPU, memory and disk', () => {
    const small = node('a', 0, { cpuMilli: 2000, memoryMib: 2000, diskMib: 2000 })
    expect(spotOn(small, [], asks(0, undefined, { cpuMilli: 2000 }))).toEqual({ node: 0, cards: [], taken: undefined })
    expect(spotOn(small, [], asks(0, undefined, { cpuMilli: 2001 }))).toBeUndefined()
    expect(spotOn(small, [], asks(0, undefined, { memoryMib: 2001 }))).toBeUndefined()
    expect(spotOn(small, [], asks(0, undefined, { diskMib: 2000 }))).toBeDefined()
    expect(spotOn(small, [], asks(0, undefined, { diskMib: 2001 }))).toBeUndefined()
  })

  test('is not on a disk of unknown size, unless none is needed', () => {
    const unknown = node('a', 0, { diskMib: undefined })
    expect(spotOn(unknown, [], asks(0))).toBeDefined()
    expect(spotOn(unknown, [], asks(0, undefined, { diskMib: 1 }))).toBeUndefined()
  })

  test('has the right model, whether cards are asked for or not', () => {
    const h100 = { models: ['h100'] }
    expect(spotOn(node('a', 1), [], asks(1, undefined, h100))).toBeUndefined()
    expect(spotOn(node('a', 1, { model: 'h100' }), [], asks(1, undefined, h100))).toBeDefined()
    expect(spotOn(node('a', 1, { model: undefined }), [], asks(1, undefined, h100))).toBeUndefined()
    expect(spotOn(node('a', 1), [], asks(0, undefined, h100))).toBeUndefined()
    expect(spotOn(node('a', 1, { model: 'h100' }), [], asks(0, undefined, h100))?.cards).toEqual([])
  })

  test('is never on a failing card', () => {
    const cards = [{ health: 'failing', parts: 'share' } as const, SHARED]
    expect(spotOn(node('a', 2, { cards }), [], asks(1))?.cards).toEqual([1])
    expect(spotOn(node('a', 2, { cards }), [], asks(2))).toBeUndefined()
    expect(spotOn(node('a', 2, { cards }), [], asks(2, share(100)))).toBeUndefined()
  })

  test('of whole cards is as well joined as can be', () => {
    const wired = node('a', 4, { layout: PAIRS })
    expect(spotOn(wired, [tenant('x', 'n0:0')], asks(2))?.cards).toEqual([2, 3])
    expect(spotOn(node('a', 4), [tenant('x', 'n0:0')], asks(2))?.cards).toEqual([1, 2])
  })

  test('of a share is on the card that has least to spare', () => {
    const tenants = [tenant('x', 'n0:1/300'), tenant('y', 'n0:2/600')]
    expect(spotOn(node('a', 3), tenants, asks(1, share(400)))).toEqual({ node: 0, cards: [2], taken: share(400) })
    expect(spotOn(node('a', 3), tenants, asks(1, share(500)))?.cards).toEqual([1])
    expect(spotOn(node('a', 3), tenants, asks(1, share(800)))?.cards).toEqual([0])
  })

  test('of shares is on as many cards as are asked for', () => {
    expect(spotOn(node('a', 3), [tenant('x', 'n0:1/300')], asks(3, share(500)))?.cards).toEqual([0, 1, 2])
    expect(spotOn(node('a', 3), [tenant('x', 'n0:1/600')], asks(3, share(500)))).toBeUndefined()
  })

  test('of all of a card as a share is the whole card, on any kind of card', () => {
    const cards = [{ health: 'ok', parts: 'none' } as const]
    const all = { node: 0, cards: [0], taken: undefined }
    expect(spotOn(node('a', 1, { cards }), [], asks(1, share(1000)))).toEqual(all)
    expect(spotOn(node('a', 1, { cards }), [], asks(1, share(999)))).toBeUndefined()
  })

  test('of a slice is beside other slices before it opens a card', () => {
    const tenants = [tenant('x', 'n0:1@2g.20gb+2')]
    const spot = spotOn(cutNode('a', 2), tenants, asks(1, slice(20)))
    expect(spot).toEqual({ node: 0, cards: [1], taken: { kind: 'slice', profile: '2g.20gb', start: 0 } })
  })

  test('of a slice that is larger than any, or finds no place, is none', () => {
    expect(spotOn(cutNode('a', 1), [], asks(1, slice(41)))).toBeUndefined()
    const tenants = [tenant('x', 'n0:0@1g.10gb+1'), tenant('y', 'n0:0@1g.10gb+3')]
    expect(spotOn(cutNode('a', 1), tenants, asks(1, slice(20)))).toBeUndefined()
    expect(spotOn(cutNode('a', 1), tenants, asks(1, slice(10)))?.taken).toMatchObject({ start: 0 })
  })

  test('of a slice is the whole of a card that cannot be cut', () => {
    expect(spotOn(node('a', 1), [], asks(1, slice(24)))).toEqual({ node: 0, cards: [0], taken: undefined })
    expect(spotOn(node('a', 1, { cards: [MIG] }), [], asks(1, slice(24)))?.taken).toBeUndefined()
    expect(spotOn(node('a', 1), [tenant('x', 'n0:0/100')], asks(1, slice(24)))).toBeUndefined()
  })

  test('of a slice is a slice where there is a choice', () => {
    const mixed = cutNode('a', 2, { cards: [SHARED, MIG] })
    expect(spotOn(mixed, [], asks(1, slice(10)))).toMatchObject({ cards: [1], taken: { profile: '1g.10gb' } })
    expect(spotOn(mixed, [tenant('x', 'n0:1')], asks(1, slice(10)))).toMatchObject({ cards: [0], taken: undefined })
  })
})

describe('a state', () => {
  const fleet = { nodes: [node('a', 2), cutNode('b', 1)] }
  const tenants = [tenant('x', 'n0:0/300'), tenant('y', 'n1:0@1g.10gb+0'), tenant('z', 'n0:1')]

  test('is the same after a lodger has come and gone', () => {
    const state = freeStateOf(fleet, tenants, RULES)
    const guest = tenant('guest', 'n1:0@2g.20gb+2')
    expect(without(withLodger(state, guest), guest)).toEqual(state)
  })

  test('does not say that something fits where it overlaps', () => {
    const state = freeStateOf(fleet, tenants, RULES)
    expect(fitsAt(state, asks(1, share(700)), tenant('g', 'n0:0/700').spot)).toBe(true)
    expect(fitsAt(state, asks(1, share(701)), tenant('g', 'n0:0/701').spot)).toBe(false)
    expect(fitsAt(state, asks(1, slice(10)), tenant('g', 'n1:0@1g.10gb+0').spot)).toBe(false)
    expect(fitsAt(state, asks(1), tenant('g', 'n0:1').spot)).toBe(false)
  })

  test('does not take a spot that is not what was asked for', () => {
    const state = freeStateOf({ nodes: [node('a', 4)] }, [], RULES)
    const spot = { node: 0, cards: [1, 2], taken: undefined }
    expect(fitsAt(state, asks(2), spot)).toBe(true)
    expect(fitsAt(state, asks(1), spot)).toBe(false)
    expect(fitsAt(state, asks(2), { ...spot, cards: [2, 1] })).toBe(false)
    expect(fitsAt(state, asks(2), { ...spot, cards: [2, 2] })).toBe(false)
    expect(fitsAt(state, asks(2), { ...spot, cards: [2, 4] })).toBe(false)
    expect(fitsAt(state, asks(2, share(500)), spot)).toBe(false)
    expect(fitsAt(state, asks(2, share(500)), { ...spot, taken: { kind: 'share', milli: 400 } })).toBe(false)
  })

  test('takes what it finds as it is, and then nothing fits', () => {
    const cards = [{ health: 'failing', parts: 'share' } as const]
    const crowded = freeStateOf({ nodes: [node('a', 1, { cards })] }, [tenant('x', 'n0:0'), tenant('y', 'n0:0')], RULES)
    expect(crowded.nodes[0]?.cards[0]?.freeMilli).toBe(-1000)
    expect(fitsOn(crowded, 0, asks(1, share(1)))).toBeUndefined()
  })

  test('of a slice that is not there cannot be had without it', () => {
    expect(() => without(freeStateOf(fleet, [], RULES), tenant('g', 'n1:0@1g.10gb+0'))).toThrow('the slice is there')
  })
})
