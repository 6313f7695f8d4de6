import { describe, expect, test } from 'vitest'
import { nodeWith } from '../../fleet/draw.suite.ts'
import type { FleetNode } from '../../fleet/fleet.ts'
import { dualSocketPcie, hybridCubeMesh, nvswitch, pairedNvlink } from '../../fleet/topology/presets.ts'
import { bestLink, linkedCards } from './card-link.ts'

const FACTS = { target: '8.0', pcieGen: 4 }
const PAIRS = nodeWith(4, { model: 'a100-80-pcie', layout: pairedNvlink({ cards: 4, gbps: 300, facts: FACTS }) })

/** `2 nvlink, 4 pcie` */
function told(node: FleetNode, among: readonly number[]): string {
  return linkedCards(node, among)
    .map(({ count, link }) => `${count} ${link ?? '?'}`)
    .join(', ')
}

describe('how cards of a node can be had', () => {
  test('pairs with a bridge are two by NVLink, or all over PCIe', () => {
    expect(told(PAIRS, [0, 1, 2, 3])).toBe('4 pcie, 2 nvlink')
    expect(told(PAIRS, [0, 2, 3])).toBe('3 pcie, 2 nvlink')
    expect(told(PAIRS, [2, 3])).toBe('2 nvlink')
  })

  test('a pair of which one card is taken is none', () => {
    expect(told(PAIRS, [0, 2])).toBe('2 pcie')
  })

  test('a switch joins any of them', () => {
    const node = nodeWith(8, { layout: nvswitch({ cards: 8, gbps: 450, sockets: 2 }) })
    expect(told(node, [0, 1, 2, 3, 4, 5, 6, 7])).toBe('8 nvswitch')
    expect(told(node, [1, 6])).toBe('2 nvswitch')
  })

  test('two cards with a bridge have no switch between them', () => {
    const node = nodeWith(2, { model: 'a100-80-pcie', layout: pairedNvlink({ cards: 2, gbps: 300, facts: FACTS }) })
    expect(told(node, [0, 1])).toBe('2 nvlink')
  })

  test('a mesh joins four of eight by NVLink', () => {
    const node = nodeWith(8, { model: 'v100-16', layout: hybridCubeMesh() })
    expect(told(node, [0, 1, 2, 3, 4, 5, 6, 7])).toBe('8 pcie, 4 nvlink')
  })

  test('cards behind PCIe switches are joined by PCIe, however near', () => {
    const node = nodeWith(8, { model: 'l40s', layout: dualSocketPcie({ cards: 8, perSwitch: 2, facts: FACTS }) })
    expect(told(node, [0, 1, 2, 3])).toBe('4 pcie')
  })

  test('one card talks to no other, and no cards are nothing', () => {
    expect(told(PAIRS, [3])).toBe('1 pcie')
    expect(told(PAIRS, [])).toBe('')
    expect(bestLink(PAIRS, [0, 1], 1)).toBe('pcie')
  })

  test('without a layout only what the model makes certain is known', () => {
    expect(told(nodeWith(4, { model: 'a100-80-sxm' }), [0, 1])).toBe('2 nvlink')
    expect(told(nodeWith(4, { model: 'l40s' }), [0, 1])).toBe('2 pcie')
    expect(told(nodeWith(4, { model: 'a100-80-pcie' }), [0, 1, 2])).toBe('3 ?')
    expect(told(nodeWith(4, { model: 'nobody-knows' }), [0, 1])).toBe('2 ?')
    expect(told(nodeWith(4, { model: undefined }), [0, 1])).toBe('2 ?')
  })

  test('unknown speeds are no link', () => {
    const layout = { id: 'dark', cards: 2, gbps: [0, 0, 0, 0], numa: [0, 0], pcieSwitch: [0, 0], nics: [] }
    expect(told(nodeWith(2, { model: 'l40s', layout }), [0, 1])).toBe('2 ?')
  })
})
