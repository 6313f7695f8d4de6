import { describe, expect, test } from 'vitest'
import { atLeast } from '../need/range.ts'
import type { Machine } from '../../offer/machine.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { count as key } from './count.ts'
import { gpu, gpuNeed, inWords, loosened, machine, need, NO_GPU_INSIDE, NOW_MS } from '../filter/facts.suite.ts'

const count = gpuFilter(key)

const NEEDS_4 = gpuNeed({ count: atLeast(4) })

function cards(number: number): Machine {
  return machine({ gpu: gpu({ count: number }) })
}

describe('count', () => {
  test('as many cards as asked for will do, and so will more', () => {
    expect(count.check(cards(4), NEEDS_4, NOW_MS)).toBeUndefined()
    expect(count.check(cards(8), NEEDS_4, NOW_MS)).toBeUndefined()
  })

  test('one card too few is turned down', () => {
    const reason = count.check(cards(3), NEEDS_4, NOW_MS)
    expect(reason).toEqual({ code: 'TOO_FEW_GPUS', wanted: '4', found: '3' })
    expect(inWords(count, reason)).toBe('fewer than 4 GPUs in one machine; clears: never')
  })

  test('a missing number has its own text', () => {
    const reason = { code: 'GPU_COUNT_UNKNOWN', wanted: '4', found: undefined }
    expect(inWords(count, reason)).toBe('does not say how many GPUs it has; clears: never')
  })

  test('it says nothing where no number, no GPU or no card is in question', () => {
    expect(count.check(cards(1), gpuNeed(), NOW_MS)).toBeUndefined()
    expect(count.check(cards(1), need(), NOW_MS)).toBeUndefined()
    expect(count.check(NO_GPU_INSIDE, NEEDS_4, NOW_MS)).toBeUndefined()
  })

  test('loosening goes down to the numbers on offer', () => {
    expect(loosened(count, NEEDS_4, [cards(1), cards(2)])).toEqual([
      { change: 'resources.gpu.count: 4 -> 2', admits: [false, true] },
      { change: 'resources.gpu.count: 4 -> 1', admits: [true, true] },
    ])
  })
})
