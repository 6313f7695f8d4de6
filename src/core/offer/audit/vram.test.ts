import { describe, expect, test } from 'vitest'
import { sliceFits, vramReadings } from './vram.ts'

describe('the stated memory', () => {
  test('of one card is MiB or GB', () => {
    expect(vramReadings({ card: 80, total: 80, count: 1 })).toEqual([
      { mib: 80, spread: 'card', repairs: [], note: undefined },
      { mib: 81920, spread: 'card', repairs: ['VRAM_GB_AS_MIB'], note: 'memory read as 80 GB' },
    ])
  })

  test('of several cards may also be the sum of all', () => {
    expect(vramReadings({ card: 320, total: undefined, count: 4 })).toEqual([
      { mib: 320, spread: 'card', repairs: [], note: undefined },
      { mib: 327680, spread: 'card', repairs: ['VRAM_GB_AS_MIB'], note: 'memory read as 320 GB' },
      {
        mib: 80,
        spread: 'total',
        repairs: ['VRAM_TOTAL_AS_CARD'],
        note: 'memory read as the sum of all cards: 80 MiB each',
      },
      {
        mib: 81920,
        spread: 'total',
        repairs: ['VRAM_GB_AS_MIB', 'VRAM_TOTAL_AS_CARD'],
        note: 'memory read as the sum of all cards: 80 GB each',
      },
    ])
  })

  test('is the total, where nothing is said about one card', () => {
    const readings = [
      {
        mib: 81920,
        spread: 'total',
        repairs: ['VRAM_MISSING'],
        note: 'memory read as the sum of all cards: 81920 MiB each',
      },
      {
        mib: 83886080,
        spread: 'total',
        repairs: ['VRAM_GB_AS_MIB', 'VRAM_MISSING'],
        note: 'memory read as the sum of all cards: 81920 GB each',
      },
    ]
    expect(vramReadings({ card: 0, total: 163840, count: 2 })).toEqual(readings)
    expect(vramReadings({ card: undefined, total: 163840, count: 2 })).toEqual(readings)
  })

  test('is absent when it is zero, below zero or not there', () => {
    expect(vramReadings({ card: undefined, total: undefined, count: 1 })).toEqual([])
    expect(vramReadings({ card: 0, total: 0, count: 1 })).toEqual([])
    expect(vramReadings({ card: -1, total: -1, count: 1 })).toEqual([])
  })

  test('is shown with one digit behind the point', () => {
    expect(vramReadings({ card: 100, total: undefined, count: 3 }).at(-1)?.note).toBe(
      'memory read as the sum of all cards: 33.3 GB each',
    )
  })
})

describe('a slice', () => {
  test('has its GiB or its GB, give or take 5 %', () => {
    expect(sliceFits(24, 24_576)).toBe(true)
    expect(sliceFits(24, 22_888)).toBe(true)
    expect(sliceFits(20, 21_504)).toBe(true)
    expect(sliceFits(20, 21_505)).toBe(false)
    expect(sliceFits(24, 21_744)).toBe(true)
    expect(sliceFits(24, 21_743)).toBe(false)
  })
})
