import { describe, expect, test } from 'vitest'
import { noneOf, oneOf } from '../need/choice.ts'
import { gpu, gpuNeed, inWords, loosened, machine, need, NO_GPU_INSIDE, NOW_MS } from '../filter/facts.suite.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { vendor as key } from './vendor.ts'

const vendor = gpuFilter(key)

const NEEDS_NVIDIA = gpuNeed({ vendor: oneOf(['nvidia']) })
const AMD = machine({ gpu: gpu({ vendor: 'amd' }) })
const INTEL = machine({ gpu: gpu({ vendor: 'intel' }) })

describe('vendor', () => {
  test('a card of a maker asked for will do', () => {
    expect(vendor.check(machine(), NEEDS_NVIDIA, NOW_MS)).toBeUndefined()
    expect(vendor.check(AMD, gpuNeed({ vendor: oneOf(['nvidia', 'amd']) }), NOW_MS)).toBeUndefined()
  })

  test('a card of another maker is turned down', () => {
    const reason = vendor.check(AMD, NEEDS_NVIDIA, NOW_MS)
    expect(reason).toEqual({ code: 'WRONG_VENDOR', wanted: 'nvidia', found: 'amd' })
    expect(inWords(vendor, reason)).toBe('not made by nvidia; clears: never')
  })

  test('it says nothing where any maker, no GPU or no card is in question', () => {
    expect(vendor.check(AMD, gpuNeed(), NOW_MS)).toBeUndefined()
    expect(vendor.check(AMD, need(), NOW_MS)).toBeUndefined()
    expect(vendor.check(NO_GPU_INSIDE, NEEDS_NVIDIA, NOW_MS)).toBeUndefined()
  })

  test('loosening adds one maker at a time, in alphabetical order', () => {
    expect(loosened(vendor, NEEDS_NVIDIA, [INTEL, AMD, NO_GPU_INSIDE, AMD])).toEqual([
      { change: 'resources.gpu.vendor: [nvidia] -> [amd, nvidia]', admits: [false, true, true, true] },
      { change: 'resources.gpu.vendor: [nvidia] -> [intel, nvidia]', admits: [true, false, true, false] },
    ])
    expect(loosened(vendor, gpuNeed({ vendor: noneOf(['amd', 'intel']) }), [AMD])).toEqual([
      { change: 'resources.gpu.vendor: anything but amd or intel -> anything but intel', admits: [true] },
    ])
    expect(loosened(vendor, need(), [AMD])).toEqual([])
  })
})
