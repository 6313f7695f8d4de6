import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitsOn, freeStateOf } from './free-state.ts'
import { isSound, requests, RULES, worlds } from './proposal.suite.ts'
import { balanceOf, replicasInReserve, seenBy, standingAfter, type Placeholder } from './reserve.ts'
import { cases } from '../../base/laws.suite.ts'

test('a share is rounded up to the next whole replica, and never further', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), fc.integer({ min: 0, max: 9999 }), (points, running) => {
      const wanted = replicasInReserve({ kind: 'share', share: points / 10_000 }, running)
      expect(wanted * 10_000).toBeGreaterThanOrEqual(points * running)
      expect((wanted - 1) * 10_000).toBeLessThan(Math.max(1, points * running))
    }),
    cases(5_000),
  )
})

/** Some of the tenants of a world are room in reserve of roles instead. */
const reserved = worlds({ nodes: 3, tenants: 10 }).map((world) => ({
  ...world,
  tenants: world.tenants.filter((_, at) => at % 2 === 0),
  placeholders: world.tenants
    .filter((_, at) => at % 2 === 1)
    .map(({ name, request, spot }, at): Placeholder => ({ name, role: `role-${at % 2}`, request, spot })),
}))

test('a newcomer lies on nobody and on nobody’s reserve but its own', () => {
  fc.assert(
    fc.property(reserved, requests, fc.constantFrom('role-0', 'role-1', undefined), (world, request, role) => {
      const { fleet, tenants, placeholders } = world
      const state = freeStateOf(fleet, seenBy(role, tenants, placeholders), RULES)
      const foreign = placeholders.filter((placeholder) => placeholder.role !== role)
      for (const node of fleet.nodes.keys()) {
        const spot = fitsOn(state, node, request)
        if (spot === undefined) continue
        expect(isSound(fleet, [...tenants, ...foreign, { request, spot }])).toBe(true)
        const own = placeholders.filter((placeholder) => placeholder.role === role)
        const standing = standingAfter(state, { request, spot }, own)
        expect(isSound(fleet, [...tenants, ...foreign, { request, spot }, ...standing])).toBe(true)
        for (const fallen of own.filter((placeholder) => !standing.includes(placeholder))) {
          expect(isSound(fleet, [...tenants, ...foreign, { request, spot }, ...standing, fallen])).toBe(false)
        }
      }
    }),
    cases(2_000),
  )
})

test('what is missing and what is too much make up what is wanted', () => {
  fc.assert(
    fc.property(reserved, requests, fc.nat(9), ({ placeholders }, request, count) => {
      const all = placeholders.map((placeholder, at) => ({
        ...placeholder,
        request: at % 3 === 0 ? placeholder.request : request,
      }))
      const role = { role: 'role-0', request, reserve: { kind: 'count' as const, count }, running: 1 }
      const { missing, surplus } = balanceOf(role, all)
      const own = all.filter((placeholder) => placeholder.role === 'role-0')
      const kept = own.filter((placeholder) => !surplus.includes(placeholder))
      expect(kept.length + missing.length).toBe(count)
      const names = [...kept, ...missing].map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(surplus.every((placeholder) => own.includes(placeholder))).toBe(true)
    }),
    cases(2_000),
  )
})
