import { expect, test } from 'vitest'
import { eventOf, linesInEvents } from './logs.ts'

const event = (id: string, data: object | string): string =>
  `id: ${id}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const at = (second: number): string => `2026-06-01T12:02:0${second}Z`
const said = (line: string, second = 1) => ({ ts: at(second), source: 'container', line })

test('events are lines with their time, and a mark at which the stream goes on', () => {
  const text = event(`${at(1)}/1`, said('one')) + event(`${at(2)}/2`, said('two', 2))
  expect(linesInEvents(text, undefined)).toEqual([
    { atMs: Date.parse(at(1)), stream: 'out', text: 'one', mark: `${at(1)}_1` },
    { atMs: Date.parse(at(2)), stream: 'out', text: 'two', mark: `${at(2)}_2` },
  ])
  expect(linesInEvents(text, `${at(1)}_1`).map((line) => line.text)).toEqual(['two'])
  expect(eventOf(`${at(1)}_1`)).toBe(`${at(1)}/1`)
})

test.each([
  ['half an event', `id: ${at(1)}/1\ndata: {"line": "o`],
  ['no event', '<html>'],
  ['a comment', ': keep-alive\n\n'],
  ['a line of the system', event(`${at(1)}/1`, { ...said('pulling'), source: 'system' })],
  ['a line that is none', event(`${at(1)}/1`, { ts: 7, line: 7 })],
  ['a list', event(`${at(1)}/1`, '[1]')],
  ['nothing', ''],
])('%s is left out', (_, text) => {
  expect(linesInEvents(text, undefined)).toEqual([])
})

test('what has no usable name or time is told without', () => {
  expect(linesInEvents(event('x y', { line: 'a', ts: 'soon' }), undefined)).toEqual([
    { atMs: undefined, stream: 'out', text: 'a' },
  ])
  expect(linesInEvents(event(`${at(1)}/1`, said('a\r')).replaceAll('\n', '\r\n'), undefined)).toHaveLength(1)
})
