import { describe, expect, test } from 'vitest'
import { CODES, findCode } from './codes.ts'
import { ERRORS } from './errors.ts'
import { REASONS } from '../core/requirement/filter/all-filters.ts'
import { QUARANTINES, REPAIRS } from '../core/offer/audit/codes.ts'

describe('CODES', () => {
  test('holds every reason, error, quarantine and repair, each once', () => {
    const all = [REASONS, ERRORS, QUARANTINES, REPAIRS].flatMap((table) => Object.keys(table))
    expect(CODES.map(({ code }) => code).toSorted()).toEqual(all.toSorted())
    expect(new Set(all).size).toBe(all.length)
  })

  test.each([...CODES])('$code says what it means in sentences', ({ code, title, why, fix }) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/)
    expect(title).not.toBe('')
    expect(title).not.toContain('undefined')
    expect(why).toMatch(/[.)]$/)
    expect(fix).toMatch(/[.)]$/)
  })

  test('a reason knows its requirement and whether waiting helps', () => {
    expect(findCode('VRAM_TOO_SMALL')).toMatchObject({ kind: 'reason', requirement: 'vram', waiting: 'never' })
    expect(findCode('SOLD_OUT')).toMatchObject({ kind: 'reason', requirement: 'stock', waiting: 'helps' })
    expect(findCode('REFUSED_RECENTLY')).toMatchObject({ waiting: 'helps' })
    expect(findCode('OVER_PRICE')).toMatchObject({ requirement: 'price', waiting: 'policy' })
  })

  test('the title of a reason has … for what is asked for', () => {
    expect(findCode('VRAM_TOO_SMALL')?.title).toBe('under … of GPU memory')
    expect(findCode('NO_NVLINK')?.title).toBe('its cards are not joined by NVLink')
  })

  test('the others have neither', () => {
    for (const code of ['KEY_UNKNOWN', 'NAME_UNKNOWN', 'VRAM_MISSING']) {
      expect(findCode(code)).toMatchObject({ requirement: undefined, waiting: undefined })
    }
    expect(findCode('KEY_UNKNOWN')).toMatchObject({ kind: 'error', ...ERRORS.KEY_UNKNOWN })
    expect(findCode('NAME_UNKNOWN')).toMatchObject({ kind: 'quarantine', ...QUARANTINES.NAME_UNKNOWN })
    expect(findCode('VRAM_MISSING')).toMatchObject({ kind: 'repair', ...REPAIRS.VRAM_MISSING })
  })
})

describe('findCode', () => {
  test.each(['NO_NVLINK', 'no_nvlink', 'No-NVLink', ' no nvlink '])('%j is NO_NVLINK', (text) => {
    expect(findCode(text)?.code).toBe('NO_NVLINK')
  })

  test.each(['', 'NO_NVLIN', 'constructor'])('%j is no code', (text) => {
    expect(findCode(text)).toBeUndefined()
  })
})
