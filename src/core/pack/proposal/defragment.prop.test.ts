import fc from 'fast-check'
import { expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import type { Tenant } from '../../fleet/fleet.ts'
import { costOf, mayStop, priceOf, type Cost } from './cost.ts'
import { proposeMoves, type Goal, type Moves } from './defragment.ts'
import { fitsOn, freeStateOf, nodeAt } from './free-state.ts'
import { isRoomFor, type Fit } from './fit.ts'
import { everySpot, isSound, requests, RULES, worlds } from './proposal.suite.ts'
import { wholeIn } from './whole.ts'
import type { World } from './world.ts'
import { cases, enough } from '../../base/laws.suite.ts'

const fits: fc.Arbitrary<Goal & { readonly kind: 'fit' }> = fc.record({
  kind: fc.constant('fit'),
  request: requests,
  nodes: fc.constantFrom(1, 1, 1, 2),
  within: fc.constantFrom(undefined, undefined, 'rack'),
})
const goals: fc.Arbitrary<Goal> = fc.oneof(
  fits,
  fc.record({ kind: fc.constant('whole'), size: fc.constantFrom(1, 1, 2, 4), more: fc.integer({ min: 1, max: 3 }) }),
)

function fitsBeside({ fleet }: World, tenants: readonly Tenant[], fit: Fit): boolean {
  return isRoomFor(freeStateOf(fleet, tenants, RULES), fit)
}

/** Carries moves out one by one, with both copies alive where that is said, and looks at the whole fleet each time. */
function carryOut({ fleet, tenants }: World, { moves }: Moves): readonly Tenant[] {
  let living = tenants
  for (const { name, from, to, how } of moves) {
    const old = must(
      living.find((tenant) => tenant.name === name),
      'it runs',
    )
    expect(old.spot).toEqual(from)
    expect(to).not.toEqual(from)
    const copy = { ...old, spot: to }
    expect(how === 'start-first' ? isSound(fleet, [...living, copy]) : true).toBe(true)
    const others = living.filter((tenant) => tenant !== old)
    const couldStartFirst = isSound(fleet, [...living, copy])
    living = [...others, copy]
    expect(isSound(fleet, living)).toBe(true)
    expect(how).toBe(couldStartFirst ? 'start-first' : 'stop-first')
  }
  return living
}

test('moves are legal one after the other, lose no tenant, touch none that may not move, and reach their goal', () => {
  let proposed = 0
  fc.assert(
    fc.property(worlds({ nodes: 6, tenants: 24 }), goals, (world, goal) => {
      const answer = proposeMoves(world, goal)
      if (answer.kind === 'no-moves') return
      proposed++
      const after = carryOut(world, answer)
      const names = answer.moves.map(({ name }) => name)
      expect(new Set(names).size).toBe(names.length)
      expect(after.map(({ name }) => name).sort()).toEqual(world.tenants.map(({ name }) => name).sort())
      for (const tenant of world.tenants) {
        if (names.includes(tenant.name)) expect(mayStop(tenant)).toBe(true)
        else expect(after).toContain(tenant)
      }
      if (goal.kind === 'fit') {
        expect(fitsBeside(world, world.tenants, goal)).toBe(false)
        expect(fitsBeside(world, after, goal)).toBe(true)
        const guests = answer.spots.map((spot) => ({ request: goal.request, spot }))
        expect(isSound(world.fleet, [...after, ...guests])).toBe(true)
        expect(new Set(answer.spots.map(({ node }) => node)).size).toBe(goal.nodes)
      } else {
        const idle = (tenants: readonly Tenant[]): number =>
          wholeIn(freeStateOf(world.fleet, tenants, RULES), goal.size)
        expect(idle(after) - idle(world.tenants)).toBe(answer.gained)
        expect(answer.gained).toBeGreaterThan(0)
      }
    }),
    cases(3_000),
  )
  expect(proposed).toBeGreaterThan(enough(100))
})

test('where one move of one tenant would make room for a request, moves are found that cost no more', () => {
  let found = 0
  fc.assert(
    fc.property(worlds({ nodes: 4, tenants: 10 }), requests, (world, request) => {
      const goal = { kind: 'fit' as const, request, nodes: 1, within: undefined }
      const answer = proposeMoves(world, goal)
      if (answer.kind === 'no-moves' && answer.why === 'fits-already') return
      const lowest = Math.min(...oneMoves(world, goal).map((tenant) => priceOf(costIn(world, tenant))))
      if (lowest === Infinity) return
      found++
      expect(answer.kind).toBe('moves')
      if (answer.kind === 'moves') expect(priceOf(answer.cost)).toBeLessThanOrEqual(lowest)
    }),
    cases(3_000),
  )
  expect(found).toBeGreaterThan(enough(50))
})

/** Tenants of which one could be put elsewhere so that the request fits, by trying every spot for both. */
function oneMoves({ fleet, tenants }: World, { request }: Fit): readonly Tenant[] {
  return tenants.filter((tenant) => {
    if (!mayStop(tenant)) return false
    const rest = freeStateOf(
      fleet,
      tenants.filter((other) => other !== tenant),
      RULES,
    )
    return fleet.nodes.some((_, node) =>
      everySpot(rest, node, request).some((spot) => {
        const others = tenants.filter((other) => other !== tenant)
        const taken = freeStateOf(fleet, [...others, { request, spot }], RULES)
        return fleet.nodes.some((_, into) => fitsOn(taken, into, tenant.request) !== undefined)
      }),
    )
  })
}

function costIn({ fleet, rules }: World, tenant: Tenant): Cost {
  const { model } = nodeAt(fleet, tenant.spot.node)
  return costOf(tenant, (slice) => rules.shareOf(model, slice))
}

test('where one move would leave one more card idle, moves are found', () => {
  let found = 0
  fc.assert(
    fc.property(worlds({ nodes: 4, tenants: 12 }), (world) => {
      if (!hasGain(world)) return
      found++
      const answer = proposeMoves(world, { kind: 'whole', size: 1, more: 1 })
      expect(answer.kind).toBe('moves')
    }),
    cases(1_000),
  )
  expect(found).toBeGreaterThan(enough(20))
})

/** Whether a tenant could be put elsewhere so that more cards are idle, by trying all tenants and all spots. */
function hasGain({ fleet, tenants }: World): boolean {
  const before = wholeIn(freeStateOf(fleet, tenants, RULES), 1)
  return tenants.filter(mayStop).some((tenant) => {
    const others = tenants.filter((other) => other !== tenant)
    const rest = freeStateOf(fleet, others, RULES)
    return fleet.nodes.some((_, node) =>
      everySpot(rest, node, tenant.request).some((spot) => {
        const after = freeStateOf(fleet, [...others, { ...tenant, spot }], RULES)
        return wholeIn(after, 1) > before
      }),
    )
  })
}
