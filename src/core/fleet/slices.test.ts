import { describe, expect, test } from 'vitest'
import { cutProfile, cutProfiles, cutsAgree, cutsLeft, placesOf } from './slices.ts'
import type { CutSlice } from './fleet.ts'

const at = (profile: string, start: number): CutSlice => ({ kind: 'slice', profile, start })

describe('the slices of a card', () => {
  test('are told in the driver’s own positions', () => {
    expect(cutProfile('a30', '2g.12gb')?.starts).toEqual([0, 2])
    expect(cutProfile('rtx-pro-6000-server', '2g.48gb')?.starts).toEqual([0, 6])
    expect(placesOf('rtx-pro-6000-server', [at('1g.24gb', 9)])?.map((slice) => slice?.profile)).toEqual([
      undefined,
      undefined,
      undefined,
      '1g.24gb',
    ])
  })

  test('are none where it cannot be cut', () => {
    expect(cutProfiles('l40s')).toEqual([])
    expect(cutProfiles(undefined)).toEqual([])
    expect(cutProfile('h100-sxm', '1g.5gb')).toBeUndefined()
    expect(cutsAgree('l40s', [])).toBe(false)
    expect(placesOf('P100', [])).toBeUndefined()
  })

  test('agree while none lies on another and each begins where it may', () => {
    expect(cutsAgree('h100-sxm', [at('4g.40gb', 0), at('3g.40gb', 4)])).toBe(true)
    expect(cutsAgree('h100-sxm', [at('4g.40gb', 0), at('1g.10gb', 3)])).toBe(false)
    expect(cutsAgree('h100-sxm', [at('4g.40gb', 4)])).toBe(false)
    expect(cutsLeft('h100-sxm', [at('4g.40gb', 4)])).toEqual([])
  })

  test('lie where they begin', () => {
    const places = placesOf('h100-sxm', [at('1g.10gb', 1), at('2g.20gb', 4)])
    expect(places?.map((slice) => slice?.profile ?? '-').join(' ')).toBe('- 1g.10gb - - 2g.20gb 2g.20gb - -')
  })
})
