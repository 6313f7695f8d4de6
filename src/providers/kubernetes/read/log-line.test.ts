import { expect, test } from 'vitest'
import { LogReader, logQuery } from './log-line.ts'

const LINES = [
  '2026-11-17T10:00:00.1Z one',
  '2026-11-17T10:00:00.1Z two',
  '2026-11-17T10:00:00.100000001Z three',
  '2026-11-17T10:00:01Z four',
]

test('lines have their time and a mark of their own, and go on after any of them', () => {
  const reader = new LogReader(undefined)
  const told = LINES.map((line) => reader.read(line))
  expect(told.map((line) => line?.text)).toEqual(['one', 'two', 'three', 'four'])
  expect(told[3]?.atMs).toBe(Date.parse('2026-11-17T10:00:01Z'))
  expect(new Set(told.map((line) => line?.mark)).size).toBe(4)
  for (const [index, line] of told.entries()) {
    expect(line?.mark).toMatch(/^[\w.:-]{1,64}$/)
    const next = new LogReader(line?.mark)
    expect(LINES.flatMap((text) => next.read(text)?.text ?? [])).toEqual(
      ['one', 'two', 'three', 'four'].slice(index + 1),
    )
  }
})

test('after a broken connection nothing comes twice', () => {
  const reader = new LogReader(undefined)
  LINES.slice(0, 2).forEach((line) => reader.read(line))
  reader.resume()
  expect(LINES.flatMap((text) => reader.read(text)?.text ?? [])).toEqual(['three', 'four'])
})

test('a line without a time is passed on', () => {
  expect(new LogReader(undefined).read('hello')).toEqual({ atMs: undefined, stream: 'out', text: 'hello' })
})

test('a mark is more exact than the API server', () => {
  const want = { follow: false, tail: 5 }
  expect(logQuery({ ...want, after: '2026-11-17T10:00:00.1Z_1' })).toMatchObject({
    sinceTime: '2026-11-17T10:00:00Z',
    tailLines: undefined,
  })
  expect(logQuery({ ...want, after: 'nonsense' })).toMatchObject({ sinceTime: undefined, tailLines: undefined })
  expect(logQuery(want)).toMatchObject({ tailLines: 5, follow: undefined })
})
