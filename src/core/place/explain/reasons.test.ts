import { describe, expect, test } from 'vitest'
import { oneOf } from '../../requirement/need/choice.ts'
import { ANY_GPU } from '../../requirement/need/need.suite.ts'
import { atLeast, atMost } from '../../requirement/need/range.ts'
import type { Offer } from '../../offer/offer.ts'
import { cards } from '../../offer/offer.suite.ts'
import { countReasons } from './reasons.ts'
import { askPlanFor, idAt, sold, type Scene } from '../capacity.suite.ts'

/** `CODE first/all cheapest`, most frequent first. */
function counted(capacity: readonly Offer[], need: NonNullable<Scene['need']>): readonly string[] {
  const { snapshot, judgement, tally } = askPlanFor(capacity, { need })
  return countReasons(snapshot, judgement, tally).map(({ code, first, all, usdPerHour, row }) => {
    const cheapest = row === undefined ? 'none' : `${idAt(snapshot, row)} at ${usdPerHour}`
    return `${code} ${first}/${all} ${cheapest}`
  })
}

describe('counting reasons', () => {
  test('counts each offer once under its first reason, and each reason by all offers that have it', () => {
    const capacity = [
      sold('fits', 1),
      sold('a', 3, { cpu: 8 }),
      sold('b', 2, { cpu: 8 }),
      sold('c', 4, { cpu: 8, memoryGib: 1 }),
      sold('d', 5, { memoryGib: 1 }),
    ]
    expect(counted(capacity, { cpu: atLeast(16), memoryGib: atLeast(8) })).toEqual([
      'TOO_LITTLE_CPU 3/3 b at 2',
      'TOO_LITTLE_MEMORY 1/2 d at 5',
    ])
  })

  test('tells apart the reasons of one filter', () => {
    const capacity = [
      sold('a', 1, { memoryGib: 1 }),
      sold('b', 2, { memoryGib: undefined }),
      sold('c', 3, { memoryGib: undefined }),
    ]
    expect(counted(capacity, { memoryGib: atLeast(8), unknownAccepted: oneOf(['quota']) })).toEqual([
      'MEMORY_UNKNOWN 2/2 b at 2',
      'TOO_LITTLE_MEMORY 1/1 a at 1',
    ])
  })

  test('counts machines that are shut out like all others', () => {
    const capacity = [
      sold('a', 3, { gpu: undefined, provider: 'beta' }),
      sold('b', 2, { gpu: undefined, provider: 'gamma' }),
      sold('c', 1, { gpu: undefined, provider: 'delta', cpu: 8 }),
      sold('d', 9, { cpu: 8, memoryGib: 1, diskGib: 1 }),
    ]
    expect(counted(capacity, { cpu: atLeast(16), memoryGib: atLeast(8), diskGib: atLeast(8) })).toEqual([
      'NO_GPU 3/3 c at 1',
      'TOO_LITTLE_CPU 1/2 d at 9',
      'TOO_LITTLE_MEMORY 0/1 none',
      'TOO_LITTLE_DISK 0/1 none',
    ])
  })

  test('counts sites and states by all their offers', () => {
    const capacity = [
      sold('a', 2, { region: 'us-1', residency: 'us' }),
      sold('b', 1, { region: 'us-1', residency: 'us', health: 'failing' }),
      sold('c', 1, { health: 'failing' }),
      sold('d', 1, { residency: undefined }),
    ]
    expect(counted(capacity, { residency: oneOf(['eu']), unknownAccepted: oneOf(['quota']) })).toEqual([
      'WRONG_RESIDENCY 2/2 b at 1',
      'RESIDENCY_UNKNOWN 1/1 d at 1',
      'UNHEALTHY 1/2 c at 1',
    ])
  })

  test('counts what is over the ceiling apart from what is not sold', () => {
    const capacity = [
      sold('a', 1),
      sold('b', 3),
      sold('c', 2),
      sold('d', undefined),
      sold('e', undefined, { cpu: 8 }),
      sold('f', 4, { gpu: undefined }),
      sold('g', undefined, { gpu: undefined }),
    ]
    expect(counted(capacity, { usdPerHour: atMost(1) })).toEqual([
      'NO_GPU 2/2 f at 4',
      'NOT_SOLD_SO 2/3 e at NaN',
      'OVER_PRICE 2/3 c at 2',
    ])
    expect(counted(capacity, { usdPerHour: atMost(4) }).slice(1)).toEqual(['NOT_SOLD_SO 2/3 e at NaN'])
    expect(counted(capacity, {}).slice(1)).toEqual(['NOT_SOLD_SO 2/3 e at NaN'])
  })

  test('counts a quarantined row under that alone', () => {
    const capacity = [
      sold('a', undefined, { quarantine: 'NAME_UNKNOWN', health: 'failing', residency: 'us' }),
      sold('b', 9, { quarantine: 'PRICE_MISSING', health: 'failing', residency: 'us' }),
      sold('c', 9, { quarantine: 'PRICE_MISSING' }),
    ]
    expect(counted(capacity, { residency: oneOf(['eu']), usdPerHour: atMost(1) })).toEqual(['QUARANTINED 3/3 b at 9'])
  })

  test('sorts equal counts by counting order, then by code', () => {
    const capacity = [
      sold('a', 1, { memoryGib: 1 }),
      sold('b', 1, { memoryGib: undefined }),
      sold('c', 1, { cpu: 8 }),
      sold('d', 1, { gpu: cards({ count: 1 }) }),
    ]
    const need = {
      gpu: { ...ANY_GPU, count: atLeast(2) },
      cpu: atLeast(16),
      memoryGib: atLeast(8),
      unknownAccepted: oneOf(['quota']),
    }
    const codes = ['TOO_FEW_GPUS', 'TOO_LITTLE_CPU', 'MEMORY_UNKNOWN', 'TOO_LITTLE_MEMORY']
    const renamed = capacity.map((one, index) => ({ ...one, id: `${9 - index}` }))
    for (const offers of [capacity, renamed])
      expect(counted(offers, need).map((text) => text.split(' ')[0])).toEqual(codes)
  })

  test('keeps the filter and the words of one of the reasons', () => {
    const { snapshot, judgement, tally } = askPlanFor([sold('a', 1, { cpu: 8 })], { need: { cpu: atLeast(16) } })
    expect(countReasons(snapshot, judgement, tally)).toMatchObject([
      { filter: { name: 'cpu' }, reason: { code: 'TOO_LITTLE_CPU', wanted: '16', found: '8' } },
    ])
  })

  test('finds the cheapest that is sold, in whatever order the bands come', () => {
    const cpus = [undefined, 5, 3, undefined, 4]
    const capacity = cpus.map((usdPerHour, index) => sold(`${index}`, usdPerHour, { cpu: 8 + index / 10 }))
    const [first] = counted(capacity, { cpu: atLeast(16) })
    expect(first).toBe('TOO_LITTLE_CPU 5/5 2 at 3')
    const turned = cpus.toReversed().map((usdPerHour, index) => sold(`${index}`, usdPerHour, { cpu: 8 + index / 10 }))
    expect(counted(turned, { cpu: atLeast(16) })[0]).toBe('TOO_LITTLE_CPU 5/5 2 at 3')
  })
})
