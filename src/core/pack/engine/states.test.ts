import { describe, expect, test } from 'vitest'
import { nvswitch } from '../../fleet/topology/presets.ts'
import { IDLE } from './card-code.ts'
import { cards, node } from './fleet.suite.ts'
import { shapesOf, States } from './states.ts'

const WIRED = nvswitch({ cards: 2, gbps: 450, sockets: 2 })

describe('shapes of nodes', () => {
  test('are shared by nodes that differ in name, room and domains only', () => {
    const { shapes, of } = shapesOf([node('a'), node('b', { cpuMilli: 1, memoryMib: 1, diskMib: 1 })])
    expect(shapes).toHaveLength(1)
    expect(of[0]).toBe(of[1])
  })

  test.each([
    ['model', { model: 'other' }],
    ['no model', { model: undefined }],
    ['parts', { cards: cards(2, 'none') }],
    ['number of cards', { cards: cards(3) }],
    ['wiring', { layout: WIRED }],
  ])('are told apart by %s', (_, change) => {
    const { shapes, of } = shapesOf([node('a'), node('b', change)])
    expect(shapes).toHaveLength(2)
    expect(of[0]).not.toBe(of[1])
    expect(shapes.map(({ id }) => id)).toEqual([0, 1])
  })

  test('are told apart where nodes share the description of their cards, too', () => {
    const same = { cards: cards(2) }
    const nodes = [
      node('a', same),
      node('b', { ...same, model: 'other' }),
      node('c', same),
      node('d', { ...same, layout: WIRED }),
      node('e', { ...same, layout: WIRED }),
      node('f', same),
      node('g', same),
    ]
    expect(shapesOf(nodes).of.map(({ id }) => id)).toEqual([0, 1, 0, 2, 2, 0, 0])
  })

  test('have at most 31 cards, because sets of cards are bits of a number', () => {
    expect(shapesOf([node('a', { cards: cards(31) })]).of[0]?.cards).toBe(31)
    expect(() => shapesOf([node('a', { cards: cards(32) })])).toThrow('node a has more than 31 cards')
  })

  test('have tables where the wiring is known', () => {
    const { of } = shapesOf([node('a', { layout: WIRED }), node('b')])
    expect(of.map(({ tables }) => tables?.cards)).toEqual([2, undefined])
  })

  test('lie in pools of one model that is divided in one way, however many cards a node has', () => {
    const nodes = [node('a'), node('b', { cards: cards(4) }), node('c', { cards: cards(2, 'mig') }), node('d')]
    const { pools, of } = shapesOf(nodes.map((one) => ({ ...one, model: 'h100-sxm' })))
    expect(of.map(({ pool }) => pool)).toEqual([0, 0, 1, 0])
    expect(pools.map(({ model, cards: { parts } }) => [model, parts])).toEqual([
      ['h100-sxm', 'share'],
      ['h100-sxm', 'mig'],
    ])
  })

  test('a node whose cards are divided in different ways is not divided at all', () => {
    const { pools } = shapesOf([node('a', { cards: [...cards(1, 'share'), ...cards(1, 'mig')] })])
    expect(pools[0]?.cards.parts).toBe('none')
  })
})

describe('rows of states', () => {
  test('keep what is in them when there are twice as many', () => {
    const states = new States(2, 3)
    const [shape] = shapesOf([node('a')]).shapes
    if (shape !== undefined) states.setShape(1, shape)
    states.codes.set([IDLE, 500, 7], 3)
    states.countIdle(1)
    for (const column of [states.cpu, states.memory, states.disk, states.worth, states.value]) column[1] = 42
    states.double()
    expect(states.rows).toBe(4)
    expect(states.shape[1]).toBe(shape)
    expect([states.cards[1], states.idle[1]]).toEqual([2, 1])
    expect([...states.codes]).toEqual([0, 0, 0, IDLE, 500, 7, 0, 0, 0, 0, 0, 0])
    for (const column of [states.cpu, states.memory, states.disk, states.worth, states.value])
      expect([...column]).toEqual([0, 42, 0, 0])
  })

  test('count the cards that are idle, and only cards that are there', () => {
    const states = new States(1, 4)
    const [shape] = shapesOf([node('a', { cards: cards(3) })]).shapes
    if (shape !== undefined) states.setShape(0, shape)
    states.codes.set([IDLE, 999, IDLE, IDLE])
    states.countIdle(0)
    expect(states.idle[0]).toBe(2)
    states.codes[0] = IDLE + 1
    states.countIdle(0)
    expect(states.idle[0]).toBe(1)
  })
})
