import { describe, expect, test } from 'vitest'
import { fitsOn } from '../../cli/fleet/draw/fits.ts'
import { nodeWith, slice, tenantOn, used } from './draw.suite.ts'
import { useOf } from './use.ts'

describe('the use of a card', () => {
  test.each([
    ['none', [], 'free', 1000],
    ['none', [tenantOn('a', [0])], 'full', 0],
    ['share', [tenantOn('a', [0], { kind: 'share', milli: 300 })], 'partly', 700],
    [
      'share',
      [tenantOn('a', [0], { kind: 'share', milli: 300 }), tenantOn('b', [0], { kind: 'share', milli: 700 })],
      'full',
      0,
    ],
    ['mig', [tenantOn('a', [0], slice('1g.10gb', 0))], 'partly', 0],
    ['mig', [tenantOn('a', [0], slice('7g.80gb', 0))], 'full', 0],
    ['mig', [tenantOn('a', [0], slice('3g.40gb', 0)), tenantOn('b', [0], slice('3g.40gb', 4))], 'full', 0],
  ] as const)('with parts %s and %j is %s', (parts, tenants, state, freeMilli) => {
    expect(used(nodeWith(1, {}, { parts }), tenants).cards[0]).toMatchObject({ state, freeMilli })
  })

  test('that fails is neither free nor full, whatever runs on it', () => {
    const node = nodeWith(1, {}, { health: 'failing' })
    expect(used(node).cards[0]?.state).toBe('failing')
    expect(used(node, [tenantOn('a', [0])]).cards[0]?.state).toBe('failing')
  })

  test('lists its slices in the order they lie in', () => {
    const tenants = [tenantOn('b', [0], slice('3g.40gb', 4)), tenantOn('a', [0], slice('1g.10gb', 0))]
    const [card] = used(nodeWith(1, {}, { parts: 'mig' }), tenants).cards
    expect(card?.holders.map(({ name }) => name)).toEqual(['a', 'b'])
  })
})

test('a node has left what its tenants do not hold', () => {
  const node = nodeWith(2, { diskMib: 100 })
  const use = used(node, [tenantOn('a', [0]), tenantOn('b', [])])
  expect(use).toMatchObject({ cpuFreeMilli: 6000, memoryFreeMib: 63_488, diskFreeMib: 100 })
  expect(use.tenants).toHaveLength(2)
  expect(used(nodeWith(2)).diskFreeMib).toBeUndefined()
})

test('tenants are counted where they are', () => {
  const uses = useOf({ nodes: [nodeWith(1), nodeWith(1, { id: 'm' })] }, [
    { ...tenantOn('a', [0]), spot: { node: 1, cards: [0], taken: undefined } },
  ])
  expect(uses.map(({ cards }) => cards[0]?.state)).toEqual(['free', 'full'])
})

describe('what still fits on a card', () => {
  test.each([
    ['none', [], { kind: 'card', slices: [] }],
    ['none', [tenantOn('a', [0])], { kind: 'nothing' }],
    ['share', [tenantOn('a', [0], { kind: 'share', milli: 300 })], { kind: 'share', milli: 700 }],
    [
      'mig',
      [tenantOn('a', [0], slice('4g.40gb', 0)), tenantOn('b', [0], slice('1g.10gb', 4))],
      {
        kind: 'slices',
        slices: [
          { name: '1g.20gb', gib: 20, starts: [6] },
          { name: '1g.10gb', gib: 10, starts: [5, 6] },
        ],
      },
    ],
  ] as const)('with parts %s and %j', (parts, tenants, fits) => {
    const [card] = used(nodeWith(1, {}, { parts }), tenants).cards
    expect(card && fitsOn(card, 'h100-sxm')).toEqual(fits)
  })

  test('is every way to cut it, where it is idle', () => {
    const [card] = used(nodeWith(1, {}, { parts: 'mig' })).cards
    const fits = card && fitsOn(card, 'h100-sxm')
    expect(fits?.kind === 'card' && fits.slices.map(({ name }) => name)).toEqual([
      '7g.80gb',
      '4g.40gb',
      '3g.40gb',
      '2g.20gb',
      '1g.20gb',
      '1g.10gb',
    ])
  })
})
