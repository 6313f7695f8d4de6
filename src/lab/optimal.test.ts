import { afterAll, describe, expect, test } from 'vitest'
import { assert } from '../core/base/assert.ts'
import { checkPlaces } from '../core/pack/optimal/check.ts'
import { node, problem, racked, share, slice, spot, whole } from '../core/pack/optimal/problem.suite.ts'
import type { PackingProblem } from '../core/pack/optimal/problem.ts'
import type { Solver } from '../ports/solver.ts'
import { sourceSolver } from '../solver/highs.suite.ts'
import { optimalSpots, VARIABLES_MAX } from './optimal.ts'

const SOLVER = sourceSolver()
afterAll(() => SOLVER.close())

async function plan(given: PackingProblem, options: Partial<Parameters<typeof optimalSpots>[2]> = {}) {
  const found = await optimalSpots(given, SOLVER, { limitMs: 20_000, ...options })
  assert(found.kind === 'planned', `a plan, not ${found.kind}`)
  expect(found.proven).toEqual({ work: true, whole: true })
  expect(found.workBound).toBe(found.work)
  expect(checkPlaces(given, found.places)).toEqual([])
  return { ...found, accepted: found.places.map((spots) => spots !== undefined) }
}

describe('the most work is accepted', () => {
  test('small work makes way for large work', async () => {
    const { work, accepted } = await plan(problem([node('a')], [whole(1), whole(2), whole(1, { cpuMilli: 1 })]))
    expect(work).toBe(2000)
    expect(accepted.filter(Boolean).length).toBeGreaterThan(0)
    const one = await plan(problem([node('a', { cards: 3 })], [whole(1), whole(2), whole(2, { cpuMilli: 1 })]))
    expect(one.work).toBe(3000)
  })

  test('by weight', async () => {
    const heavy = { request: whole(1), weight: 3 }
    const { work, accepted } = await plan(problem([node('a')], [whole(2), heavy]))
    expect({ work, accepted }).toEqual({ work: 3000, accepted: [false, true] })
  })

  test('within CPU, memory and disk', async () => {
    const nodes = [node('a', { cpuMilli: 8, memoryMib: 8, diskMib: 8, cards: 4 })]
    for (const key of ['cpuMilli', 'memoryMib', 'diskMib'] as const) {
      const { accepted } = await plan(problem(nodes, [whole(1, { [key]: 5 }), whole(1, { [key]: 4 }), whole(2)]))
      expect(accepted.slice(0, 2).toSorted()).toEqual([false, true])
      expect(accepted[2]).toBe(true)
    }
  })

  test('work without cards is accepted where it costs nothing', async () => {
    const { work } = await plan(problem([node('a')], [whole(2), whole(0)]))
    expect(work).toBe(2001)
  })

  test('shares are combined so that they fill cards', async () => {
    const shares = [share(600), share(500), share(500), share(400), share(700), share(300)]
    const { work } = await plan(problem([node('a', { cards: 3, parts: 'share' })], shares))
    expect(work).toBe(3000)
  })

  test('a share of several cards has one piece of each', async () => {
    const pair = share(600, { count: 2 })
    const nodes = [node('a', { cards: 3, parts: 'share' })]
    const { places, accepted } = await plan(problem(nodes, [pair, pair, share(400)]))
    expect(accepted.slice(0, 2).toSorted()).toEqual([false, true])
    expect(places.flat().find((each) => each?.cards.length === 2)?.taken).toEqual({ kind: 'share', milli: 600 })
    const thirds = share(300, { count: 2 })
    expect((await plan(problem(nodes, [thirds, thirds, thirds, thirds]))).work).toBe(2400)
  })

  test('slices are laid where they can lie, beside those that are there', async () => {
    const there = spot(0, [0], { kind: 'slice', profile: '1g.10gb', start: 0 })
    const tenants = [{ request: slice(10), spot: there }]
    const waiting = [slice(40), slice(40), slice(20), slice(10), slice(10)]
    const { work, accepted, places } = await plan(problem([node('a', { cards: 1, parts: 'mig' })], waiting, tenants))
    expect(work).toBe(875)
    expect(accepted.slice(2)).toEqual([true, true, false])
    expect(
      places.flat().find((each) => each?.taken?.kind === 'slice' && each.taken.profile === '3g.40gb')?.taken,
    ).toEqual({ kind: 'slice', profile: '3g.40gb', start: 4 })
  })

  test('a slice takes the whole of a card that cannot be cut, and none where it would be too small', async () => {
    const nodes = [node('a', { cards: 1, model: 'l40s' }), node('b', { cards: 1, parts: 'mig' })]
    const { places } = await plan(problem(nodes, [slice(90)]))
    expect(places).toEqual([[spot(0, [0])]])
  })

  test('only on models that will do, and never on cards that fail', async () => {
    const nodes = [node('a', { model: 'l40s' }), node('b', { failing: [0] }), node('c', { model: undefined, cards: 0 })]
    const { places } = await plan(problem(nodes, [whole(1, { models: ['h100-sxm'] }), whole(0, { models: ['t4'] })]))
    expect(places).toEqual([[spot(1, [1])], undefined])
  })
})

describe('what runs', () => {
  test('stays where it is', async () => {
    const tenants = [
      { request: whole(1, { cpuMilli: 999_999 }), spot: spot(0, [0]) },
      { request: share(700), spot: spot(1, [1], { kind: 'share', milli: 700 }) },
    ]
    const nodes = [node('a'), node('b', { parts: 'share' })]
    const pending = [whole(1, { cpuMilli: 2 }), share(300), share(400, { cpuMilli: 2 })]
    const { places } = await plan(problem(nodes, pending, tenants))
    expect(places).toEqual([[spot(1, [0])], [spot(1, [1], { kind: 'share', milli: 300 })], undefined])
  })

  test('keeps everything away where it is in disorder', async () => {
    const tenants = [
      { request: whole(1, { cpuMilli: 2_000_000 }), spot: spot(0, [0]) },
      { request: slice(10), spot: spot(1, [0], { kind: 'slice', profile: '9g.90gb', start: 3 }) },
    ]
    const nodes = [node('a'), node('b', { cards: 1, parts: 'mig' })]
    expect((await plan(problem(nodes, [whole(1), slice(10)], tenants))).accepted).toEqual([false, false])
  })
})

describe('a gang', () => {
  const nodes = [racked('a', 'r1'), racked('b', 'r1'), racked('c', 'r2'), racked('d', 'r2'), racked('e', 'r2')]

  test('is placed as a whole in one domain, or not at all', async () => {
    const three = { request: whole(2), gang: { nodes: 3, within: 'rack' } } as const
    const two = { request: whole(2), gang: { nodes: 2, within: 'rack' } } as const
    const both = await plan(problem(nodes, [two, three]))
    expect(both.places.map((spots) => spots?.map((each) => each.node))).toEqual([
      [0, 1],
      [2, 3, 4],
    ])
    expect((await plan(problem(nodes, [three, three]))).accepted.toSorted()).toEqual([false, true])
    expect((await plan(problem(nodes.slice(0, 4), [three]))).accepted).toEqual([false])
  })

  test('that may be anywhere crosses domains, and keeps to nodes of their own', async () => {
    const four = { request: whole(1), gang: { nodes: 4, within: undefined } } as const
    const { places } = await plan(problem(nodes.slice(0, 4), [four, four]))
    expect(places.map((spots) => new Set(spots?.map((each) => each.node)).size)).toEqual([4, 4])
    const six = { request: whole(1), gang: { nodes: 6, within: undefined } } as const
    expect((await plan(problem(nodes, [six]))).accepted).toEqual([false])
  })

  test('of one is like any other work', async () => {
    const alone = { request: whole(1), gang: { nodes: 1, within: 'rack' } } as const
    expect((await plan(problem([node('a')], [alone]))).places).toEqual([[spot(0, [0])]])
  })
})

describe('of plans that accept as much', () => {
  test('the one is taken that leaves the cards most whole', async () => {
    const nodes = [node('a', { cards: 8 }), node('b', { cards: 4 })]
    const { places } = await plan(problem(nodes, [whole(2), whole(1), whole(1, { cpuMilli: 1 })]))
    expect(new Set(places.flat().map((each) => each?.node))).toEqual(new Set([1]))
  })

  test('shares share a card', async () => {
    const nodes = [node('a', { cards: 2, parts: 'share' }), node('b', { cards: 2, parts: 'share' })]
    const { places } = await plan(problem(nodes, [share(300), share(300), share(400)]))
    expect(new Set(places.flat().map((each) => `${each?.node} ${each?.cards.join()}`)).size).toBe(1)
  })
})

describe('places that are known', () => {
  const many = Array.from({ length: 30 }, (_, index) => node(`n${index}`))

  test('are begun with, even on nodes that the model leaves out', async () => {
    const starts: (ReadonlyMap<string, number> | undefined)[] = []
    const watched: Solver = {
      ...SOLVER,
      solve: (program, options) => {
        starts.push(options.start)
        return SOLVER.solve(program, options)
      },
    }
    const given = problem(many, [whole(2), whole(1)])
    const start = [[spot(29, [0, 1])], [spot(1, [0])]]
    const found = await optimalSpots(given, watched, { limitMs: 20_000, start })
    expect(found).toMatchObject({ kind: 'planned', work: 3000 })
    expect(starts.map((each) => each?.values().reduce((sum, count) => sum + count, 0))).toEqual([2, 2])
  })
})

describe('no plan', () => {
  test('is made for a problem that is too large', async () => {
    const nodes = Array.from({ length: 100 }, (_, index) => node(`n${index}`, { cpuMilli: 1000 + index }))
    const pending = Array.from({ length: 100 }, (_, index) => whole(1, { cpuMilli: index }))
    const found = await optimalSpots(problem(nodes, pending), SOLVER, { limitMs: 1000 })
    expect(found).toEqual({ kind: 'too-large', variablesMax: VARIABLES_MAX })
    const sizes = Array.from({ length: 60 }, (_, index) => share(7 + index))
    const shared = problem([node('a', { parts: 'share' })], [...sizes, ...sizes])
    expect(await optimalSpots(shared, SOLVER, { limitMs: 1000 })).toMatchObject({ kind: 'too-large' })
  })

  test('is needed where nothing is pending or fits', async () => {
    expect((await plan(problem([node('a')], []))).places).toEqual([])
    expect((await plan(problem([node('a')], [whole(3)]))).places).toEqual([undefined])
  })

  test('is made when it is aborted', async () => {
    const signal = AbortSignal.abort()
    const found = await optimalSpots(problem([node('a')], [whole(1)]), SOLVER, { limitMs: 1000, signal })
    expect(found).toEqual({ kind: 'aborted' })
  })
})

describe('when the time is over', () => {
  const given = problem([node('a')], [whole(1), whole(2)])
  const found = { kind: 'solved', objective: 1000, tookMs: 1, bound: 2000.4, isProven: false } as const
  const late = (...answers: Awaited<ReturnType<Solver['solve']>>[]): Solver => ({
    solve: () => Promise.resolve(answers.shift() ?? { kind: 'out-of-time' }),
    close: () => Promise.resolve(),
  })

  test('the best plan so far comes with a bound', async () => {
    const values = new Map([['v0', 1]])
    expect(await optimalSpots(given, late({ ...found, values }), { limitMs: 10 })).toEqual({
      kind: 'planned',
      places: [[spot(0, [0])], undefined],
      work: 1000,
      workBound: 2000,
      proven: { work: false, whole: false },
    })
    const vague = late({ ...found, values, bound: Number.POSITIVE_INFINITY })
    expect(await optimalSpots(given, vague, { limitMs: 10 })).toMatchObject({ workBound: 3000 })
  })

  test('there is none at all, or one that is the best but may not be the most whole', async () => {
    expect(await optimalSpots(given, late(), { limitMs: 10 })).toEqual({ kind: 'out-of-time' })
    const best = { ...found, objective: 2000, values: new Map([['v1', 1]]), isProven: true }
    for (const tookMs of [1, 10]) {
      expect(await optimalSpots(given, late({ ...best, tookMs }), { limitMs: 10 })).toMatchObject({
        work: 2000,
        workBound: 2000,
        proven: { work: true, whole: false },
      })
    }
  })
})
