import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fitsAt, fitsOn, freeStateOf, without } from './free-state.ts'
import { everySpot, isSound, requests, RULES, subsets, worlds } from './proposal.suite.ts'
import { cases } from '../../base/laws.suite.ts'

const RUNS = cases(2_000)
const small = worlds({ nodes: 3, tenants: 8 })

test('what is said to fit lies soundly beside what is there, and what is said not to fit does not', () => {
  fc.assert(
    fc.property(small, requests, fc.nat(), ({ fleet, tenants }, request, pick) => {
      const node = pick % fleet.nodes.length
      const state = freeStateOf(fleet, tenants, RULES)
      const empty = freeStateOf(fleet, [], RULES)
      for (const spot of everySpot(empty, node, request)) {
        expect(fitsAt(state, request, spot)).toBe(isSound(fleet, [...tenants, { request, spot }]))
      }
    }),
    RUNS,
  )
})

test('a spot is found exactly where one exists, and it is one of those that exist', () => {
  fc.assert(
    fc.property(small, requests, ({ fleet, tenants }, request) => {
      const state = freeStateOf(fleet, tenants, RULES)
      for (const node of fleet.nodes.keys()) {
        const spots = everySpot(state, node, request)
        const spot = fitsOn(state, node, request)
        if (spot === undefined) expect(spots).toEqual([])
        else expect(spots).toContainEqual(spot)
      }
    }),
    RUNS,
  )
})

test('taking out those who leave is the same as never having had them', () => {
  fc.assert(
    fc.property(worlds({ nodes: 3, tenants: 5 }), ({ fleet, tenants }) => {
      const state = freeStateOf(fleet, tenants, RULES)
      for (const leavers of subsets(tenants)) {
        const rest = tenants.filter((tenant) => !leavers.includes(tenant))
        expect(leavers.reduce(without, state)).toEqual(freeStateOf(fleet, rest, RULES))
      }
    }),
    cases(500),
  )
})
