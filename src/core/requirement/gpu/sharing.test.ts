import { describe, expect, test } from 'vitest'
import { gpu, gpuNeed, inWords, loosened, machine, need, NO_GPU_INSIDE, NOW_MS } from '../filter/facts.suite.ts'
import { gpuFilter } from '../filter/keyed.ts'
import { sharing as key, SHARING } from './sharing.ts'

const sharing = gpuFilter(key)

const WHOLE = machine()
const MIG = machine({ gpu: gpu({ sharing: 'mig' }) })
const SHARE = machine({ gpu: gpu({ sharing: 'share' }) })
const NEVER = gpuNeed({ sharing: SHARING.never })
const MIG_WILL_DO = gpuNeed({ sharing: SHARING.mig })
const ANY_WILL_DO = gpuNeed({ sharing: SHARING.any })

describe('sharing', () => {
  test('each word admits what it says and everything better', () => {
    const passes = [NEVER, MIG_WILL_DO, ANY_WILL_DO].map((asked) =>
      [WHOLE, MIG, SHARE].map((subject) => sharing.check(subject, asked, NOW_MS) === undefined),
    )
    expect(passes).toEqual([
      [true, false, false],
      [true, true, false],
      [true, true, true],
    ])
  })

  test('a slice that is not wanted is turned down by its kind', () => {
    const reason = sharing.check(MIG, NEVER, NOW_MS)
    expect(reason).toEqual({ code: 'SLICE_NOT_WANTED', wanted: 'never', found: 'mig' })
    expect(inWords(sharing, reason)).toBe('only part of a card (sharing: never); clears: never')
    expect(sharing.check(SHARE, MIG_WILL_DO, NOW_MS)).toEqual({
      code: 'SLICE_NOT_WANTED',
      wanted: 'mig',
      found: 'share',
    })
  })

  test('it says nothing where no GPU or no card is in question', () => {
    expect(sharing.check(MIG, need(), NOW_MS)).toBeUndefined()
    expect(sharing.check(NO_GPU_INSIDE, NEVER, NOW_MS)).toBeUndefined()
  })

  test('loosening accepts MIG slices first, then any fraction', () => {
    expect(loosened(sharing, NEVER, [SHARE, MIG, NO_GPU_INSIDE])).toEqual([
      { change: 'resources.gpu.sharing: never -> mig', admits: [false, true, true] },
      { change: 'resources.gpu.sharing: never -> any', admits: [true, true, true] },
    ])
    expect(loosened(sharing, MIG_WILL_DO, [SHARE])).toEqual([
      { change: 'resources.gpu.sharing: mig -> any', admits: [true] },
    ])
    expect(loosened(sharing, NEVER, [MIG])).toHaveLength(1)
    expect(loosened(sharing, need(), [MIG])).toEqual([])
  })
})
