import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Heap } from './heap.ts'
import { cases } from '../../base/laws.suite.ts'

type Entry = readonly [key: number, cohort: number, birth: number]
type Step = readonly ['push' | 'replace', Entry] | readonly ['drop'] | readonly ['clear']

const entry = fc.tuple(fc.integer({ min: -20, max: 20 }), fc.nat(), fc.nat())
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('push' as const), entry) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('replace' as const), entry) },
  { weight: 3, arbitrary: fc.constant(['drop'] as const) },
  { weight: 1, arbitrary: fc.constant(['clear'] as const) },
)

describe('a queue of candidates', () => {
  test('holds what was put in and not taken out, the highest key on top, each with its own cohort and birth', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const heap = new Heap()
        let held: Entry[] = []
        for (const [what, added] of steps) {
          if (what === 'clear') held = []
          else if (what !== 'push' && held.length === 0) continue
          else if (what !== 'push')
            held.splice(
              held.findIndex((one) => isSame(one, entriesOf(heap)[0])),
              1,
            )
          act(heap, what, added)
          if (added !== undefined) held.push(added)
          const entries = entriesOf(heap)
          expect(entries.toSorted(inOrder)).toEqual(held.toSorted(inOrder))
          expect(heap.size).toBe(held.length)
          expect(entries[0]?.[0]).toEqual(held.length === 0 ? undefined : Math.max(...held.map(([key]) => key)))
        }
      }),
      cases(500),
    )
  })

  test('gives everything back in order', () => {
    fc.assert(
      fc.property(fc.array(entry), (entries) => {
        const heap = new Heap()
        for (const [key, cohort, birth] of entries) heap.push(key, cohort, birth)
        const keys: number[] = []
        while (heap.size > 0) {
          keys.push(heap.keys[0] ?? Number.NaN)
          heap.dropTop()
        }
        expect(keys).toEqual(entries.map(([key]) => key).toSorted((one, two) => two - one))
      }),
    )
  })

  test('no key is higher than the one above it', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        const heap = new Heap()
        for (const [what, added] of steps) {
          if (what === 'replace' && heap.size === 0) continue
          act(heap, what, added)
          const { keys } = heap
          expect(keys.every((key, at) => at === 0 || key <= (keys[(at - 1) >> 1] ?? Number.NaN))).toBe(true)
        }
      }),
    )
  })

  test('there is nothing to take out of an empty one', () => {
    const heap = new Heap()
    heap.dropTop()
    expect(entriesOf(heap)).toEqual([])
  })
})

function act(heap: Heap, what: Step[0], [key, cohort, birth]: Entry = [0, 0, 0]): void {
  switch (what) {
    case 'push':
      return heap.push(key, cohort, birth)
    case 'replace':
      return heap.replaceTop(key, cohort, birth)
    case 'drop':
      return heap.dropTop()
    case 'clear':
      return heap.clear()
  }
}

function entriesOf({ keys, cohorts, births }: Heap): readonly Entry[] {
  expect([cohorts.length, births.length]).toEqual([keys.length, keys.length])
  return keys.map((key, at) => [key, cohorts[at] ?? Number.NaN, births[at] ?? Number.NaN])
}

function isSame(one: Entry, two: Entry | undefined): boolean {
  return two !== undefined && inOrder(one, two) === 0
}

function inOrder(one: Entry, two: Entry): number {
  return one[0] - two[0] || one[1] - two[1] || one[2] - two[2]
}
