import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { IDLE } from './card-code.ts'
import { cards, node } from './fleet.suite.ts'
import { RANKS, Cohorts, type Writing } from './cohorts.ts'
import { shapesOf, States, type Shape } from './states.ts'

const { of } = shapesOf([node('a'), node('b', { cards: cards(3) }), node('c', { model: 'other' })])
const [SMALL, LARGE, OTHER] = of

describe('a cohort', () => {
  test('is found by its state once it is born, and not before', () => {
    const cohorts = cohortsFor(4)
    const state = write(SMALL, { cpu: 10 })
    expect(cohorts.find(state)).toBe(-1)
    const row = cohorts.bear(state)
    expect(cohorts.find(state)).toBe(row)
    expect(cohorts.find(write(SMALL, { cpu: 10 }))).toBe(row)
  })

  test.each([
    ['CPU', write(SMALL, { cpu: 11 })],
    ['memory', write(SMALL, { cpu: 10, memory: 1 })],
    ['disk', write(SMALL, { cpu: 10, disk: 1 })],
    ['cards', write(SMALL, { cpu: 10, codes: [IDLE, 500] })],
    ['order of cards', write(SMALL, { cpu: 10, codes: [500, IDLE] })],
    ['number of cards', write(LARGE, { cpu: 10, codes: [IDLE, IDLE, IDLE] })],
    ['pool', write(OTHER, { cpu: 10 })],
  ])('is not found by a state that differs in %s', (_, other) => {
    const cohorts = cohortsFor(4)
    cohorts.bear(write(SMALL, { cpu: 10 }))
    expect(cohorts.find(other)).toBe(-1)
  })

  // Looking cohorts up begins with whole numbers: these are alike until everything is compared.
  test.each(['cpu', 'memory', 'disk'] as const)('is not found by a state that is nearly the same: %s', (what) => {
    const cohorts = cohortsFor(4)
    const rows = [0.25, 0.5, 0.75].map((amount) => cohorts.bear(write(SMALL, { [what]: amount })))
    expect([0.25, 0.5, 0.75].map((amount) => cohorts.find(write(SMALL, { [what]: amount })))).toEqual(rows)
    expect(cohorts.find(write(SMALL, { [what]: 0.125 }))).toBe(-1)
    for (const row of rows) cohorts.join(row, row)
    cohorts.leave(rows[1] ?? -1, () => false)
    expect([0.25, 0.5, 0.75].map((amount) => cohorts.find(write(SMALL, { [what]: amount })))).toEqual([
      rows[0],
      -1,
      rows[2],
    ])
  })

  test('has its state written in its row', () => {
    const cohorts = cohortsFor(4)
    cohorts.bear(write(SMALL, {}))
    const row = cohorts.bear(write(LARGE, { cpu: 10, memory: 20, disk: 30, codes: [IDLE, 500, IDLE] }))
    const { states } = cohorts
    expect([states.cpu[row], states.memory[row], states.disk[row]]).toEqual([10, 20, 30])
    expect([...states.codes.subarray(row * states.width, (row + 1) * states.width)]).toEqual([IDLE, 500, IDLE])
    expect([states.idle[row], states.cards[row], states.pool[row]]).toEqual([2, 3, LARGE?.pool])
    expect(states.shape[row]).toBe(LARGE)
  })

  test('lives in the list of its pool from birth to death', () => {
    const cohorts = cohortsFor(4)
    const first = cohorts.bear(write(SMALL, { cpu: 1 }))
    const second = cohorts.bear(write(SMALL, { cpu: 2 }))
    const other = cohorts.bear(write(OTHER, {}))
    for (const row of [first, second, other]) cohorts.join(row, row)
    expect(cohorts.alive).toEqual([[first, second], [other]])
    cohorts.leave(first, () => false)
    expect(cohorts.alive).toEqual([[second], [other]])
    expect(cohorts.find(write(SMALL, { cpu: 1 }))).toBe(-1)
    cohorts.leave(second, () => false)
    cohorts.leave(other, () => false)
    expect(cohorts.alive).toEqual([[], []])
  })

  test('has another birth number than the one that had its row before; odd while it lives', () => {
    const cohorts = cohortsFor(4)
    const row = cohorts.bear(write(SMALL, {}))
    const births = [cohorts.birth[row]]
    cohorts.join(row, 0)
    cohorts.leave(row, () => false)
    births.push(cohorts.birth[row])
    expect(cohorts.bear(write(SMALL, { cpu: 5 }))).toBe(row)
    births.push(cohorts.birth[row])
    expect(births).toEqual([1, 2, 3])
    expect(cohorts.find(write(SMALL, {}))).toBe(-1)
  })
})

describe('the first node of a cohort', () => {
  test('is none until one joins, then the lowest that is there; joining says when that has changed', () => {
    const cohorts = cohortsFor(4)
    const row = cohorts.bear(write(SMALL, {}))
    expect(cohorts.first[row]).toBe(RANKS)
    expect([5, 7, 3, 4].map((rank) => cohorts.join(row, rank))).toEqual([true, false, true, false])
    expect([cohorts.first[row], cohorts.count[row]]).toEqual([3, 4])
  })

  test('is the next lowest when it leaves, whatever order the others leave in', () => {
    const cohorts = cohortsFor(4)
    const row = cohorts.bear(write(SMALL, {}))
    const here = new Set([5, 2, 9, 4, 7])
    for (const rank of here) cohorts.join(row, rank)
    const firsts = [4, 2, 9, 5].map((rank) => {
      here.delete(rank)
      cohorts.leave(row, (one) => here.has(one))
      return cohorts.first[row]
    })
    expect(firsts).toEqual([2, 5, 5, 7])
    expect(cohorts.count[row]).toBe(1)
  })

  test('is right however often the others have left and come back', () => {
    const cohorts = cohortsFor(4)
    const row = cohorts.bear(write(SMALL, {}))
    const here = new Set(Array.from({ length: 30 }, (_, rank) => rank))
    for (const rank of here) cohorts.join(row, rank)
    for (let turn = 0; turn < 300; turn++) {
      const rank = 1 + ((turn * 17) % 29)
      here.delete(rank)
      cohorts.leave(row, (one) => here.has(one))
      here.add(rank)
      cohorts.join(row, rank)
    }
    const firsts = Array.from({ length: 29 }, (_, rank) => {
      here.delete(rank)
      cohorts.leave(row, (one) => here.has(one))
      return cohorts.first[row]
    })
    expect(firsts).toEqual(Array.from({ length: 29 }, (_, rank) => rank + 1))
  })

  test('is right after nodes have left and come back many times', () => {
    const cohorts = cohortsFor(4)
    const row = cohorts.bear(write(SMALL, {}))
    const here = new Set([0, 1])
    for (const rank of here) cohorts.join(row, rank)
    for (let turn = 0; turn < 100; turn++) {
      here.delete(1)
      cohorts.leave(row, (one) => here.has(one))
      here.add(1)
      cohorts.join(row, 1)
    }
    here.delete(0)
    cohorts.leave(row, (one) => here.has(one))
    expect([cohorts.first[row], cohorts.count[row]]).toEqual([1, 1])
  })
})

test('more cohorts than rows: nothing is lost when rows are doubled', () => {
  const cohorts = cohortsFor(2)
  const states = Array.from({ length: 100 }, (_, cpu) => write(cpu % 2 === 0 ? SMALL : OTHER, { cpu, memory: -cpu }))
  const rows = states.map((state, rank) => {
    const row = cohorts.bear(state)
    cohorts.join(row, rank)
    return row
  })
  expect(cohorts.states.rows).toBe(128)
  expect(states.map((state) => cohorts.find(state))).toEqual(rows)
  expect(rows.map((row) => [cohorts.first[row], cohorts.count[row], cohorts.birth[row]])).toEqual(
    rows.map((_, rank) => [rank, 1, 1]),
  )
  for (const row of rows) cohorts.leave(row, () => false)
  expect(cohorts.alive).toEqual([[], []])
})

function cohortsFor(rows: number): Cohorts {
  return new Cohorts(new States(rows, 3), 2)
}

function write(
  shape: Shape | undefined,
  {
    cpu = 0,
    memory = 0,
    disk = 0,
    codes = [IDLE, IDLE],
  }: Partial<Record<'cpu' | 'memory' | 'disk', number>> & {
    readonly codes?: readonly number[]
  },
): Writing {
  return {
    shape: must(shape, 'a shape a node'),
    amounts: Float64Array.from([cpu, memory, disk]),
    codes: Int16Array.from(codes),
  }
}
