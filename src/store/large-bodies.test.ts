import { expect, test } from 'vitest'
import { LargeBodies } from './large-bodies.ts'

const large = (word: string): string => JSON.stringify({ text: word.repeat(20_000) })

test('a large body is parsed once for as long as its text is the same', () => {
  const bodies = new LargeBodies()
  let parsed = 0
  const read = (row: string, text: string) => bodies.read(row, text, (one) => (parsed++, JSON.parse(one)))
  const first = read('a', large('x'))
  expect(read('a', large('x'))).toBe(first)
  expect(parsed).toBe(1)
  expect(read('a', large('y'))).toEqual(JSON.parse(large('y')))
  expect(read('a', large('x'))).toEqual(first)
  expect(parsed).toBe(3)
})

test('a small one is read each time, and of large ones no more are kept than there is room for', () => {
  const bodies = new LargeBodies()
  const seen: string[] = []
  const read = (row: string, text: string) => bodies.read(row, text, (one) => (seen.push(row), JSON.parse(one)))
  read('small', '{}')
  read('small', '{}')
  expect(seen).toEqual(['small', 'small'])
  const text = JSON.stringify({ text: 'x'.repeat(3_000_000) })
  for (const row of ['a', 'b', 'c', 'c', 'b', 'a']) read(row, text)
  expect(seen.slice(2)).toEqual(['a', 'b', 'c', 'a'])
})
