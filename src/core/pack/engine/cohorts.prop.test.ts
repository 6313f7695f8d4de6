import fc from 'fast-check'
import { expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { cards, node } from './fleet.suite.ts'
import { Cohorts, type Writing } from './cohorts.ts'
import { shapesOf, States } from './states.ts'
import { cases } from '../../base/laws.suite.ts'

const NODES = 24
const { of } = shapesOf([node('a'), node('b', { model: 'other', cards: cards(1) })])

/** Which node goes into which state; few states, or even fewer, so that nodes meet and cohorts have long lives. */
const moves = fc
  .constantFrom(11, 3, 1)
  .chain((max) => fc.array(fc.tuple(fc.nat({ max: NODES - 1 }), fc.nat({ max })), { maxLength: 400, size: 'max' }))

test('nodes in the same state share a cohort, and only those, whatever way they came there', () => {
  fc.assert(
    fc.property(moves, (steps) => {
      const cohorts = new Cohorts(new States(2, 2), 2)
      const stateOf = new Map<number, number>()
      const rowOf = new Map<number, number>()
      const go = (rank: number, state: number): void => {
        const from = rowOf.get(rank)
        rowOf.delete(rank)
        if (from !== undefined) cohorts.leave(from, (one) => rowOf.get(one) === from)
        const writing = write(rank, state)
        const found = cohorts.find(writing)
        const row = found < 0 ? cohorts.bear(writing) : found
        cohorts.join(row, rank)
        rowOf.set(rank, row)
        stateOf.set(rank, state)
      }
      for (let rank = 0; rank < NODES; rank++) go(rank, rank % 2)
      for (const [rank, state] of steps) {
        go(rank, state)
        expectSound(cohorts, { stateOf, rowOf })
      }
    }),
    cases(150),
  )
})

/** Each cohort has the nodes of one state, knows the first of them and how many there are, and lives in one list. */
function expectSound(
  cohorts: Cohorts,
  { stateOf, rowOf }: { stateOf: ReadonlyMap<number, number>; rowOf: ReadonlyMap<number, number> },
): void {
  const groups = Map.groupBy(rowOf.keys(), (rank) => `${rank % 2} ${stateOf.get(rank)}`)
  const seen = [...groups.values()].map((ranks) => {
    const row = must(rowOf.get(must(ranks[0], 'one at least')), 'it has a row')
    const together = ranks.every((rank) => rowOf.get(rank) === row)
    return { row, together, first: cohorts.first[row], count: cohorts.count[row], odd: (cohorts.birth[row] ?? 0) % 2 }
  })
  const should = [...groups.values()].map((ranks, at) => ({
    row: seen[at]?.row,
    together: true,
    first: Math.min(...ranks),
    count: ranks.length,
    odd: 1,
  }))
  expect(seen).toEqual(should)
  expect(cohorts.alive.flat().toSorted((one, two) => one - two)).toEqual(
    seen.map(({ row }) => row).toSorted((one, two) => one - two),
  )
}

/** Even nodes are of one shape, odd ones of another. */
function write(rank: number, state: number): Writing {
  return {
    shape: must(of[rank % 2], 'a shape'),
    amounts: Float64Array.from([state % 3, Math.floor(state / 3), 0]),
    codes: Int16Array.from([state, 0]),
  }
}
