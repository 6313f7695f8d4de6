import { expect, test } from 'vitest'
import type { LogLine } from '../../ports/provider.ts'
import { cloudLog } from './logs.ts'

const CALL = { signal: new AbortController().signal, requestId: 'r' }
const plain = (from: number, to: number): readonly LogLine[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    atMs: undefined,
    stream: 'out',
    text: `line ${from + index}`,
  }))

async function followed(readings: readonly (readonly LogLine[])[], tail?: number): Promise<readonly string[]> {
  let turn = 0
  const logs = { eachMs: 1, read: async () => readings[Math.min(turn++, readings.length - 1)] ?? [] }
  const subject = {
    logs,
    id: 'i',
    timers: { sleep: async () => undefined },
    isGoingOn: async () => turn < readings.length - 1,
  }
  const lines = await Array.fromAsync(cloudLog({ follow: true, tail }, CALL, subject))
  return lines.map(({ text }) => text)
}

const texts = (lines: readonly LogLine[]): readonly string[] => lines.map(({ text }) => text)

test('lines without marks come once, also when the log is longer than what is read of it', async () => {
  expect(await followed([plain(1, 30), plain(11, 40), plain(11, 40), plain(21, 55)])).toEqual(texts(plain(1, 55)))
  expect(await followed([[], plain(1, 3), plain(1, 3)])).toEqual(texts(plain(1, 3)))
})

test('where the seam is gone, all that is there is new', async () => {
  expect(await followed([plain(1, 30), plain(100, 130)])).toEqual([...texts(plain(1, 30)), ...texts(plain(100, 130))])
})

test('the last lines are those of the first reading, and all that follow', async () => {
  expect(await followed([plain(1, 30), plain(1, 32)], 2)).toEqual(texts(plain(29, 32)))
  expect(await followed([plain(1, 30), plain(1, 32)], 0)).toEqual(texts(plain(31, 32)))
  expect(await followed([[], plain(1, 5)], 2)).toEqual(texts(plain(1, 5)))
})
