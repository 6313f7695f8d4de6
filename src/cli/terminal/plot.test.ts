import { expect, test } from 'vitest'
import { plot, spark } from './plot.ts'

const label = (value: number): string => `$${value.toFixed(2)}`

test('one character for each value, from the lowest to the highest, and a dot where there is none', () => {
  expect(spark([1, 2, undefined, 8, 4.5])).toBe('▁▂·█▅')
  expect(spark([3, 3])).toBe('▄▄')
  expect(spark([undefined])).toBe('·')
})

test('a plot has its highest and lowest value beside it, and says when it begins', () => {
  expect(plot([1, 2, undefined, 3, 10], { rows: 2, label, from: '7 d ago' })).toEqual([
    '  $10.00 │    █',
    '   $1.00 │▁▃·▄█',
    '         └─────',
    '          7 d ago now',
  ])
  expect(plot([2, 2], { rows: 2, label, from: 'x' })).toEqual([
    '        │',
    '  $2.00 │██',
    '        └──',
    '         x now',
  ])
  expect(plot([undefined], { rows: 2, label, from: 'x' })).toEqual([])
})

test('a price of zero is a value', () => {
  expect(plot([0, 1], { rows: 1, label, from: 'x' })[0]).toBe('  $1.00 │▁█')
})
