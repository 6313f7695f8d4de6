import { expect, test } from 'vitest'
import { logsArgs, markLines, type TimedLine } from './logs.ts'

test('an engine is asked for no more than what is wanted', () => {
  const all = { follow: false, tail: undefined }
  expect(logsArgs('x', all)).toEqual(['logs', '--timestamps', 'x'])
  expect(logsArgs('x', { follow: true, tail: 3, sinceMs: 1500 })).toEqual([
    'logs',
    '--timestamps',
    '--follow',
    '--tail',
    '3',
    '--since',
    '1.5',
    'x',
  ])
  expect(logsArgs('x', { ...all, tail: 3, after: '7.000000001:2' })).toEqual([
    'logs',
    '--timestamps',
    '--since',
    '6.999000001',
    'x',
  ])
})

test('lines of the same nanosecond are told once each, whether all of them are read again or the last ones were', async () => {
  const line = (at: string, text: string): TimedLine => ({ at, atMs: 0, stream: 'out', text })
  const source = [line('1.5', 'a'), line('1.5', 'b'), line('1.5', 'b'), line('1.5', 'c'), line('2.0', 'b')]
  for (const told of [source, source.slice(1)]) {
    const lines = await Array.fromAsync(markLines(from(told)))
    for (const [index, { mark }] of lines.entries()) {
      // An engine begins with the time that it is given.
      const again = source.filter(({ at }) => (at ?? '') >= (mark?.split(':')[0] ?? ''))
      // It may begin a little earlier.
      for (const read of [again, [line('1.4', 'b'), ...source]]) {
        const rest = await Array.fromAsync(markLines(from(read), mark))
        expect(rest.map(({ text }) => text)).toEqual(told.slice(index + 1).map(({ text }) => text))
      }
    }
  }
  expect(await Array.fromAsync(markLines(from(source), '1.5:gone.1'))).toHaveLength(1)
})

async function* from(lines: readonly TimedLine[]): AsyncGenerator<TimedLine> {
  yield* lines
}
