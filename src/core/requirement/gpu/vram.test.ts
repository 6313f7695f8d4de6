import { describe, expect, test } from 'vitest'
import { atLeast } from '../need/range.ts'
import type { Machine } from '../../offer/machine.ts'
import { gpu, gpuNeed, inWords, loosened, machine, need, NO_GPU_INSIDE, NOW_MS } from '../filter/facts.suite.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { vram as key } from './vram.ts'

const vram = gpuFilter(key)

const NEEDS_80 = gpuNeed({ vramGib: atLeast(80) })

function card(vramGib: number): Machine {
  return machine({ gpu: gpu({ vramGib }) })
}

describe('vram', () => {
  test('a card of exactly the size asked for will do, and so will a larger one', () => {
    expect(vram.check(card(80), NEEDS_80, NOW_MS)).toBeUndefined()
    expect(vram.check(card(81), NEEDS_80, NOW_MS)).toBeUndefined()
  })

  test('a card that is a little too small is turned down with both sizes', () => {
    const reason = vram.check(card(79.5), NEEDS_80, NOW_MS)
    expect(reason).toEqual({ code: 'VRAM_TOO_SMALL', wanted: '80Gi', found: '79.5Gi' })
    expect(inWords(vram, reason)).toBe('under 80Gi of GPU memory; clears: never')
  })

  test('it says nothing where no size, no GPU or no card is in question', () => {
    expect(vram.check(card(1), gpuNeed(), NOW_MS)).toBeUndefined()
    expect(vram.check(card(1), need(), NOW_MS)).toBeUndefined()
    expect(vram.check(NO_GPU_INSIDE, NEEDS_80, NOW_MS)).toBeUndefined()
  })

  test('a missing size has its own text', () => {
    const reason = { code: 'VRAM_UNKNOWN', wanted: '80Gi', found: undefined }
    expect(inWords(vram, reason)).toBe('does not say how much GPU memory it has; clears: never')
  })

  test('loosening goes down to the sizes on offer, nearest first', () => {
    expect(loosened(vram, NEEDS_80, [card(24), card(48), card(24)])).toEqual([
      { change: 'resources.gpu.min_vram: 80Gi -> 48Gi', admits: [false, true, false] },
      { change: 'resources.gpu.min_vram: 80Gi -> 24Gi', admits: [true, true, true] },
    ])
  })
})
