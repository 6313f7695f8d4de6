import { describe, expect, test } from 'vitest'
import type { Machine } from '../../offer/machine.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { arch as key, archSet } from './arch.ts'
import { gpu, gpuNeed, inWords, loosened, machine, need, NO_GPU_INSIDE, NOW_MS } from '../filter/facts.suite.ts'

const arch = gpuFilter(key)

const NEEDS_HOPPER = gpuNeed({ arch: archSet(['hopper']) })
const NEEDS_EITHER = gpuNeed({ arch: archSet(['hopper', 'ada']) })

function card(name: string, target: string | undefined): Machine {
  return machine({ gpu: gpu({ arch: name, target }) })
}

describe('arch', () => {
  test('a card whose binaries are among those asked for will do', () => {
    expect(arch.check(card('hopper', '9.0'), NEEDS_HOPPER, NOW_MS)).toBeUndefined()
    expect(arch.check(card('ada', '8.9'), NEEDS_EITHER, NOW_MS)).toBeUndefined()
  })

  test('another architecture is turned down by its target, not by its name', () => {
    const reason = arch.check(card('blackwell', '10.0'), NEEDS_EITHER, NOW_MS)
    expect(reason).toEqual({ code: 'WRONG_ARCH', wanted: 'hopper or ada', found: 'blackwell (10.0)' })
    expect(inWords(arch, reason)).toBe('not hopper or ada; clears: never')
    const ultra = gpuNeed({ arch: archSet(['blackwell-ultra']) })
    expect(arch.check(card('blackwell', '10.0'), ultra, NOW_MS)?.code).toBe('WRONG_ARCH')
    expect(arch.check(card('blackwell', '10.3'), ultra, NOW_MS)).toBeUndefined()
  })

  test('a card whose target the table does not know is an unknown', () => {
    const reason = arch.check(card('hopper', undefined), NEEDS_HOPPER, NOW_MS)
    expect(reason).toEqual({ code: 'ARCH_UNKNOWN', wanted: 'hopper', found: undefined })
    expect(inWords(arch, reason)).toBe('does not say whether it is hopper; clears: never')
  })

  test('it says nothing where no architecture, no GPU or no card is in question', () => {
    expect(arch.check(card('volta', undefined), gpuNeed(), NOW_MS)).toBeUndefined()
    expect(arch.check(card('volta', '7.0'), need(), NOW_MS)).toBeUndefined()
    expect(arch.check(NO_GPU_INSIDE, NEEDS_HOPPER, NOW_MS)).toBeUndefined()
  })

  test('loosening adds one architecture at a time; those of other names in alphabetical order', () => {
    const refused = [card('volta', '7.0'), card('ampere', '8.6'), card('ampere', '8.0'), NO_GPU_INSIDE]
    expect(loosened(arch, NEEDS_EITHER, refused)).toEqual([
      { change: 'resources.gpu.arch: [hopper, ada] -> [hopper, ada, ampere]', admits: [false, true, true, true] },
      { change: 'resources.gpu.arch: [hopper, ada] -> [hopper, ada, volta]', admits: [true, false, false, true] },
    ])
  })

  test('an architecture of the same name comes first, with what its cards are called', () => {
    const blackwell = gpuNeed({ arch: archSet(['blackwell']) })
    const steps = arch.loosen?.(blackwell, [card('ada', '8.9'), card('blackwell-rtx', '12.0')])
    expect(steps?.map(({ to, note, share }) => ({ to, note, share }))).toEqual([
      {
        to: '[blackwell, blackwell-rtx]',
        note: 'RTX PRO and RTX 50 cards are blackwell-rtx: code built for blackwell does not run on them.',
        share: 1,
      },
      { to: '[blackwell, ada]', note: undefined, share: undefined },
    ])
    const rtx = gpuNeed({ arch: archSet(['blackwell-rtx']) })
    expect(arch.loosen?.(rtx, [card('blackwell', '10.0')]).map(({ note }) => note)).toEqual([
      'B200, B300, GB200 and GB300 cards are blackwell: code built for blackwell-rtx does not run on them.',
    ])
  })

  test('loosening proposes neither what is asked for already nor what has no targets', () => {
    expect(loosened(arch, NEEDS_HOPPER, [card('hopper', undefined), card('mystery', 'm1')])).toEqual([])
    expect(loosened(arch, need(), [card('volta', '7.0')])).toEqual([])
  })
})
