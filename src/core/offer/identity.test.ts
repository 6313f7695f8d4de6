import { describe, expect, test } from 'vitest'
import type { OfferDraft } from './identity.ts'
import { assignIds, NO_FACTS, offerId } from './identity.ts'

const DRAFT: OfferDraft = {
  provider: 'northwind',
  region: 'north-1',
  zone: undefined,
  instance: 'n8',
  ...NO_FACTS,
  gpu: { model: 'h100-sxm', count: 8, slice: undefined, link: 'nvswitch' },
  cpu: 96,
  usdPerHour: 16,
}

describe('the id of an offer', () => {
  test('is its place, part by part', () => {
    expect(offerId({ provider: 'p', region: 'r', zone: 'z', instance: 'i' }, 1)).toBe('p/r/z/i')
  })

  test('leaves out a zone that was not named', () => {
    expect(offerId({ provider: 'p', region: 'r', zone: undefined, instance: 'i' }, 1)).toBe('p/r/i')
  })

  test('takes the cards for a name when the machine has none', () => {
    const gpu = { model: 'l4', count: 2 }
    expect(offerId({ provider: 'p', region: 'r', zone: undefined, instance: '', gpu }, 1)).toBe('p/r/2xl4')
    expect(offerId({ provider: 'p', region: 'r', zone: undefined, instance: 'i', gpu }, 1)).toBe('p/r/i')
    expect(offerId({ provider: 'p', region: 'r', zone: undefined, instance: '' }, 1)).toBe('p/r/')
  })

  test('carries a number from the second of its place on', () => {
    expect(offerId({ provider: 'p', region: 'r', zone: undefined, instance: 'i' }, 2)).toBe('p/r/i#2')
  })

  test('escapes its own separators, every one of them', () => {
    expect(offerId({ provider: 'p', region: 'a/b/c', zone: undefined, instance: 'i#2#3' }, 1)).toBe(
      'p/a%2Fb%2Fc/i%232%233',
    )
    expect(offerId({ provider: '/', region: '#', zone: '%', instance: 'i' }, 1)).toBe('%2F/%23/%25/i')
    expect(offerId({ provider: 'p', region: '%2F%', zone: undefined, instance: 'i' }, 1)).toBe('p/%252F%25/i')
  })
})

describe('assigning ids', () => {
  test('does not number an offer that is alone in its place', () => {
    expect(assignIds([DRAFT, { ...DRAFT, zone: 'b' }])).toEqual(['northwind/north-1/n8', 'northwind/north-1/b/n8'])
    expect(assignIds([])).toEqual([])
  })

  test('numbers offers of one place by content, whatever order they come in', () => {
    const cheap = { ...DRAFT, usdPerHour: 12 }
    const small = { ...DRAFT, usdPerHour: 12, cpu: 48 }
    expect(assignIds([DRAFT, cheap, small])).toEqual([
      'northwind/north-1/n8#3',
      'northwind/north-1/n8#2',
      'northwind/north-1/n8',
    ])
    expect(assignIds([small, DRAFT, cheap])).toEqual([
      'northwind/north-1/n8',
      'northwind/north-1/n8#3',
      'northwind/north-1/n8#2',
    ])
  })

  test('numbers equal offers too, so that every id is used once', () => {
    expect(assignIds([DRAFT, { ...DRAFT }, { ...DRAFT }]).toSorted()).toEqual([
      'northwind/north-1/n8',
      'northwind/north-1/n8#2',
      'northwind/north-1/n8#3',
    ])
  })

  test('does not care about the order of keys', () => {
    const turned: OfferDraft = { ...Object.fromEntries(Object.entries(DRAFT).toReversed()), ...DRAFT, cpu: 95 }
    expect(assignIds([turned, DRAFT])).toEqual(['northwind/north-1/n8', 'northwind/north-1/n8#2'])
    expect(assignIds([DRAFT, turned])).toEqual(['northwind/north-1/n8#2', 'northwind/north-1/n8'])
  })

  test('does not care about ids given before', () => {
    const [one, two] = [
      { ...DRAFT, cpu: 1, id: 'b' },
      { ...DRAFT, cpu: 2, id: 'a' },
    ]
    expect(assignIds([one, two])).toEqual(['northwind/north-1/n8', 'northwind/north-1/n8#2'])
  })

  test('looks into the parts of an offer', () => {
    const other = { ...DRAFT, gpu: { model: 'a100-sxm', count: 8, slice: undefined, link: 'nvswitch' } } as const
    expect(assignIds([DRAFT, other])).toEqual(['northwind/north-1/n8#2', 'northwind/north-1/n8'])
  })
})
