import { describe, expect, test } from 'vitest'
import { assert } from '../../base/assert.ts'
import type { Tenant } from '../../fleet/fleet.ts'
import { domainTree } from '../../fleet/domain-tree.ts'
import { allBut, domainsOf, fleetOf, gangOf, tenantOn } from './fleet.suite.ts'
import type { Gang, HostView } from './gang.ts'
import type { Holdup } from './holdup.ts'
import { placeGang } from './place-gang.ts'

/** A view in which a node is busy when it has tenants, and these nodes never do. */
function viewOf(tenants: readonly Tenant[], never: readonly number[] = []): HostView {
  const tenantsOn = (node: number) => tenants.filter(({ spot }) => spot.node === node)
  return {
    canHost: (node) => tenantsOn(node).length === 0 && !never.includes(node),
    score: () => 0,
    tenancy: { wouldHost: (node) => !never.includes(node), tenantsOn },
  }
}

function holdup(paths: Readonly<Record<string, number>>, gang: Gang, view: HostView): Holdup {
  const answer = placeGang(domainTree(fleetOf(paths)), gang, view)
  assert(answer.kind === 'waits', 'the gang should wait')
  return answer
}

describe('the nearest domain', () => {
  test('is the one of the asked level with the most hosts, with what is missing and who is in the way', () => {
    const tenants = [tenantOn(1), tenantOn(4), tenantOn(5)]
    const { nearest } = holdup({ 'z/f/r/m': 4, 'z/f/r/n': 4 }, gangOf(4, 'nvlink_domain'), viewOf(tenants))
    expect(nearest).toEqual({
      domain: { level: 'nvlink_domain', path: domainsOf('z/f/r/m') },
      free: [0, 2, 3],
      missing: 1,
      blocked: [{ node: 1, tenants: [tenants[0]] }],
    })
  })

  test('is one that could hold the gang when it is empty, even if a smaller one has more hosts', () => {
    const view = viewOf([tenantOn(3), tenantOn(4)])
    expect(holdup({ 'z/f/a': 3, 'z/f/b': 4 }, gangOf(4, 'rack'), view).nearest?.domain.path.rack).toBe('b')
  })

  test('is the whole fleet for a gang without a bound', () => {
    const { nearest } = holdup({ z: 2, y: 1 }, gangOf(3), allBut([0]))
    expect(nearest).toMatchObject({ domain: { level: 'fleet' }, free: [1, 2], missing: 1, blocked: [] })
  })

  test('is the whole fleet for a gang of one, bound or not', () => {
    expect(holdup({ z: 2 }, gangOf(1, 'rack'), allBut([0, 1])).nearest?.domain.level).toBe('fleet')
  })

  test('is unknown where no domain of that level is known', () => {
    expect(holdup({ z: 4 }, gangOf(2, 'rack'), viewOf([])).nearest).toBeUndefined()
  })

  test('nodes that would never do are not in the way', () => {
    const { nearest } = holdup({ 'z/f/r': 4 }, gangOf(4), viewOf([tenantOn(0)], [3]))
    expect(nearest?.blocked.map(({ node }) => node)).toEqual([0])
  })

  test('lists first what is the least costly to clear', () => {
    const tenants = [
      tenantOn(0, { restart: 'training' }),
      tenantOn(1, { priority: 5 }),
      tenantOn(2),
      tenantOn(2, { name: 'second' }),
      tenantOn(3),
      tenantOn(4),
    ]
    const { nearest } = holdup({ z: 5 }, gangOf(5), viewOf(tenants))
    expect(nearest?.blocked.map(({ node }) => node)).toEqual([3, 4, 2, 1, 0])
  })
})

describe('what would help', () => {
  const paths = { 'z/f/r/m': 2, 'z/f/r/n': 2, 'z/f/s': 2 }

  test('is the narrowest wider bound that fits now, fewer nodes, and waiting', () => {
    const tenants = [tenantOn(0)]
    expect(holdup(paths, gangOf(2, 'nvlink_domain'), viewOf([...tenants, tenantOn(2)])).helps).toEqual([
      { kind: 'wider', within: 'rack' },
      { kind: 'fewer', nodes: 1 },
      { kind: 'wait', nodes: [{ node: 0, tenants }] },
    ])
  })

  test('is no bound at all where no domain would do', () => {
    expect(holdup({ z: 2, y: 2 }, gangOf(3, 'zone'), allBut([])).helps).toEqual([
      { kind: 'wider', within: undefined },
      { kind: 'fewer', nodes: 2 },
    ])
  })

  test('is a single node when the level is unknown everywhere', () => {
    expect(holdup({ '-': 3 }, gangOf(4, 'rack'), viewOf([])).helps).toEqual([{ kind: 'fewer', nodes: 1 }])
  })

  test('is nothing that would not help: no wider limit, no host, no work to wait for', () => {
    expect(holdup({ 'z/f/r': 2 }, gangOf(2, 'rack'), viewOf([], [0, 1])).helps).toEqual([])
  })

  test('waiting is named for as many nodes as are missing', () => {
    const { helps } = holdup({ z: 6 }, gangOf(4), viewOf([1, 2, 3, 4].map((node) => tenantOn(node))))
    const waits = helps.flatMap((help) => (help.kind === 'wait' ? help.nodes.map(({ node }) => node) : []))
    expect(waits).toEqual([1, 2])
  })
})

test.each([
  ['it could run when others have ended', viewOf([tenantOn(0)]), true],
  ['it could never run', viewOf([], [0]), false],
  ['nobody knows what runs', allBut([0]), undefined],
])('a gang that waits is told whether %s', (_, view, fits) => {
  expect(holdup({ 'z/f/r': 3, 'z/f/s': 2 }, gangOf(3, 'rack'), view).fitsWhenEmpty).toBe(fits)
})
