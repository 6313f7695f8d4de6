import { describe, expect, test } from 'vitest'
import { nodeWith, slice, tenantOn } from '../core/fleet/draw.suite.ts'
import { freeze } from '../core/offer/snapshot.ts'
import type { OwnedFleet } from '../core/fleet/owned-fleet.ts'
import { nvswitch } from '../core/fleet/topology/presets.ts'
import { decodeSnapshot, encodeSnapshot } from './snapshot-file.ts'
import { packFleets } from './snapshot-fleets.ts'

const LAYOUT = nvswitch({ cards: 8, gbps: 450, sockets: undefined })
const FLEET: OwnedFleet = {
  provider: 'harbor',
  region: 'hamburg',
  fleet: {
    nodes: [
      ...['a', 'b', 'c'].map((id) => nodeWith(8, { id, layout: LAYOUT }, { parts: 'mig', health: 'ok' })),
      nodeWith(2, { id: 'd', layout: { ...LAYOUT, id: 'told', cards: 2, numa: [0, undefined], pcieSwitch: [1, 1] } }),
      nodeWith(0, { id: 'e', model: undefined }),
    ],
  },
  tenants: [tenantOn('t', [0], slice('1g.10gb', 2))],
}

describe('fleets in a snapshot', () => {
  test('come back as they were, what is unknown too', () => {
    const snapshot = freeze([], [], [FLEET, { ...FLEET, region: 'berlin', tenants: [] }])
    const opened = decodeSnapshot(encodeSnapshot(snapshot))
    expect(opened?.fleets).toEqual(snapshot.fleets)
    expect(opened?.fleets.map(({ region }) => region)).toEqual(['berlin', 'hamburg'])
    expect(opened?.fleets[0]?.fleet.nodes[3]?.layout?.numa).toEqual([0, undefined])
    expect(opened?.version).toBe(snapshot.version)
  })

  test('are written once for all nodes that are the same', () => {
    const { layouts, fleets } = packFleets([FLEET, FLEET])
    expect(layouts).toHaveLength(2)
    expect(fleets.map(({ kinds, nodes }) => [kinds.length, nodes.length])).toEqual([
      [3, 5],
      [3, 5],
    ])
  })

  test('leave no trace where there are none', () => {
    const bytes = encodeSnapshot(freeze([]))
    expect(new TextDecoder().decode(bytes)).not.toContain('fleets')
    expect(decodeSnapshot(bytes)?.fleets).toEqual([])
  })
})
