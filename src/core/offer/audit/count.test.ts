import { describe, expect, test } from 'vitest'
import { auditCount } from './count.ts'
import type { SourceClaim } from './audit.ts'
import { CLAIM } from './audit.fixture.ts'

const countOf = (changes: Partial<SourceClaim>) => auditCount({ ...CLAIM, ...changes })

describe('the number of cards', () => {
  test('is believed where it can be', () => {
    expect(countOf({ count: 8 })).toEqual({ count: 8, share: 1, isKnown: false, note: undefined })
    expect(countOf({ count: 1 })).toEqual({ count: 1, share: 1, isKnown: false, note: undefined })
  })

  test('below one is a share of one card', () => {
    expect(countOf({ count: 0.25 })).toEqual({ count: 1, share: 0.25, isKnown: false, note: undefined })
  })

  test('is refused when it is missing, zero, below zero or broken', () => {
    expect(countOf({ count: undefined })).toEqual({ contradiction: 'no count stated' })
    expect(countOf({ count: 0 })).toEqual({ contradiction: '0 cards' })
    expect(countOf({ count: -1 })).toEqual({ contradiction: '-1 cards' })
    expect(countOf({ count: -0.5 })).toEqual({ contradiction: '-0.5 cards' })
    expect(countOf({ count: 1e300 })).toEqual({ contradiction: '1e+300 cards' })
    expect(countOf({ count: 1.5 })).toEqual({ contradiction: '1.5 cards' })
    expect(countOf({ count: Number.NaN })).toEqual({ contradiction: 'NaN cards' })
  })

  test('must be the same in both places that state it', () => {
    expect(countOf({ count: 8, countAgain: 8 })).toMatchObject({ count: 8 })
    expect(countOf({ count: 8, countAgain: 4 })).toEqual({ contradiction: '8 cards in one place, 4 in another' })
    expect(countOf({ count: 0.5, countAgain: 0 })).toMatchObject({ count: 1, share: 0.5 })
  })

  test('of a slice of a TPU pod is its chips', () => {
    expect(countOf({ named: 'tpu-v5p-128' })).toMatchObject({ count: 64, share: 1 })
    expect(countOf({ named: 'tpu-v6e-8', count: 2 })).toMatchObject({ count: 16 })
    expect(countOf({ named: 'tpu-v6e-8', count: 0.5 })).toEqual({ contradiction: '0.5 cards' })
  })
})

describe('a machine of the hardware table', () => {
  const azure = { provider: 'azure', instance: 'Standard_ND96isr_H100_v5' }

  test('has as many cards as the table says', () => {
    expect(countOf({ ...azure, count: 8 })).toEqual({ count: 8, share: 1, isKnown: true, note: undefined })
    expect(countOf({ ...azure, count: 12 })).toEqual({
      count: 8,
      share: 1,
      isKnown: true,
      note: 'count 12, but the machine has 8',
    })
  })

  test('has them also when the row says nothing or nonsense', () => {
    expect(countOf({ ...azure, count: undefined })).toMatchObject({
      count: 8,
      note: 'count missing, but the machine has 8',
    })
    expect(countOf({ ...azure, count: 0 })).toMatchObject({ count: 8, note: 'count 0, but the machine has 8' })
    expect(countOf({ ...azure, count: 8, countAgain: 4 })).toMatchObject({ count: 8 })
  })

  test('may have a part of one card, whatever the row counts', () => {
    const eighth = { provider: 'azure', instance: 'Standard_NV4as_v4', named: 'Radeon MI25' }
    expect(countOf({ ...eighth, count: 1 })).toEqual({
      count: 1,
      share: 0.125,
      isKnown: true,
      note: 'count 1, but the machine has 0.125',
    })
    expect(countOf({ ...eighth, count: 0.125 })).toEqual({ count: 1, share: 0.125, isKnown: true, note: undefined })
  })

  test('forgives the rounding of a third or a sixth of a card', () => {
    const sixth = { provider: 'azure', instance: 'Standard_NV6ads_A10_v5', named: 'A10' }
    expect(countOf({ ...sixth, count: 0.167 })).toEqual({ count: 1, share: 4 / 24, isKnown: true, note: undefined })
    expect(countOf({ ...sixth, count: 0.2 })).toMatchObject({ share: 4 / 24, note: expect.any(String) })
  })

  test('has them whichever of two cards it carries', () => {
    const either = { provider: 'ovhcloud', instance: 't1-90', named: 'V100' }
    expect(countOf({ ...either, count: 5 })).toMatchObject({ count: 2, note: 'count 5, but the machine has 2' })
  })

  test('says nothing when its name leaves the number open', () => {
    expect(countOf({ provider: 'gcp', instance: 'n1-standard-8', named: 'V100', count: 3 })).toMatchObject({ count: 3 })
  })
})
