import { describe, expect, test } from 'vitest'
import type { FleetNode, Tenant } from '../../fleet/fleet.ts'
import { freeStateOf } from './free-state.ts'
import { node, PAIRS, RULES, SHARED, tenant } from './proposal.suite.ts'
import { wholeIn } from './whole.ts'

function whole(nodes: readonly FleetNode[], tenants: readonly Tenant[], size: number): number {
  return wholeIn(freeStateOf({ nodes }, tenants, RULES), size)
}

describe('room for whole jobs', () => {
  const wired = node('a', 4, { layout: PAIRS })

  test('of one card is every idle card that does not fail', () => {
    const cards = [SHARED, { health: 'failing', parts: 'share' } as const, SHARED]
    expect(whole([node('a', 3, { cards }), node('b', 2)], [tenant('x', 'n1:0/1')], 1)).toBe(3)
  })

  test('of more cards is inside the smallest islands that hold them', () => {
    expect(whole([wired], [], 2)).toBe(2)
    expect(whole([wired], [tenant('x', 'n0:0')], 2)).toBe(1)
    expect(whole([wired], [tenant('x', 'n0:0'), tenant('y', 'n0:2')], 2)).toBe(0)
    expect(whole([wired], [], 4)).toBe(1)
    expect(whole([wired], [tenant('x', 'n0:0')], 3)).toBe(1)
    expect(whole([wired], [tenant('x', 'n0:0')], 4)).toBe(0)
  })

  test('of more cards is not known where the wiring is not', () => {
    expect(whole([node('a', 4)], [], 2)).toBe(0)
  })

  test('counts every card once, also where islands overlap', () => {
    const chain = { ...PAIRS, cards: 3, gbps: [0, 9, 0, 9, 0, 9, 0, 9, 0], numa: [0, 0, 0], pcieSwitch: [0, 0, 0] }
    expect(whole([node('a', 3, { layout: chain })], [], 2)).toBe(1)
  })
})
