import { describe, expect, test } from 'vitest'
import { must } from '../base/assert.ts'
import { gpuById } from './table.ts'
import { nominalFits, vramFits } from './vram.ts'

const card = (id: string) => must(gpuById(id), id)

describe('a stated size fits a card within five percent of any size it is known by', () => {
  // An A30 is known as 24 GiB, 24 GB (22888 MiB) and nothing else.
  test.each([
    ['nominal GiB', 24576, true],
    ['five percent above', 25804, true],
    ['more than that', 25805, false],
    ['vendor GB', 22888, true],
    ['five percent below that', 21744, true],
    ['less than that', 21743, false],
    ['gigabytes where MiB were meant', 24, false],
  ])('%s', (_, mib, fits) => {
    expect(vramFits(card('a30'), mib)).toBe(fits)
  })

  test('what the driver reports counts', () => {
    expect(card('b300-sxm').vramMib).toBe(275040)
    expect(vramFits(card('b300-sxm'), 275040)).toBe(true)
    expect(vramFits(card('k80'), 11441)).toBe(true)
    expect(vramFits(card('k80'), 10869)).toBe(true)
    expect(vramFits(card('k80'), 10868)).toBe(false)
  })

  test('what honest sources print counts', () => {
    expect(vramFits(card('b200-sxm'), 196608)).toBe(true)
    expect(vramFits(card('b200-sxm'), 206439)).toBe(false)
  })
})

describe('a size in a name fits a card within one and a half percent', () => {
  test.each([
    ['h100-nvl', 94, true],
    ['h100-nvl', 96, false],
    ['h100-sxm', 80, true],
    ['h100-sxm', 79, true],
    ['h100-sxm', 82, false],
    ['h200-sxm', 141, true],
    ['h200-sxm', 143, true],
    ['h200-sxm', 80, false],
    ['b300-sxm', 288, true],
    ['b300-sxm', 262, true],
    ['b300-sxm', 270, true],
    ['b300-sxm', 279, false],
    ['t4', 15, true],
    ['t4', 16, true],
    ['rtx-3060-12', 8, false],
  ])('%s and %i GB', (id, gib, fits) => {
    expect(nominalFits(card(id), gib)).toBe(fits)
  })
})
