import { describe, expect, test } from 'vitest'
import { atLeast } from '../need/range.ts'
import type { Machine } from '../../offer/machine.ts'
import { gpu, gpuNeed, inWords, loosened, machine, need, NO_GPU_INSIDE, NOW_MS } from '../filter/facts.suite.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { usableVram as key } from './usable-vram.ts'

const usableVram = gpuFilter(key)

const NEEDS_79 = gpuNeed({ usableGib: atLeast(79) })

function card(usableMib: number | undefined): Machine {
  return machine({ gpu: gpu({ usableMib }) })
}

describe('usable-vram', () => {
  test('what the driver reports must reach what is asked for, whatever the box says', () => {
    expect(usableVram.check(card(79 * 1024), NEEDS_79, NOW_MS)).toBeUndefined()
    expect(usableVram.check(card(79 * 1024 + 1), NEEDS_79, NOW_MS)).toBeUndefined()
    const reason = usableVram.check(card(79 * 1024 - 1), NEEDS_79, NOW_MS)
    expect(reason).toEqual({ code: 'USABLE_VRAM_TOO_SMALL', wanted: '79Gi', found: '78.999Gi' })
    expect(inWords(usableVram, reason)).toBe('under 79Gi of usable GPU memory; clears: never')
  })

  test('a card without a measured size is an unknown', () => {
    const reason = usableVram.check(card(undefined), NEEDS_79, NOW_MS)
    expect(reason).toEqual({ code: 'USABLE_VRAM_UNKNOWN', wanted: '79Gi', found: undefined })
    expect(inWords(usableVram, reason)).toBe('does not say whether it has 79Gi of usable GPU memory; clears: never')
  })

  test('it says nothing where no size, no GPU or no card is in question', () => {
    expect(usableVram.check(card(1), gpuNeed(), NOW_MS)).toBeUndefined()
    expect(usableVram.check(card(1), need(), NOW_MS)).toBeUndefined()
    expect(usableVram.check(NO_GPU_INSIDE, NEEDS_79, NOW_MS)).toBeUndefined()
  })

  test('loosening rounds down to what can be printed, so that what is printed admits the card', () => {
    expect(loosened(usableVram, NEEDS_79, [card(22_888), card(undefined)])).toEqual([
      { change: 'resources.gpu.min_usable_vram: 79Gi -> 22.351Gi', admits: [true, false] },
    ])
  })
})
