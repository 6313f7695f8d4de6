import { describe, expect, test } from 'vitest'
import { wholeness } from './wholeness.ts'

const worth = wholeness([0b11, 0b1100, 0b11_0000, 0b1100_0000, 0x0f, 0xf0, 0xff])

describe('free cards are worth more', () => {
  test.each([
    ['when all are free than when one is gone', 0xff, 0xfe],
    ['with a whole island of four than with all pairs but one card of each four', 0x0f, 0b0111_0111],
    ['with two whole pairs than with one', 0b1100_0011, 0b1101_0110],
    ['with room for two jobs of two than for one', 0b1100_0011, 0b1010_0011],
    ['close together than apart', 0b0101, 0b1_0001],
  ])('%s', (_, more, less) => {
    expect(worth(more)).toBeGreaterThan(worth(less))
  })

  test('the same when only the places differ', () => {
    expect(worth(0x0f)).toBe(worth(0xf0))
    expect(worth(0b11)).toBe(worth(0b1100_0000))
  })

  test('nothing where there are no groups, or no free cards', () => {
    expect(wholeness([])(0xff)).toBe(0)
    expect(worth(0)).toBe(0)
  })
})
