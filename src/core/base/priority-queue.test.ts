import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from './laws.suite.ts'
import { PriorityQueue } from './priority-queue.ts'

const isLess = (one: readonly number[], two: readonly number[]): boolean =>
  (one[0] ?? 0) < (two[0] ?? 0) || (one[0] === two[0] && (one[1] ?? 0) < (two[1] ?? 0))

test('gives what a sorted list would give, however pushes and pops follow each other', () => {
  const step = fc.oneof(fc.constant('pop' as const), fc.integer({ min: 0, max: 9 }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new PriorityQueue<readonly number[]>(isLess)
      let sorted: (readonly number[])[] = []
      for (const [turn, each] of steps.entries()) {
        if (each === 'pop') expect(queue.pop()).toEqual(sorted.shift())
        else {
          queue.push([each, turn])
          sorted = [...sorted, [each, turn]].toSorted((one, two) => (isLess(one, two) ? -1 : 1))
        }
        expect([queue.size, queue.top]).toEqual([sorted.length, sorted[0]])
      }
    }),
    cases(300),
  )
})
