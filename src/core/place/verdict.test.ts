import { describe, expect, test } from 'vitest'
import { gpuNeed, NOW_MS } from '../requirement/filter/facts.suite.ts'
import { ANYTHING, noneOf, oneOf } from '../requirement/need/choice.ts'
import { atLeast, atMost } from '../requirement/need/range.ts'
import { offer } from '../offer/offer.suite.ts'
import { freeze, listingAt } from '../offer/snapshot.ts'
import { failuresOf, unknownsOf } from './verdict.ts'

const NEED = {
  ...gpuNeed({ vramGib: atLeast(141) }),
  memoryGib: atLeast(1024),
  provider: noneOf(['alpha']),
  usdPerHour: atMost(3),
  market: oneOf(['on-demand']),
}

function listing(change: Parameters<typeof offer>[0] = {}) {
  return listingAt(freeze([offer(change)]), 0)
}

describe('the failures of one offer', () => {
  test('are all of them, in counting order, each with its reason', () => {
    const failures = failuresOf(listing({ health: 'failing', memoryGib: undefined }), {
      need: { ...NEED, unknownAccepted: oneOf(['quota']) },
      nowMs: NOW_MS,
    })
    expect(failures).toEqual([
      { filter: 'vram', rank: 30, reason: { code: 'VRAM_TOO_SMALL', wanted: '141Gi', found: '80Gi' } },
      { filter: 'memory', rank: 140, reason: { code: 'MEMORY_UNKNOWN', wanted: '1024Gi', found: undefined } },
      {
        filter: 'provider',
        rank: 190,
        reason: { code: 'PROVIDER_NOT_ALLOWED', wanted: 'anything but alpha', found: 'alpha' },
      },
      { filter: 'health', rank: 220, reason: { code: 'UNHEALTHY', wanted: 'healthy', found: 'failing' } },
      { filter: 'price', rank: 260, reason: { code: 'OVER_PRICE', wanted: '$3.00', found: '$4.00' } },
    ])
  })

  test('of a quarantined row are that alone', () => {
    const failures = failuresOf(listing({ quarantine: 'PRICE_MISSING' }), { need: NEED, nowMs: NOW_MS })
    expect(failures.map((failure) => failure.filter)).toEqual(['quarantine'])
  })

  test('are none where it fits', () => {
    expect(failuresOf(listing(), { need: gpuNeed(), nowMs: NOW_MS })).toEqual([])
  })
})

describe('what could not be checked', () => {
  const silent = listing({ driver: undefined, cuda: undefined, stock: undefined, residency: undefined })
  const need = { ...gpuNeed({ driver: atLeast(550_000_000) }), residency: oneOf(['eu']) }

  test('is what the provider does not say and the policy lets pass', () => {
    expect(unknownsOf(silent, { need: { ...need, unknownAccepted: ANYTHING }, nowMs: NOW_MS })).toEqual([
      'driver',
      'residency',
      'stock',
      'quota',
    ])
    const few = { ...need, unknownAccepted: oneOf(['driver', 'quota']) }
    expect(unknownsOf(silent, { need: few, nowMs: NOW_MS })).toEqual(['driver', 'quota'])
  })

  test('is nothing where everything is told', () => {
    const told = listing({ quotaLeft: 5 })
    expect(unknownsOf(told, { need: { ...need, unknownAccepted: ANYTHING }, nowMs: NOW_MS })).toEqual([])
  })

  test('leaves out what is known to be wrong', () => {
    const wrong = listing({ quotaLeft: 0 })
    expect(unknownsOf(wrong, { need, nowMs: NOW_MS })).toEqual([])
  })
})
