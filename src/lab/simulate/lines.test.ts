import { describe, expect, test } from 'vitest'
import { Kinds } from '../../core/pack/engine/kinds.ts'
import { shapesOf } from '../../core/pack/engine/states.ts'
import type { Request } from '../../core/fleet/fleet.ts'
import { ArrivalLines, type Single } from './lines.ts'
import { arrivalOf, cardsOf, fleetOf } from './simulate.suite.ts'

const kinds = new Kinds(shapesOf(fleetOf(1, 8).nodes).pools)

function single(name: string, request: Request, priority = 0): Single {
  return { arrival: arrivalOf(name, request, { priority }), kind: kinds.of(request) }
}

function linesOf(...singles: readonly Single[]): ArrivalLines {
  const lines = new ArrivalLines()
  for (const each of singles) lines.add(each)
  return lines
}

/** Who is tried, in turn; those in `fits` are placed. */
function tried(
  lines: ArrivalLines,
  fits: readonly string[],
  which: 'all' | 'new' = 'all',
  priority?: number,
): readonly string[] {
  const names: string[] = []
  lines.serve({ which, priority }, ({ arrival: { name } }) => {
    names.push(name)
    return fits.includes(name)
  })
  return names
}

describe('lines', () => {
  test('the higher priority is tried first, then who came first', () => {
    const lines = linesOf(single('a', cardsOf(1)), single('b', cardsOf(2), 5), single('c', cardsOf(3)))
    expect(tried(lines, ['a', 'b', 'c'])).toEqual(['b', 'a', 'c'])
    expect(lines.waiting()).toEqual([])
  })

  test('an arrival behind another of the same kind waits for its turn', () => {
    const lines = linesOf(single('a', cardsOf(1)), single('b', cardsOf(1)), single('c', cardsOf(2)))
    expect(tried(lines, ['c'])).toEqual(['a', 'c'])
    expect(lines.waiting().map(({ arrival }) => arrival.name)).toEqual(['a', 'b'])
    expect(tried(lines, ['a', 'b'])).toEqual(['a', 'b'])
  })

  test('only lines with a new first are tried until something leaves', () => {
    const lines = linesOf(single('a', cardsOf(1)))
    tried(lines, [])
    lines.add(single('b', cardsOf(1)))
    lines.add(single('c', cardsOf(2)))
    expect(tried(lines, [], 'new')).toEqual(['c'])
    expect(tried(lines, [], 'new')).toEqual([])
    expect(tried(lines, [])).toEqual(['a', 'c'])
  })

  test('one priority can be served alone', () => {
    const lines = linesOf(single('a', cardsOf(1)), single('b', cardsOf(1), 5))
    expect(lines.priorities()).toEqual([0, 5])
    expect(tried(lines, ['a', 'b'], 'all', 5)).toEqual(['b'])
    expect(lines.priorities()).toEqual([0])
  })

  test('a long line keeps its order while it is cut down', () => {
    const names = Array.from({ length: 3000 }, (_, index) => `n-${index}`)
    const lines = linesOf(...names.map((name) => single(name, cardsOf(1))))
    expect(tried(lines, names.slice(0, 2000))).toEqual(names.slice(0, 2001))
    expect(lines.waiting().map(({ arrival }) => arrival.name)).toEqual(names.slice(2000))
  })
})
