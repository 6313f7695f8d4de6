import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { IDLE } from './card-code.ts'
import { cards, node } from './fleet.suite.ts'
import { RANKS, Slots, type Writing } from './slots.ts'
import { shapesOf, States, type Shape } from './states.ts'

const { of } = shapesOf([node('a'), node('b', { cards: cards(3) }), node('c', { model: 'other' })])
const [SMALL, LARGE, OTHER] = of

describe('a slot', () => {
  test('is found by its state once it is born, and not before', () => {
    const slots = slotsFor(4)
    const state = write(SMALL, { cpu: 10 })
    expect(slots.find(state)).toBe(-1)
    const row = slots.bear(state)
    expect(slots.find(state)).toBe(row)
    expect(slots.find(write(SMALL, { cpu: 10 }))).toBe(row)
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
    const slots = slotsFor(4)
    slots.bear(write(SMALL, { cpu: 10 }))
    expect(slots.find(other)).toBe(-1)
  })

  // Looking slots up begins with whole numbers: these are alike until everything is compared.
  test.each(['cpu', 'memory', 'disk'] as const)('is not found by a state that is nearly the same: %s', (what) => {
    const slots = slotsFor(4)
    const rows = [0.25, 0.5, 0.75].map((amount) => slots.bear(write(SMALL, { [what]: amount })))
    expect([0.25, 0.5, 0.75].map((amount) => slots.find(write(SMALL, { [what]: amount })))).toEqual(rows)
    expect(slots.find(write(SMALL, { [what]: 0.125 }))).toBe(-1)
    for (const row of rows) slots.join(row, row)
    slots.leave(rows[1] ?? -1, () => false)
    expect([0.25, 0.5, 0.75].map((amount) => slots.find(write(SMALL, { [what]: amount })))).toEqual([
      rows[0],
      -1,
      rows[2],
    ])
  })

  test('has its state written in its row', () => {
    const slots = slotsFor(4)
    slots.bear(write(SMALL, {}))
    const row = slots.bear(write(LARGE, { cpu: 10, memory: 20, disk: 30, codes: [IDLE, 500, IDLE] }))
    const { states } = slots
    expect([states.cpu[row], states.memory[row], states.disk[row]]).toEqual([10, 20, 30])
    expect([...states.codes.subarray(row * states.width, (row + 1) * states.width)]).toEqual([IDLE, 500, IDLE])
    expect([states.idle[row], states.cards[row], states.pool[row]]).toEqual([2, 3, LARGE?.pool])
    expect(states.shape[row]).toBe(LARGE)
  })

  test('lives in the list of its pool from birth to death', () => {
    const slots = slotsFor(4)
    const first = slots.bear(write(SMALL, { cpu: 1 }))
    const second = slots.bear(write(SMALL, { cpu: 2 }))
    const other = slots.bear(write(OTHER, {}))
    for (const row of [first, second, other]) slots.join(row, row)
    expect(slots.alive).toEqual([[first, second], [other]])
    slots.leave(first, () => false)
    expect(slots.alive).toEqual([[second], [other]])
    expect(slots.find(write(SMALL, { cpu: 1 }))).toBe(-1)
    slots.leave(second, () => false)
    slots.leave(other, () => false)
    expect(slots.alive).toEqual([[], []])
  })

  test('has another birth number than the one that had its row before; odd while it lives', () => {
    const slots = slotsFor(4)
    const row = slots.bear(write(SMALL, {}))
    const births = [slots.birth[row]]
    slots.join(row, 0)
    slots.leave(row, () => false)
    births.push(slots.birth[row])
    expect(slots.bear(write(SMALL, { cpu: 5 }))).toBe(row)
    births.push(slots.birth[row])
    expect(births).toEqual([1, 2, 3])
    expect(slots.find(write(SMALL, {}))).toBe(-1)
  })
})

describe('the first node of a slot', () => {
  test('is none until one joins, then the lowest that is there; joining says when that has changed', () => {
    const slots = slotsFor(4)
    const row = slots.bear(write(SMALL, {}))
    expect(slots.first[row]).toBe(RANKS)
    expect([5, 7, 3, 4].map((rank) => slots.join(row, rank))).toEqual([true, false, true, false])
    expect([slots.first[row], slots.count[row]]).toEqual([3, 4])
  })

  test('is the next lowest when it leaves, whatever order the others leave in', () => {
    const slots = slotsFor(4)
    const row = slots.bear(write(SMALL, {}))
    const here = new Set([5, 2, 9, 4, 7])
    for (const rank of here) slots.join(row, rank)
    const firsts = [4, 2, 9, 5].map((rank) => {
      here.delete(rank)
      slots.leave(row, (one) => here.has(one))
      return slots.first[row]
    })
    expect(firsts).toEqual([2, 5, 5, 7])
    expect(slots.count[row]).toBe(1)
  })

  test('is right however often the others have left and come back', () => {
    const slots = slotsFor(4)
    const row = slots.bear(write(SMALL, {}))
    const here = new Set(Array.from({ length: 30 }, (_, rank) => rank))
    for (const rank of here) slots.join(row, rank)
    for (let turn = 0; turn < 300; turn++) {
      const rank = 1 + ((turn * 17) % 29)
      here.delete(rank)
      slots.leave(row, (one) => here.has(one))
      here.add(rank)
      slots.join(row, rank)
    }
    const firsts = Array.from({ length: 29 }, (_, rank) => {
      here.delete(rank)
      slots.leave(row, (one) => here.has(one))
      return slots.first[row]
    })
    expect(firsts).toEqual(Array.from({ length: 29 }, (_, rank) => rank + 1))
  })

  test('is right after nodes have left and come back many times', () => {
    const slots = slotsFor(4)
    const row = slots.bear(write(SMALL, {}))
    const here = new Set([0, 1])
    for (const rank of here) slots.join(row, rank)
    for (let turn = 0; turn < 100; turn++) {
      here.delete(1)
      slots.leave(row, (one) => here.has(one))
      here.add(1)
      slots.join(row, 1)
    }
    here.delete(0)
    slots.leave(row, (one) => here.has(one))
    expect([slots.first[row], slots.count[row]]).toEqual([1, 1])
  })
})

test('more slots than rows: nothing is lost when rows are doubled', () => {
  const slots = slotsFor(2)
  const states = Array.from({ length: 100 }, (_, cpu) => write(cpu % 2 === 0 ? SMALL : OTHER, { cpu, memory: -cpu }))
  const rows = states.map((state, rank) => {
    const row = slots.bear(state)
    slots.join(row, rank)
    return row
  })
  expect(slots.states.rows).toBe(128)
  expect(states.map((state) => slots.find(state))).toEqual(rows)
  expect(rows.map((row) => [slots.first[row], slots.count[row], slots.birth[row]])).toEqual(
    rows.map((_, rank) => [rank, 1, 1]),
  )
  for (const row of rows) slots.leave(row, () => false)
  expect(slots.alive).toEqual([[], []])
})

function slotsFor(rows: number): Slots {
  return new Slots(new States(rows, 3), 2)
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
