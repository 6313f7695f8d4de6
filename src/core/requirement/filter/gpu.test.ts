import { describe, expect, test } from 'vitest'
import { gpuNeed, inWords, loosened, machine, need, NO_GPU_INSIDE, NOW_MS } from './facts.suite.ts'
import { gpu } from './gpu.ts'

describe('gpu', () => {
  test('a machine without a GPU is turned down where one is asked for', () => {
    const reason = gpu.check(NO_GPU_INSIDE, gpuNeed(), NOW_MS)
    expect(reason).toEqual({ code: 'NO_GPU', wanted: 'a GPU', found: 'none' })
    expect(inWords(gpu, reason)).toBe('has no GPU; clears: never')
  })

  test('a machine with a GPU passes, whether or not one is asked for', () => {
    expect(gpu.check(machine(), gpuNeed(), NOW_MS)).toBeUndefined()
    expect(gpu.check(machine(), need(), NOW_MS)).toBeUndefined()
    expect(gpu.check(NO_GPU_INSIDE, need(), NOW_MS)).toBeUndefined()
  })

  test('no change to the manifest puts a GPU into a machine', () => {
    expect(gpu.final).toBe(true)
    expect(loosened(gpu, gpuNeed(), [NO_GPU_INSIDE])).toEqual([])
  })
})
