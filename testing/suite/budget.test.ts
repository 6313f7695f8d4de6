import { expect, test } from 'vitest'
import { fairSeconds, overBudget, type Measured } from './budget.ts'

const IDLE: Measured = { tookS: 100, processors: 2, othersS: 0, slowness: 1 }

test('on two idle processors a run counts as what it took', () => {
  expect(fairSeconds(IDLE)).toBe(100)
})

test('what others take of the processors does not count', () => {
  // Two threads of ours beside one of another's: we get four thirds of the two processors.
  expect(fairSeconds({ ...IDLE, tookS: 150, othersS: 100 })).toBeCloseTo(100)
  expect(fairSeconds({ ...IDLE, othersS: -1 })).toBe(100)
})

test('a single processor, or a slow one, is given more time; more processors are not given less', () => {
  expect(fairSeconds({ ...IDLE, processors: 1 })).toBe(50)
  expect(fairSeconds({ ...IDLE, slowness: 2 })).toBe(50)
  expect(fairSeconds({ ...IDLE, processors: 8 })).toBe(100)
})

test('a run within its budget is not spoken of', () => {
  expect(overBudget(IDLE, 100, [])).toBeUndefined()
})

test('one over its budget is told with the slowest ten, slowest first', () => {
  const timed = Array.from({ length: 12 }, (_, at) => ({ name: `test ${at}`, ms: 1000 * at }))
  expect(overBudget(IDLE, 99, timed)?.split('\n')).toEqual([
    'The tests took 100 s, which counts as 100 s on 2 idle processors; their budget is 99 s.',
    'Make what you added quicker, or give it a small size for npm test and its full size for npm run test:all',
    '(src/core/base/laws.suite.ts says how). The slowest ten:',
    '    11.0 s  test 11',
    ...[10, 9, 8, 7, 6, 5, 4, 3, 2].map((at) => `${at.toFixed(1).padStart(8)} s  test ${at}`),
  ])
})
