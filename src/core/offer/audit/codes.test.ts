import { describe, expect, test } from 'vitest'
import { QUARANTINES, REPAIRS } from './codes.ts'

describe.each([...Object.entries(QUARANTINES), ...Object.entries(REPAIRS)])('%s', (_, { title, why, fix }) => {
  test('has a heading and two sentences that can be read', () => {
    expect(title).toMatch(/^[a-z].{5,70}[^.]$/)
    expect(why).toMatch(/^[A-Z].{20,200}\.$/)
    expect(fix).toMatch(/^[A-Z].{10,140}\.$/)
  })
})

test('every code has its own entry, in the order of the verdicts', () => {
  expect(Object.keys(QUARANTINES)).toEqual([
    'NAME_UNKNOWN',
    'NAME_AMBIGUOUS',
    'VRAM_CONTRADICTS',
    'COUNT_CONTRADICTS',
    'PRICE_MISSING',
    'PRICE_PLACEHOLDER',
    'HOST_NOT_PRICED',
    'NOT_SOLD_ALONE',
    'ROW_UNREADABLE',
  ])
  expect(Object.keys(REPAIRS)).toEqual([
    'VRAM_GB_AS_MIB',
    'VRAM_TOTAL_AS_CARD',
    'VRAM_MISSING',
    'NAME_CORRECTED',
    'COUNT_CORRECTED',
    'HOST_JOINED',
    'GPU_JOINED',
  ])
})
