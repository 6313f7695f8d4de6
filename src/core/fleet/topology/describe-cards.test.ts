import { describe, expect, test } from 'vitest'
import { describeCards, nearestNic, numaOf } from './describe-cards.ts'
import { dualSocketPcie, hybridCubeMesh, nvswitch } from './presets.ts'
import { wire } from './wire.ts'

const PCIE = dualSocketPcie({ cards: 8, perSwitch: 2, facts: { target: '8.0', pcieGen: 4 } })
const MESH = hybridCubeMesh()
const [FIRST, , THIRD] = MESH.nics

describe('the NUMA nodes of cards', () => {
  test('are listed once each, in order', () => {
    expect(numaOf(PCIE, 0b0011)).toEqual([0])
    expect(numaOf(PCIE, 0b1001_0001)).toEqual([0, 1])
    expect(numaOf(PCIE, 0)).toEqual([])
  })

  test('are unknown when that of one card is', () => {
    expect(numaOf(nvswitch({ cards: 4, gbps: 450, sockets: undefined }), 0b11)).toBeUndefined()
    const half = wire({
      kind: 'half',
      cards: 2,
      gbps: () => 1,
      numa: (card) => card || undefined,
      pcieSwitch: () => 0,
      nics: [],
    })
    expect(numaOf(half, 0b11)).toBeUndefined()
    expect(numaOf(half, 0b10)).toEqual([1])
  })
})

describe('the nearest NIC', () => {
  test('is on the switch of the cards, else in their NUMA node, else in the machine', () => {
    expect(nearestNic(MESH, 0b11_0000)).toEqual({ nic: THIRD, shares: 'switch' })
    expect(nearestNic(MESH, 0b0101)).toEqual({ nic: FIRST, shares: 'numa' })
    expect(nearestNic(MESH, 0b1_0001)).toEqual({ nic: FIRST, shares: 'machine' })
  })

  test('is the one most of the cards are near to', () => {
    expect(nearestNic(MESH, 0b0011_0001)).toEqual({ nic: THIRD, shares: 'machine' })
  })

  test('is none where there is none', () => {
    expect(nearestNic(PCIE, 0b11)).toBeUndefined()
    expect(nearestNic(MESH, 0)).toBeUndefined()
  })
})

describe('what there is to say about cards', () => {
  test('names the smallest island they are on', () => {
    expect(describeCards(PCIE, 0b1100)).toEqual({
      cards: [2, 3],
      island: { cards: [2, 3], gbps: 32 },
      gbps: 32,
      numa: [0],
      nic: undefined,
    })
    expect(describeCards(PCIE, 0b1001).island).toEqual({ cards: [0, 1, 2, 3], gbps: 20.8 })
    expect(describeCards(PCIE, 0b1_0001).island).toEqual({ cards: [0, 1, 2, 3, 4, 5, 6, 7], gbps: 16 })
  })

  test('tells the speed of the cards apart from that of a larger island', () => {
    const { gbps, island } = describeCards(MESH, 0b1101)
    expect(gbps).toBe(25)
    expect(island?.cards).toEqual([0, 1, 2, 3])
  })

  test('knows the island of a single card, and no speed', () => {
    expect(describeCards(PCIE, 0b10)).toMatchObject({ island: { cards: [0, 1] }, gbps: undefined })
  })

  test('says nothing where nothing is known', () => {
    const dark = wire({
      kind: 'dark',
      cards: 2,
      gbps: () => 0,
      numa: () => undefined,
      pcieSwitch: () => undefined,
      nics: [],
    })
    expect(describeCards(dark, 0b11)).toEqual({
      cards: [0, 1],
      island: undefined,
      gbps: undefined,
      numa: undefined,
      nic: undefined,
    })
  })
})
