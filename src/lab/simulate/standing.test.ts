import { expect, test } from 'vitest'
import type { Spot, Tenant } from '../../core/fleet/fleet.ts'
import { cardsOf, fleetOf, nodeOf } from './simulate.suite.ts'
import { standing } from './standing.ts'

function tenantOf(name: string, spot: Spot): Tenant {
  const request = cardsOf(spot.cards.length, { cpuMilli: 100, memoryMib: 10, diskMib: 1 })
  return { name, request, spot, priority: 0, restart: 'training', checkpointAgeS: undefined }
}

const SLICE = { kind: 'slice', profile: '1g.10gb', start: 0 } as const

test('what a packer can take stays as it is', () => {
  const fleet = fleetOf(1, 2, { model: 'h100-sxm', cards: [MIG, MIG] })
  const tenants = [
    tenantOf('whole', { node: 0, cards: [0], taken: undefined }),
    tenantOf('slice', { node: 0, cards: [1], taken: SLICE }),
  ]
  expect(standing(fleet, tenants)).toEqual({ fleet, running: tenants })
})

const MIG = { health: 'ok', parts: 'mig' } as const

test('what stands on a failing card, or on a node whose cards are cut in several ways, becomes part of the node', () => {
  const mixed = nodeOf('mixed', 2, { model: 'h100-sxm', diskMib: 5, cards: [{ health: 'ok', parts: 'none' }, MIG] })
  const broken = nodeOf('broken', 1, { cards: [{ health: 'failing', parts: 'none' }] })
  const tenants = [
    tenantOf('slice', { node: 0, cards: [1], taken: SLICE }),
    tenantOf('old', { node: 1, cards: [0], taken: undefined }),
    tenantOf('whole', { node: 0, cards: [0], taken: undefined }),
  ]
  const { fleet, running } = standing({ nodes: [mixed, broken] }, tenants)
  expect(running.map(({ name }) => name)).toEqual(['whole'])
  expect(fleet.nodes[0]).toMatchObject({ cpuMilli: 1900, memoryMib: 2038, diskMib: 4 })
  expect(fleet.nodes[0]?.cards.map(({ health }) => health)).toEqual(['ok', 'failing'])
  expect(fleet.nodes[1]).toMatchObject({ cpuMilli: 900, diskMib: undefined })
})
