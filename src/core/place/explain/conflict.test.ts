import { describe, expect, test } from 'vitest'
import { oneOf } from '../../requirement/need/choice.ts'
import { ANY_GPU } from '../../requirement/need/need.suite.ts'
import { atLeast } from '../../requirement/need/range.ts'
import type { Offer } from '../../offer/offer.ts'
import { askPlanFor, sold, type Scene } from '../capacity.suite.ts'

/** `requirement offers`, part by part. */
function conflictOf(capacity: readonly Offer[], need: NonNullable<Scene['need']>): readonly string[] | undefined {
  return askPlanFor(capacity, { need }).conflict?.parts.map(({ filter, offers }) => `${filter} ${offers}`)
}

const need = { cpu: atLeast(16), memoryGib: atLeast(8), diskGib: atLeast(8), volumeGib: atLeast(8) }

describe('a conflict', () => {
  test('is one requirement when nothing meets it', () => {
    expect(conflictOf([sold('a', 1, { cpu: 8 }), sold('b', 1, { cpu: 9, memoryGib: 1 })], need)).toEqual(['cpu 0'])
  })

  test('is the first of several that nothing meets', () => {
    expect(conflictOf([sold('a', 1, { diskGib: 1, memoryGib: 1 })], need)).toEqual(['memory 0'])
  })

  test('is two requirements that are met apart and never together', () => {
    const capacity = [sold('a', 1, { cpu: 8 }), sold('b', 1, { memoryGib: 1 }), sold('c', 2, { memoryGib: 1 })]
    expect(conflictOf(capacity, need)).toEqual(['cpu 2', 'memory 1'])
  })

  test('is three where it takes three', () => {
    const capacity = [sold('a', 1, { cpu: 8 }), sold('b', 1, { memoryGib: 1 }), sold('c', 2, { diskGib: 1 })]
    expect(conflictOf(capacity, need)).toEqual(['cpu 2', 'memory 2', 'disk 2'])
  })

  test('prefers two requirements to three, whichever come first', () => {
    const capacity = [
      sold('a', 1, { cpu: 8, volumeGib: 1 }),
      sold('b', 1, { memoryGib: 1, volumeGib: 1 }),
      sold('c', 2, { diskGib: 1 }),
    ]
    expect(conflictOf(capacity, need)).toEqual(['disk 2', 'storage 1'])
  })

  test('leaves out what is not needed where it takes more than three', () => {
    const capacity = [
      sold('a', 1, { cpu: 8 }),
      sold('b', 1, { memoryGib: 1 }),
      sold('c', 1, { diskGib: 1 }),
      sold('d', 1, { volumeGib: 1 }),
      sold('e', 1, { volumeGib: 1, hostArch: 'arm64' }),
    ]
    expect(conflictOf(capacity, { ...need, hostArch: oneOf(['amd64']) })).toEqual([
      'cpu 4',
      'memory 4',
      'disk 4',
      'storage 3',
    ])
  })

  test('leaves out machines without a GPU and quarantined rows', () => {
    const capacity = [
      sold('a', 1, { cpu: 8 }),
      sold('b', 1, { memoryGib: 1 }),
      sold('c', 1, { gpu: undefined, cpu: 64 }),
      sold('d', 1, { quarantine: 'NAME_UNKNOWN' }),
    ]
    expect(conflictOf(capacity, need)).toEqual(['cpu 1', 'memory 1'])
  })

  test('is that there is no GPU where there is none', () => {
    expect(conflictOf([sold('a', 1, { gpu: undefined })], { gpu: ANY_GPU })).toEqual(['gpu 0'])
  })

  test('is not there where something fits, or where there are no offers', () => {
    expect(conflictOf([sold('a', 1, { cpu: 8 }), sold('b', 1)], need)).toBeUndefined()
    expect(conflictOf([], need)).toBeUndefined()
  })
})
