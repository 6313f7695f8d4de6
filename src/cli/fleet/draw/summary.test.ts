import { describe, expect, test } from 'vitest'
import { nvswitch, pairedNvlink } from '../../../core/fleet/topology/presets.ts'
import { nodeWith, slice, tenantOn } from '../../../core/fleet/draw.suite.ts'
import { summarise } from './summary.ts'
import { useOf } from '../../../core/fleet/use.ts'
import type { FleetNode, Tenant } from '../../../core/fleet/fleet.ts'

function summary(nodes: readonly FleetNode[], tenants: readonly Tenant[] = []): ReturnType<typeof summarise> {
  return summarise(useOf({ nodes }, tenants))
}

const SWITCHED = nvswitch({ cards: 4, gbps: 450, sockets: undefined })
const PAIRED = pairedNvlink({ cards: 4, gbps: 300, facts: undefined })

describe('the summary of a fleet', () => {
  test('adds up, and a node is idle when all its cards are free', () => {
    const nodes = [
      nodeWith(4),
      nodeWith(4, { id: 'm' }, { health: 'failing' }),
      nodeWith(0, { id: 'c' }),
      nodeWith(2, { id: 'f' }),
    ]
    expect(summary(nodes, [tenantOn('a', [0, 1])])).toMatchObject({
      nodes: 4,
      idleNodes: 1,
      cards: 10,
      states: { free: 4, partly: 0, full: 2, failing: 4 },
      cpuMilli: 32_000,
      cpuFreeMilli: 31_000,
      tenants: 1,
    })
  })

  test('keeps nodes apart that differ in model, cards or wiring, most cards first', () => {
    const kinds = summary([
      nodeWith(4),
      nodeWith(4, { id: 'b', layout: SWITCHED }),
      nodeWith(4, { id: 'c', layout: SWITCHED }),
      nodeWith(2, { id: 'd' }),
      nodeWith(4, { id: 'e', model: 'l40s' }),
    ]).kinds
    expect(kinds.map(({ model, cardsPerNode, nodes, layout }) => [model, cardsPerNode, nodes, layout?.id])).toEqual([
      ['h100-sxm', 4, 2, SWITCHED.id],
      ['h100-sxm', 4, 1, undefined],
      ['l40s', 4, 1, undefined],
      ['h100-sxm', 2, 1, undefined],
    ])
  })

  test.each([
    ['one switch', nodeWith(4, { layout: SWITCHED }), [0], { cards: 3, gbps: 450 }],
    ['pairs, one card of each taken', nodeWith(4, { layout: PAIRED }), [0, 2], { cards: 1, gbps: 300 }],
    ['pairs, one of them taken', nodeWith(4, { layout: PAIRED }), [0, 1], { cards: 2, gbps: 300 }],
    ['nothing left', nodeWith(4, { layout: PAIRED }), [0, 1, 2, 3], { cards: 0, gbps: 300 }],
    ['wiring unknown', nodeWith(4), [0], undefined],
    ['a single card', nodeWith(1), [], { cards: 1, gbps: undefined }],
    ['no card', nodeWith(0), [], undefined],
  ] as const)('knows the largest free island: %s', (_, node, taken, island) => {
    expect(summary([node], [tenantOn('a', taken)]).kinds[0]?.island).toEqual(island)
  })

  test('goes through the domains from the widest to the narrowest', () => {
    const nowhere = nodeWith(1).domains
    const { domains } = summary([
      nodeWith(1, { domains: { ...nowhere, zone: 'b', rack: 'r1' } }),
      nodeWith(1, { id: 'b', domains: { ...nowhere, zone: 'a', rack: 'r1' } }),
      nodeWith(2, { id: 'c', domains: { ...nowhere, zone: 'a', rack: 'r1' } }),
      nodeWith(1, { id: 'd' }),
    ])
    expect(domains.map(({ level, name, depth, nodes, cards }) => [level, name, depth, nodes, cards])).toEqual([
      ['zone', 'a', 0, 2, 3],
      ['rack', 'r1', 1, 2, 3],
      ['zone', 'b', 0, 1, 1],
      ['rack', 'r1', 1, 1, 1],
    ])
  })

  test('counts slices by model and profile', () => {
    const tenants = [
      tenantOn('a', [0], slice('1g.10gb', 0)),
      tenantOn('b', [1], slice('1g.10gb', 3)),
      tenantOn('c', [0], slice('3g.40gb', 4)),
    ]
    expect(summary([nodeWith(2, {}, { parts: 'mig' })], tenants).slices).toEqual([
      { model: 'h100-sxm', profile: '1g.10gb', count: 2 },
      { model: 'h100-sxm', profile: '3g.40gb', count: 1 },
    ])
  })
})
