import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LogLine, LogWant } from '../../../ports/provider.ts'
import { readLog, type LogFileSource } from './log-file.ts'

const MIB = 1024 * 1024
const ALL: LogWant = { follow: false, tail: undefined }

let source: LogFileSource
let ended = false
let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-log-'))
  ended = false
  source = {
    old: join(folder, 'log.old'),
    current: join(folder, 'log'),
    bytesMax: MIB,
    hasEnded: () => ended,
    timers: { sleep: () => new Promise((resolve) => setImmediate(resolve)) },
  }
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function read(want: Partial<LogWant>): Promise<readonly LogLine[]> {
  return Array.fromAsync(readLog(source, { ...ALL, ...want }, new AbortController().signal))
}

async function texts(want: Partial<LogWant> = {}): Promise<readonly string[]> {
  return (await read(want)).map(({ text }) => text)
}

/** A file of any size with this at its end, and nothing but NUL before. */
function sparse(path: string, bytes: number, end: string): void {
  const file = openSync(path, 'w')
  ftruncateSync(file, bytes)
  writeSync(file, end, bytes)
  closeSync(file)
}

test('lines of both files are told, oldest first, also the one that lies in both', async () => {
  writeFileSync(source.old, 'one\ntwo\nth')
  writeFileSync(source.current, 'ree\r\nfour\n\nsix')
  const all = ['one', 'two', 'three', 'four', '', 'six']
  expect(await texts()).toEqual(all)
  for (let tail = 0; tail <= 8; tail++) expect(await texts({ tail })).toEqual(tail === 0 ? [] : all.slice(-tail))
})

test('after each mark come the lines after it, also when the files have changed places since', async () => {
  writeFileSync(source.old, 'one\ntwo\nth')
  writeFileSync(source.current, 'ree\nfour\n')
  const lines = await read({})
  const after = (index: number): Promise<readonly string[]> => texts({ after: lines[index]?.mark ?? '' })
  const all = lines.map(({ text }) => text)
  for (const index of lines.keys()) expect(await after(index)).toEqual(all.slice(index + 1))
  renameSync(source.current, source.old)
  writeFileSync(source.current, 'five\n')
  expect(await after(2)).toEqual(['four', 'five'])
  expect(await after(3)).toEqual(['five'])
  // What is not there any more is left out.
  expect(await after(0)).toEqual(['ree', 'four', 'five'])
  expect(await texts({ after: 'x:y' })).toEqual(['ree', 'four', 'five'])
})

test('what is followed goes on in the next file, and ends with the last word', async () => {
  writeFileSync(source.current, 'one\n')
  const told: string[] = []
  for await (const { text } of readLog(source, { follow: true, tail: 1 }, new AbortController().signal)) {
    told.push(text)
    if (told.length === 1) appendFileSync(source.current, 'two\n')
    if (told.length === 2) {
      renameSync(source.current, source.old)
      writeFileSync(source.current, 'three\nfo')
    }
    if (told.length === 3) {
      appendFileSync(source.current, 'ur')
      ended = true
    }
  }
  expect(told).toEqual(['one', 'two', 'three', 'four'])
})

test('nothing is told of a log that was written before', async () => {
  writeFileSync(source.current, 'one\n')
  expect(await texts({ sinceMs: Date.now() + 60_000 })).toEqual([])
  expect(await texts({ sinceMs: Date.now() - 60_000 })).toEqual(['one'])
})

describe('however large the files are', () => {
  test('the last line of 3 GB comes without reading the rest', async () => {
    sparse(source.old, 3 * 1024 * MIB, '\nbefore\n')
    sparse(source.current, 900 * MIB, '\nsecond\nlast\n')
    expect(await texts({ tail: 1 })).toEqual(['last'])
    expect(await texts({ tail: 2 })).toEqual(['second', 'last'])
  })

  test('no more than the limit is told, from a whole line on', async () => {
    sparse(source.old, 3 * 1024 * MIB, '')
    const line = `${'x'.repeat(99)}\n`
    writeFileSync(source.current, line.repeat(2 * 10_486))
    const lines = await texts()
    expect(lines.length).toBe(10_485)
    expect(new Set(lines)).toEqual(new Set(['x'.repeat(99)]))
  })

  test('what has no line ends is cut, and little memory is used', async () => {
    sparse(source.current, 1900 * MIB, 'end')
    const before = process.memoryUsage().rss
    const [last, ...others] = await texts({ tail: 1 })
    expect(others).toEqual([])
    expect(last).toMatch(/end$/)
    expect(last?.length).toBeLessThanOrEqual(64 * 1024)
    expect((await texts({ tail: 5 })).length).toBe(5)
    expect((await texts()).reduce((sum, text) => sum + text.length, 0)).toBe(MIB)
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * MIB)
  })

  test('others have their turn while very many lines are told', async () => {
    writeFileSync(source.current, 'y\n'.repeat(400_000))
    let turns = 0
    const busy = setInterval(() => turns++, 0)
    let count = 0
    for await (const _ of readLog({ ...source, bytesMax: 16 * MIB }, ALL, new AbortController().signal)) count++
    clearInterval(busy)
    expect(count).toBe(400_000)
    expect(turns).toBeGreaterThan(20)
  })
})
