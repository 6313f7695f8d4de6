import { describe, expect, test } from 'vitest'
import { asks, cards, fleet, node, share, slice } from './fleet.suite.ts'
import { Kinds } from './kinds.ts'
import { shapesOf } from './states.ts'

/** Pools: cut, shared, undivided, and no cards at all. */
const FLEET = fleet(
  node('cut', { model: 'h100-sxm', cards: cards(2, 'mig') }),
  node('shared', { model: 'l40s' }),
  node('undivided', { model: 'h100-sxm', cards: cards(2, 'none') }),
  node('bare', { model: undefined, cards: [] }),
)
const ALL = [true, true, true, true]

describe('a kind of work', () => {
  test('is the same for requests that ask for the same, and another for any difference', () => {
    const kinds = kindsOf()
    const first = kinds.of(asks(1, share(500)))
    expect(kinds.of(asks(1, share(500)))).toBe(first)
    const different = [
      asks(1, share(501)),
      asks(2, share(500)),
      asks(1, slice(500)),
      asks(1),
      asks(0),
      asks(1, share(500), { cpuMilli: 101 }),
      asks(1, share(500), { memoryMib: 101 }),
      asks(1, share(500), { diskMib: 1 }),
      asks(1, share(500), { models: ['l40s'] }),
      asks(1, share(500), { models: [] }),
    ].map((request) => kinds.of(request).id)
    expect(different).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(kinds.all.map(({ id }) => id)).toEqual([0, ...different])
  })

  test('knows what it asks for', () => {
    const request = asks(2, share(300), { cpuMilli: 7, memoryMib: 8, diskMib: 9 })
    expect(kindsOf().of(request)).toMatchObject({ request, count: 2, cpu: 7, memory: 8, disk: 9 })
  })

  test.each([
    ['a whole card', asks(1), ALL],
    ['no card', asks(0), ALL],
    ['part of no card', asks(0, share(500)), ALL],
    ['a share', asks(1, share(500)), [false, true, false, false]],
    ['a share that is all of it', asks(1, share(1000)), ALL],
    ['a slice, or a card that is not cut', asks(1, slice(10)), ALL],
    ['a slice that no cut card has', asks(1, slice(100)), [false, true, true, true]],
    ['one model', asks(1, { kind: 'whole' }, { models: ['l40s'] }), [false, true, false, false]],
    ['a model with two pools', asks(1, { kind: 'whole' }, { models: ['h100-sxm'] }), [true, false, true, false]],
    ['a model, but no card of it', asks(0, { kind: 'whole' }, { models: ['l40s'] }), [false, true, false, false]],
    ['two models', asks(1, { kind: 'whole' }, { models: ['l40s', 'h100-sxm'] }), [true, true, true, false]],
    ['no model at all', asks(1, { kind: 'whole' }, { models: [] }), [false, false, false, false]],
  ])('may use the pools that could ever meet it: %s', (_, request, allowed) => {
    const kinds = kindsOf()
    const { on, list } = kinds.of(request)
    expect(on.map((demand) => demand !== undefined)).toEqual(allowed)
    expect(kinds.lists[list]).toEqual(allowed)
  })

  test('takes part of a card only where that can be had', () => {
    const wholes = kindsOf()
      .of(asks(1, slice(10)))
      .on.map((demand) => demand?.whole)
    expect(wholes).toEqual([false, true, true, true])
  })
})

describe('several slices', () => {
  test('are whole cards, because slices of two cards cannot talk to each other', () => {
    expect(wholesOf(kindsOf(), 2)).toEqual([true, true, true, true])
  })

  test('are whole cards after a single slice has been asked for, and the other way round', () => {
    const kinds = kindsOf()
    expect(wholesOf(kinds, 1)).toEqual([false, true, true, true])
    expect(wholesOf(kinds, 2)).toEqual([true, true, true, true])
    const others = kindsOf()
    expect(wholesOf(others, 2)).toEqual([true, true, true, true])
    expect(wholesOf(others, 1)).toEqual([false, true, true, true])
  })
})

describe('lists of allowed pools', () => {
  test('are shared by kinds with the same choice', () => {
    const kinds = kindsOf()
    const lists = [asks(1), asks(4), asks(1, share(500)), asks(1, share(10)), asks(0)].map((one) => kinds.of(one).list)
    expect(lists).toEqual([0, 0, 1, 1, 0])
    expect(kinds.lists).toHaveLength(2)
  })

  test('demands are worked out once for all kinds that ask the same of a card', () => {
    const kinds = kindsOf()
    const [one, two] = [asks(1, share(500)), asks(1, share(500), { cpuMilli: 1, models: ['l40s'] })]
    expect(kinds.of(one).on[1]).toBe(kinds.of(two).on[1])
  })
})

function kindsOf(): Kinds {
  return new Kinds(shapesOf(FLEET.nodes).pools)
}

function wholesOf(kinds: Kinds, count: number): readonly (boolean | undefined)[] {
  return kinds.of(asks(count, slice(10))).on.map((demand) => demand?.whole)
}
