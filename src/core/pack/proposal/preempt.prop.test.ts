import fc from 'fast-check'
import { expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import type { Tenant } from '../../fleet/fleet.ts'
import { costOf, mayStop, priceOf } from './cost.ts'
import { fitsOn, freeStateOf, nodeAt } from './free-state.ts'
import { proposePreemption, type Newcomer } from './preempt.ts'
import { isSound, requests, RULES, subsets, worlds } from './proposal.suite.ts'
import { domainsOf, type World } from './world.ts'
import { cases, enough } from '../../base/laws.suite.ts'

const newcomers: fc.Arbitrary<Newcomer> = fc.record({
  name: fc.constant('new'),
  request: requests,
  priority: fc.integer({ min: 2, max: 4 }),
  nodes: fc.constantFrom(1, 1, 2, 3),
  within: fc.constantFrom(undefined, 'rack', 'zone'),
})

/** Whether a domain can host all of the newcomer once some have left. */
function fitsWithout(
  { fleet, tenants }: World,
  leavers: readonly Tenant[],
  { request, nodes, within }: Newcomer,
): boolean {
  const rest = tenants.filter((tenant) => !leavers.includes(tenant))
  const state = freeStateOf(fleet, rest, RULES)
  const canHost = (node: number): boolean => fitsOn(state, node, request) !== undefined
  return domainsOf(fleet, within).some((domain) => domain.filter(canHost).length >= nodes)
}

function priceOfAll({ fleet, rules }: World, leavers: readonly Tenant[]): number {
  return leavers.reduce((sum, tenant) => {
    const { model } = nodeAt(fleet, tenant.spot.node)
    return sum + priceOf(costOf(tenant, (slice) => rules.shareOf(model, slice)))
  }, 0)
}

function victimsOf({ tenants }: World, names: readonly { readonly name: string }[]): readonly Tenant[] {
  return names.map(({ name }) =>
    must(
      tenants.find((tenant) => tenant.name === name),
      'a victim runs',
    ),
  )
}

test('the first proposal costs as little as the cheapest of all sets of tenants that could make way', () => {
  let compared = 0
  fc.assert(
    fc.property(worlds({ nodes: 3, tenants: 8 }), newcomers, (world, newcomer) => {
      const proposals = proposePreemption(world, newcomer)
      const allowed = world.tenants.filter((tenant) => mayStop(tenant) && tenant.priority < newcomer.priority)
      if (fitsWithout(world, [], newcomer) || !fitsWithout(world, allowed, newcomer)) {
        expect(proposals).toEqual([])
        return
      }
      const enough = subsets(allowed).filter((leavers) => fitsWithout(world, leavers, newcomer))
      const lowest = Math.min(...enough.map((leavers) => priceOfAll(world, leavers)))
      expect(priceOfAll(world, victimsOf(world, must(proposals[0], 'a proposal').victims))).toBe(lowest)
      compared++
    }),
    cases(4_000),
  )
  expect(compared).toBeGreaterThan(enough(200))
})

test('every proposal is sound, lawful and without a victim too many', () => {
  fc.assert(
    fc.property(worlds({ nodes: 6, tenants: 30 }), newcomers, (world, newcomer) => {
      for (const { victims, spots } of proposePreemption(world, newcomer)) {
        const leavers = victimsOf(world, victims)
        for (const leaver of leavers) {
          expect(leaver.priority).toBeLessThan(newcomer.priority)
          expect(mayStop(leaver)).toBe(true)
        }
        const rest = world.tenants.filter((tenant) => !leavers.includes(tenant))
        const guests = spots.map((spot) => ({ request: newcomer.request, spot }))
        expect(isSound(world.fleet, [...rest, ...guests])).toBe(true)
        expect(new Set(spots.map(({ node }) => node)).size).toBe(newcomer.nodes)
        const domains = domainsOf(world.fleet, newcomer.within)
        expect(domains.some((nodes) => spots.every(({ node }) => nodes.includes(node)))).toBe(true)
        for (const leaver of leavers) {
          const fewer = leavers.filter((other) => other !== leaver)
          const oneNode =
            newcomer.nodes === 1 ? fitsOnNode(world, fewer, { newcomer, node: must(spots[0], 'a').node }) : undefined
          expect(oneNode ?? fitsWithout(world, fewer, newcomer)).toBe(false)
        }
      }
    }),
    cases(2_000),
  )
})

function fitsOnNode(
  { fleet, tenants }: World,
  leavers: readonly Tenant[],
  { newcomer, node }: { readonly newcomer: Newcomer; readonly node: number },
): boolean {
  const rest = tenants.filter((tenant) => !leavers.includes(tenant))
  return fitsOn(freeStateOf(fleet, rest, RULES), node, newcomer.request) !== undefined
}

test('the order in which tenants are listed does not matter', () => {
  fc.assert(
    fc.property(worlds({ nodes: 4, tenants: 10 }), newcomers, (world, newcomer) => {
      const turned = { ...world, tenants: world.tenants.toReversed() }
      expect(proposePreemption(turned, newcomer)).toEqual(proposePreemption(world, newcomer))
    }),
    cases(1_000),
  )
})

test('of a gang that runs nobody is stopped alone, and all it loses is counted', () => {
  let gangs = 0
  const gangOf = ({ name }: Tenant): string | undefined =>
    Number(name.slice(1)) % 3 === 0 ? undefined : `gang ${Number(name.slice(1)) % 3}`
  fc.assert(
    fc.property(worlds({ nodes: 4, tenants: 12 }), newcomers, (world, newcomer) => {
      for (const { victims, spots, cost } of proposePreemption({ ...world, gangOf }, newcomer)) {
        const leavers = victimsOf(world, victims)
        const bound = new Set(leavers.flatMap((tenant) => gangOf(tenant) ?? []))
        const all = world.tenants.filter((tenant) => leavers.includes(tenant) || bound.has(gangOf(tenant) ?? ''))
        expect(leavers.toSorted(byName)).toEqual(all.toSorted(byName))
        expect(leavers.every((tenant) => mayStop(tenant) && tenant.priority < newcomer.priority)).toBe(true)
        expect(cost.restarts).toBe(leavers.length)
        const rest = world.tenants.filter((tenant) => !leavers.includes(tenant))
        const guests = spots.map((spot) => ({ request: newcomer.request, spot }))
        expect(isSound(world.fleet, [...rest, ...guests])).toBe(true)
        gangs += bound.size
      }
    }),
    cases(3_000),
  )
  expect(gangs).toBeGreaterThan(enough(20))
})

function byName(a: Tenant, b: Tenant): number {
  return a.name < b.name ? -1 : 1
}
