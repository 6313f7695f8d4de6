import { describe, expect, test } from 'vitest'
import type { Layout } from '../layout.ts'
import { cardTables } from './card-tables.ts'
import { choose, chooseCards, crossed, looseness } from './choose-cards.ts'
import { crosses, whole } from './choose-cards.suite.ts'
import { dualSocketPcie, hybridCubeMesh, nvswitch, pairedNvlink } from './presets.ts'
import { wire } from './wire.ts'

const FACTS = { target: '8.0', pcieGen: 4 }
const SWITCHED = nvswitch({ cards: 8, gbps: 450, sockets: 2 })
const PCIE = dualSocketPcie({ cards: 8, perSwitch: 2, facts: FACTS })
const BRIDGED = pairedNvlink({ cards: 8, gbps: 300, facts: FACTS })
const MESH = hybridCubeMesh()
const NOWHERE = { numa: () => undefined, pcieSwitch: () => undefined, nics: [] }

describe('the cards chosen', () => {
  test.each<[string, Layout, number, number, number]>([
    ['a pair under one switch, not the lowest two', PCIE, 0b0011_1010, 2, 0b0011_0000],
    ['four on one socket', PCIE, 0b1111_0111, 4, 0b1111_0000],
    ['a bridged pair', BRIDGED, 0b1100_0110, 2, 0b1100_0000],
    ['two that share a double link', MESH, 0b0001_0011, 2, 0b0001_0001],
    ['four that are all linked', MESH, 0b1111_1101, 4, 0b1111_0000],
    ['all there are', PCIE, 0xff, 8, 0xff],
  ])('%s: the slowest pair decides', (_, layout, free, count, set) => {
    expect(chooseCards(layout, free, count)).toBe(set)
  })

  test('have the fastest pairs in all when the slowest is the same', () => {
    // Three cards on two sockets: two of them under one switch are better than none.
    expect(chooseCards(PCIE, 0b0101_0011, 3)).toBe(0b0001_0011)
    expect(chooseCards(BRIDGED, 0b0101_0011, 3)).toBe(0b0001_0011)
  })

  test('are the fast ones of a large island before the slow ones of a small one', () => {
    const speed = (one: number, two: number) => (two < 4 ? 300 : one >= 4 ? 50 : 8)
    const layout = wire({ kind: 'fast-four-slow-two', cards: 6, gbps: speed, ...NOWHERE })
    expect(chooseCards(layout, 0b11_1111, 2)).toBe(0b0011)
  })

  test('take a fast pair in, though it would have been left whole', () => {
    const speed = (one: number, two: number) => (one === 1 && two === 3 ? 300 : 50)
    const layout = wire({ kind: 'fast-pair', cards: 5, gbps: speed, ...NOWHERE })
    expect(chooseCards(layout, 0b1_1111, 3)).toBe(0b0_1011)
  })

  test('come out of the smallest island that holds them', () => {
    const island = (card: number) => (card < 4 ? 0 : 1)
    const layout = wire({
      kind: 'four-and-two',
      cards: 6,
      gbps: (one, two) => (island(one) === island(two) ? 50 : 8),
      ...NOWHERE,
    })
    expect(chooseCards(layout, 0b11_1111, 2)).toBe(0b11_0000)
    expect(chooseCards(layout, 0b11_1111, 3)).toBe(0b0111)
    expect(chooseCards(layout, 0b11_0011, 2)).toBe(0b11_0000)
    // A single card needs no island: it comes from the one that is broken.
    expect(chooseCards(layout, 0b11_0001, 1)).toBe(0b0001)
  })

  test.each<[string, Layout, number, number, number]>([
    ['one card from the broken pair', BRIDGED, 0b1111_1011, 1, 0b1000],
    ['one card from the broken socket, and there from the broken pair', PCIE, 0b1011_1111, 1, 0b1000_0000],
    ['a pair from the socket that has one gone already', PCIE, 0b0011_1111, 2, 0b0011_0000],
    ['three from the socket that is broken anyway', PCIE, 0b0111_1111, 3, 0b0111_0000],
  ])('leave the large islands whole: %s', (_, layout, free, count, set) => {
    expect(chooseCards(layout, free, count)).toBe(set)
  })

  test('lie in one NUMA node, and leave the other one whole', () => {
    expect(chooseCards(SWITCHED, 0b1111_0001, 2)).toBe(0b0011_0000)
    expect(chooseCards(SWITCHED, 0b1110_1111, 1)).toBe(0b0010_0000)
  })

  test('lie on one PCIe switch, then next to a NIC', () => {
    const board = { kind: 'board', cards: 4, gbps: () => 450, numa: () => 0, nics: [] }
    const pairs = wire({ ...board, pcieSwitch: (card) => card % 2 })
    expect(chooseCards(pairs, 0b1111, 2)).toBe(0b0101)
    const nics = wire({ ...board, pcieSwitch: (card) => card, nics: [{ name: 'a', numa: 1, pcieSwitch: 3 }] })
    expect(chooseCards(nics, 0b1111, 1)).toBe(0b1000)
    const sides = wire({
      ...board,
      numa: (card) => card >> 1,
      pcieSwitch: () => undefined,
      nics: [{ name: 'a', numa: 1, pcieSwitch: undefined }],
    })
    expect(chooseCards(sides, 0b1111, 1)).toBe(0b0100)
  })

  test('are the lowest when nothing else tells', () => {
    expect(chooseCards(nvswitch({ cards: 8, gbps: 450, sockets: undefined }), 0b1011_0100, 3)).toBe(0b0011_0100)
  })
})

describe('when it cannot be', () => {
  test('too few are free, or none is asked for: no cards', () => {
    expect(chooseCards(PCIE, 0b111, 4)).toBe(0)
    expect(chooseCards(PCIE, 0, 1)).toBe(0)
    expect(chooseCards(PCIE, 0xff, 9)).toBe(0)
    expect(chooseCards(PCIE, 0xff, 0)).toBe(0)
    expect(chooseCards(undefined, 0b111, 4)).toBe(0)
  })

  test('cards the layout does not have are not chosen', () => {
    expect(chooseCards(PCIE, 0b11_0000_0000, 2)).toBe(0)
    expect(chooseCards(PCIE, 0b11_0001_0000, 1)).toBe(0b1_0000)
  })
})

describe('a node nobody knows', () => {
  test('gives its lowest cards, crosses nothing and has nothing to keep whole', () => {
    expect(chooseCards(undefined, 0b1011_0100, 2)).toBe(0b0001_0100)
    expect(crosses(undefined, 0b1000_0001)).toBe(0)
    expect(whole(undefined, 0xff)).toBe(0)
  })

  test('and one with more cards than can be tried does the same', () => {
    const large = nvswitch({ cards: 20, gbps: 100, sockets: 2 })
    expect(chooseCards(large, 0xf_ff00, 3)).toBe(0x700)
    expect(crosses(large, 0x8_0001)).toBe(0)
  })

  test('and one with a layout that tells nothing does the same', () => {
    const dark = wire({ kind: 'dark', cards: 8, gbps: () => 0, ...NOWHERE })
    for (let free = 0; free < 256; free++) {
      for (let count = 1; count <= 8; count++) {
        expect(chooseCards(dark, free, count)).toBe(chooseCards(undefined, free, count))
      }
    }
    expect(crosses(dark, 0b1000_0001)).toBe(0)
  })
})

describe('crossing', () => {
  test.each<[string, Layout, number, number]>([
    ['nothing, a single card', PCIE, 0b1, 0],
    ['nothing, a pair under a switch', PCIE, 0b11, 0],
    ['one level, a pair on one socket', PCIE, 0b101, 1],
    ['two levels, a pair on two sockets', PCIE, 0b1_0001, 2],
    ['nothing, four on one socket: no four are nearer', PCIE, 0xf0, 0],
    ['one level, four on two sockets', PCIE, 0b11_0011, 1],
    ['nothing, all of them', PCIE, 0xff, 0],
    ['nothing, any on a switch', SWITCHED, 0b1000_0001, 0],
    ['one level, a single link where there are double ones', MESH, 0b11, 1],
    ['nothing, no cards', PCIE, 0, 0],
  ])('%s', (_, layout, set, levels) => {
    expect(crosses(layout, set)).toBe(levels)
  })

  test('can be asked of free cards at once', () => {
    const tables = cardTables(PCIE)
    expect(looseness(tables, 0b0001_0101, 2)).toBe(1)
    expect(looseness(tables, 0b0001_0001, 2)).toBe(2)
    expect(looseness(tables, 0b0001_0001, 3)).toBe(Infinity)
    expect(looseness(tables, 0, 0)).toBe(0)
    expect(choose(tables, 0b0011_1010, 2)).toBe(0b0011_0000)
    expect(crossed(tables, 0b1_0001)).toBe(2)
  })
})

describe('tables', () => {
  test('are shared by layouts with the same id', () => {
    expect(cardTables({ ...PCIE })).toBe(cardTables(PCIE))
    expect(cardTables(SWITCHED)).not.toBe(cardTables(PCIE))
  })

  test('are made anew when they were let go, with the same answers', () => {
    const before = cardTables(PCIE)
    for (let gbps = 1; gbps <= 256; gbps++) cardTables(nvswitch({ cards: 2, gbps, sockets: 1 }))
    expect(cardTables(PCIE)).not.toBe(before)
    expect(chooseCards(PCIE, 0b0011_1010, 2)).toBe(0b0011_0000)
  })
})
