import { describe, expect, test } from 'vitest'
import { BOX_WIDTH, cardBox } from './card.ts'
import { nodeWith, slice, tenantOn, used } from '../../../core/fleet/draw.suite.ts'
import type { FleetCard, Tenant } from '../../../core/fleet/fleet.ts'

function box(card: Partial<FleetCard>, tenants: readonly Tenant[] = [], model = 'h100-sxm'): readonly string[] {
  const [use] = used(nodeWith(1, { model }, card), tenants).cards
  return use === undefined ? [] : cardBox(use, 0, model)
}

const share = (name: string, milli: number): Tenant => tenantOn(name, [0], { kind: 'share', milli })

describe('the box of a card', () => {
  test.each([
    [{}, [], ['┌ 0 ───────────────┐', '│ ················ │', '│ free             │', '└──────────────────┘']],
    [
      { parts: 'mig' },
      [
        tenantOn('a', [0], slice('1g.10gb', 0)),
        tenantOn('b', [0], slice('2g.20gb', 2)),
        tenantOn('c', [0], slice('3g.40gb', 4)),
      ],
      ['┌ 0 MIG ───────────┐', '│ 1g··2g──3g────── │', '│ a, b, c          │', '└──────────────────┘'],
    ],
    [
      { parts: 'mig' },
      [tenantOn('everything', [0])],
      ['┌ 0 MIG ───────────┐', '│ ████████████████ │', '│ everything       │', '└──────────────────┘'],
    ],
    [
      { parts: 'share' },
      [share('a', 500)],
      ['┌ 0 shared ────────┐', '│ ████████········ │', '│ a                │', '└──────────────────┘'],
    ],
    [
      { health: 'failing' },
      [],
      ['┌ 0 failing ───────┐', '│ ················ │', '│ failing          │', '└──────────────────┘'],
    ],
  ] as const)('%j %j', (card, tenants, lines) => {
    expect(box(card, tenants)).toEqual(lines)
  })

  test('of a card with fewer places gives each more room', () => {
    const bar = box({ parts: 'mig' }, [tenantOn('a', [0], slice('1g.6gb', 1))], 'a30')[1]
    expect(bar).toBe('│ ····1g──········ │')
  })

  test('shows who holds a little, and the little that is left', () => {
    expect(box({ parts: 'share' }, [share('a', 1)])[1]).toBe('│ █··············· │')
    expect(box({ parts: 'share' }, [share('a', 999)])[1]).toBe('│ ███████████████· │')
  })

  test('is as wide as every other, whatever the name', () => {
    for (const line of box({}, [tenantOn('x'.repeat(50), [0])])) expect([...line]).toHaveLength(BOX_WIDTH)
    expect(box({}, [tenantOn('x'.repeat(50), [0])])[2]).toBe('│ xxxxxxxxxxxxxxx… │')
  })
})
