import { describe, expect, test } from 'vitest'
import { atLeast } from '../need/range.ts'
import type { GpuFacts, Machine } from '../../offer/machine.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { cuda as key } from './cuda.ts'
import {
  gpu,
  gpuNeed,
  inWords,
  loosened,
  machine,
  need,
  NO_GPU_INSIDE,
  NOW_MS,
  version,
} from '../filter/facts.suite.ts'

const cuda = gpuFilter(key)

const NEEDS_12_4 = gpuNeed({ cuda: atLeast(version('12.4')) })
const NEEDS_13 = gpuNeed({ cuda: atLeast(version('13.0')) })
const END_OF_12 = version('12.999.999')

function host(change: Partial<GpuFacts>): Machine {
  const silent = { driver: undefined, driverMin: undefined, cuda: undefined, cudaMax: undefined }
  return machine({ gpu: gpu({ ...silent, ...change }) })
}

describe('cuda', () => {
  test('a host that serves the version asked for will do, and so will a newer one', () => {
    expect(cuda.check(host({ cuda: version('12.4') }), NEEDS_12_4, NOW_MS)).toBeUndefined()
    expect(cuda.check(host({ cuda: version('12.8') }), NEEDS_12_4, NOW_MS)).toBeUndefined()
  })

  test('a host that serves an older version is turned down', () => {
    const reason = cuda.check(host({ cuda: version('12.3') }), NEEDS_12_4, NOW_MS)
    expect(reason).toEqual({ code: 'CUDA_TOO_OLD', wanted: '12.4', found: '12.3' })
    expect(inWords(cuda, reason)).toBe('cannot run CUDA 12.4; clears: never')
  })

  test('a driver alone implies the version; where the version is stated too, it counts', () => {
    expect(cuda.check(host({ driver: version('550.54.14') }), NEEDS_12_4, NOW_MS)).toBeUndefined()
    expect(cuda.check(host({ driver: version('545') }), NEEDS_12_4, NOW_MS)?.found).toBe('12.3')
    expect(cuda.check(host({ driver: version('545'), cuda: version('12.4') }), NEEDS_12_4, NOW_MS)).toBeUndefined()
  })

  test('a driver older than every known CUDA implies no version', () => {
    expect(cuda.check(host({ driver: version('390') }), NEEDS_12_4, NOW_MS)?.code).toBe('CUDA_UNKNOWN')
  })

  test('a host that states neither is an unknown', () => {
    const reason = cuda.check(host({}), NEEDS_12_4, NOW_MS)
    expect(reason).toEqual({ code: 'CUDA_UNKNOWN', wanted: '12.4', found: undefined })
    expect(inWords(cuda, reason)).toBe('does not say whether it can run CUDA 12.4; clears: never')
  })

  test('a card that needs a driver new enough settles it', () => {
    expect(cuda.check(host({ driverMin: version('550') }), NEEDS_12_4, NOW_MS)).toBeUndefined()
    expect(cuda.check(host({ driverMin: version('549.999') }), NEEDS_12_4, NOW_MS)?.code).toBe('CUDA_UNKNOWN')
    const future = gpuNeed({ cuda: atLeast(version('99')) })
    expect(cuda.check(host({ driverMin: version('550') }), future, NOW_MS)?.code).toBe('CUDA_UNKNOWN')
  })

  test('a card that this CUDA no longer supports is turned down, whatever its host serves', () => {
    const reason = { code: 'CUDA_TOO_OLD', wanted: '13', found: 'at most 12' }
    expect(cuda.check(host({ cudaMax: END_OF_12 }), NEEDS_13, NOW_MS)).toEqual(reason)
    expect(cuda.check(host({ cudaMax: END_OF_12, cuda: version('13.1') }), NEEDS_13, NOW_MS)).toEqual(reason)
    expect(cuda.check(host({ cudaMax: version('13.0'), cuda: version('13.1') }), NEEDS_13, NOW_MS)).toBeUndefined()
  })

  test('it says nothing where no CUDA, no GPU, no card or no NVIDIA card is in question', () => {
    expect(cuda.check(host({}), gpuNeed(), NOW_MS)).toBeUndefined()
    expect(cuda.check(host({}), need(), NOW_MS)).toBeUndefined()
    expect(cuda.check(NO_GPU_INSIDE, NEEDS_12_4, NOW_MS)).toBeUndefined()
    expect(cuda.check(host({ vendor: 'amd' }), NEEDS_12_4, NOW_MS)).toBeUndefined()
  })

  test('loosening goes down to the versions that hosts serve, newest first', () => {
    const refused = [host({ cuda: version('11.8') }), host({ driver: version('535') }), host({}), NO_GPU_INSIDE]
    expect(loosened(cuda, NEEDS_12_4, refused)).toEqual([
      { change: 'resources.gpu.min_cuda: 12.4 -> 12.2', admits: [false, true, false, true] },
      { change: 'resources.gpu.min_cuda: 12.4 -> 11.8', admits: [true, true, false, true] },
    ])
    expect(loosened(cuda, NEEDS_12_4, [host({ cuda: version('12.4') })])).toEqual([])
    expect(loosened(cuda, gpuNeed(), refused)).toEqual([])
    expect(loosened(cuda, need(), refused)).toEqual([])
  })

  test('loosening for a card that newer CUDA dropped names the branch it ends with', () => {
    const refused = [
      host({ cudaMax: END_OF_12, driver: version('580') }),
      host({ cudaMax: END_OF_12, cuda: version('12.2') }),
      host({ cudaMax: END_OF_12 }),
    ]
    expect(loosened(cuda, NEEDS_13, refused)).toEqual([
      { change: 'resources.gpu.min_cuda: 13 -> 12.2', admits: [true, true, false] },
      { change: 'resources.gpu.min_cuda: 13 -> 12', admits: [true, true, false] },
    ])
  })
})
