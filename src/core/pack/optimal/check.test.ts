import { describe, expect, test } from 'vitest'
import type { Spot } from '../../fleet/fleet.ts'
import { checkPlaces } from './check.ts'
import { node, problem, racked, share, slice, spot, whole } from './problem.suite.ts'
import type { PackingProblem } from './problem.ts'

const HALF_CARD = { kind: 'share', milli: 500 } as const
const cut = (profile: string, start: number) => ({ kind: 'slice', profile, start }) as const

describe('places that fit together', () => {
  test.each<[string, PackingProblem, readonly Spot[]]>([
    ['cards side by side', problem([node('a')], [whole(1), whole(1)]), [spot(0, [0]), spot(0, [1])]],
    [
      'shares of one card',
      problem([node('a', { parts: 'share' })], [share(500), share(500)]),
      [spot(0, [1], HALF_CARD), spot(0, [1], HALF_CARD)],
    ],
    [
      'slices of one card',
      problem([node('a', { parts: 'mig' })], [slice(40), slice(10)]),
      [spot(0, [0], cut('3g.40gb', 4)), spot(0, [0], cut('1g.10gb', 0))],
    ],
    ['a whole card for a slice of one that is not cut', problem([node('a')], [slice(10)]), [spot(0, [0])]],
    [
      'whole cards for slices of several',
      problem([node('a', { parts: 'mig' })], [slice(10, { count: 2 })]),
      [spot(0, [0, 1])],
    ],
    ['work without cards', problem([node('a', { cards: 0, model: undefined })], [whole(0)]), [spot(0, [])]],
  ])('%s', (_, given, spots) => {
    expect(
      checkPlaces(
        given,
        spots.map((each) => [each]),
      ),
    ).toEqual([])
  })
})

describe('places that do not fit together:', () => {
  test.each<[string, PackingProblem, readonly Spot[]]>([
    ['card 1 is taken more than once', problem([node('a')], [whole(2), whole(1)]), [spot(0, [0, 1]), spot(0, [1])]],
    [
      'card 0 is taken more than once',
      problem([node('a', { parts: 'share' })], [share(500), share(600)]),
      [spot(0, [0], HALF_CARD), spot(0, [0], { kind: 'share', milli: 600 })],
    ],
    [
      'card 0 is taken more than once',
      problem([node('a', { parts: 'mig' })], [slice(40), slice(10)]),
      [spot(0, [0], cut('3g.40gb', 4)), spot(0, [0], cut('1g.10gb', 5))],
    ],
    [
      'card 0 is taken more than once',
      problem([node('a')], [whole(1)], [{ request: whole(1), spot: spot(0, [0]) }]),
      [spot(0, [0])],
    ],
    ['1 cards instead of 2', problem([node('a')], [whole(2)]), [spot(0, [0])]],
    ['a card twice', problem([node('a')], [whole(2)]), [spot(0, [0, 0])]],
    ['a card that is not there or fails', problem([node('a')], [whole(1)]), [spot(0, [2])]],
    ['a card that is not there or fails', problem([node('a', { failing: [0] })], [whole(1)]), [spot(0, [0])]],
    ['a node that does not exist', problem([node('a')], [whole(1)]), [spot(1, [0])]],
    ['its model h100-sxm was not requested', problem([node('a')], [whole(1, { models: ['l40s'] })]), [spot(0, [0])]],
    ['whole instead of share 500', problem([node('a', { parts: 'share' })], [share(500)]), [spot(0, [0])]],
    ['share 500 instead of whole', problem([node('a', { parts: 'share' })], [whole(1)]), [spot(0, [0], HALF_CARD)]],
    ['a card that is not shared', problem([node('a')], [share(500)]), [spot(0, [0], HALF_CARD)]],
    [
      '2g.20gb instead of 1g.10gb',
      problem([node('a', { parts: 'mig' })], [slice(10)]),
      [spot(0, [0], cut('2g.20gb', 0))],
    ],
    ['whole instead of 1g.10gb', problem([node('a', { parts: 'mig' })], [slice(10)]), [spot(0, [0])]],
    ['whole instead of nothing', problem([node('a', { parts: 'mig' })], [slice(90)]), [spot(0, [0])]],
    ['9 cpuMilli of 8', problem([node('a', { cpuMilli: 8 })], [whole(1, { cpuMilli: 9 })]), [spot(0, [0])]],
    [
      '9 memoryMib of 8',
      problem(
        [node('a', { memoryMib: 8 })],
        [whole(1, { memoryMib: 4 })],
        [{ request: whole(1, { memoryMib: 5 }), spot: spot(0, [1]) }],
      ),
      [spot(0, [0])],
    ],
    ['1 diskMib of 0', problem([node('a')], [whole(1, { diskMib: 1 })]), [spot(0, [0])]],
  ])('%s', (what, given, spots) => {
    const wrong = checkPlaces(
      given,
      spots.map((each) => [each]),
    )
    expect(wrong.map((each) => each.replace(/^a: /, ''))).toContain(what)
  })

  test('tenants that lie badly are not the fault of what was placed', () => {
    const pressure = [0, 1].map(() => ({ request: whole(1, { diskMib: 5 }), spot: spot(0, [0]) }))
    expect(checkPlaces(problem([node('a')], [whole(1)], pressure), [[spot(0, [1])]])).toEqual([])
  })
})

describe('a gang', () => {
  const nodes = [racked('a', 'r1'), racked('b', 'r1'), racked('c', 'r2'), racked('d', undefined)]
  const gang = (within?: 'rack') => problem(nodes, [{ request: whole(2), gang: { nodes: 2, within } }])
  const on = (...each: readonly number[]) => [each.map((index) => spot(index, [0, 1]))]

  test('fits with all workers on nodes of their own, in one domain', () => {
    expect(checkPlaces(gang('rack'), on(0, 1))).toEqual([])
    expect(checkPlaces(gang(), on(0, 3))).toEqual([])
    expect(checkPlaces(gang('rack'), [undefined])).toEqual([])
  })

  test('does not fit in part, on one node, or in two domains', () => {
    expect(checkPlaces(gang(), on(0))).toContain('1 workers of 2')
    expect(checkPlaces(gang(), on(0, 0))).toContain('two workers of a gang on one node')
    expect(checkPlaces(gang('rack'), on(1, 2))).toContain('a gang is not within one rack')
    expect(checkPlaces(gang('rack'), on(2, 3))).toContain('a gang is not within one rack')
  })
})
