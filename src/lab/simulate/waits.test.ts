import { expect, test } from 'vitest'
import { cardsOf, shareOf } from './simulate.suite.ts'
import { sizeOf, WaitBook } from './waits.ts'

test('sizes are named for what is asked of a node, and of how many', () => {
  expect([cardsOf(0), shareOf(500), cardsOf(4)].map((request) => sizeOf(request).name)).toEqual([
    'no card',
    'part of a card',
    '4',
  ])
  expect(sizeOf(cardsOf(8), 16).name).toBe('16 × 8')
})

test('waits are gathered by size, small to large, with who still waits', () => {
  const book = new WaitBook()
  const [eight, part, gang] = [sizeOf(cardsOf(8)), sizeOf(shareOf(500)), sizeOf(cardsOf(8), 2)]
  book.open(sizeOf(cardsOf(0)))
  book.add(gang, { waitS: 7, isOver: false })
  for (let waitS = 1; waitS <= 200; waitS++) book.add(eight, { waitS, isOver: true })
  book.add(part, { waitS: 4, isOver: true })
  book.add(part, { waitS: 8, isOver: false })
  expect(book.bySize()).toEqual([
    { size: 'no card', count: 0, meanS: 0, p99S: 0, longestS: 0, waiting: 0 },
    { size: 'part of a card', count: 2, meanS: 6, p99S: 8, longestS: 8, waiting: 1 },
    { size: '8', count: 200, meanS: 100.5, p99S: 199, longestS: 200, waiting: 0 },
    { size: '2 × 8', count: 1, meanS: 7, p99S: 7, longestS: 7, waiting: 1 },
  ])
})
