import { describe, expect, test } from 'vitest'
import { atLeast } from '../need/range.ts'
import type { Machine } from '../../offer/machine.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { computeCapability as key } from './compute-capability.ts'
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

const computeCapability = gpuFilter(key)

const NEEDS_9 = gpuNeed({ capability: atLeast(version('9.0')) })

function card(capability: string | undefined): Machine {
  return machine({ gpu: gpu({ capability: capability === undefined ? undefined : version(capability) }) })
}

describe('compute-capability', () => {
  test('the capability asked for and newer ones will do', () => {
    expect(computeCapability.check(card('9.0'), NEEDS_9, NOW_MS)).toBeUndefined()
    expect(computeCapability.check(card('10.0'), NEEDS_9, NOW_MS)).toBeUndefined()
  })

  test('an older card is turned down, and whole numbers keep their zero', () => {
    const reason = computeCapability.check(card('8.9'), NEEDS_9, NOW_MS)
    expect(reason).toEqual({ code: 'CAPABILITY_TOO_LOW', wanted: '9.0', found: '8.9' })
    expect(inWords(computeCapability, reason)).toBe('compute capability under 9.0; clears: never')
    expect(computeCapability.check(card('8.0'), NEEDS_9, NOW_MS)?.found).toBe('8.0')
  })

  test('accelerators of other makers have none', () => {
    const reason = computeCapability.check(card(undefined), NEEDS_9, NOW_MS)
    expect(reason).toEqual({ code: 'CAPABILITY_UNKNOWN', wanted: '9.0', found: undefined })
    expect(inWords(computeCapability, reason)).toBe('has no compute capability to compare with 9.0; clears: never')
  })

  test('it says nothing where no capability, no GPU or no card is in question', () => {
    expect(computeCapability.check(card('3.0'), gpuNeed(), NOW_MS)).toBeUndefined()
    expect(computeCapability.check(card('3.0'), need(), NOW_MS)).toBeUndefined()
    expect(computeCapability.check(NO_GPU_INSIDE, NEEDS_9, NOW_MS)).toBeUndefined()
  })

  test('loosening goes down to the capabilities on offer', () => {
    expect(loosened(computeCapability, NEEDS_9, [card('7.5'), card('8.0')])).toEqual([
      { change: 'resources.gpu.min_compute_capability: 9.0 -> 8.0', admits: [false, true] },
      { change: 'resources.gpu.min_compute_capability: 9.0 -> 7.5', admits: [true, true] },
    ])
  })
})
