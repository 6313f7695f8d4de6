import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRecording } from './recording.ts'

let folder: string
let file: string
let said: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-recording-'))
  file = join(folder, 'leader.jsonl')
  said = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const log = {
  info: () => undefined,
  error: () => undefined,
  warn: (text: string) => void said.push(text),
}

function lines(): readonly string[] {
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}

describe('a recording', () => {
  test('is for this user alone, and begins with what it is', async () => {
    const { record, close } = openRecording(file, log)
    record('{"begin":{}}')
    await close()
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(lines()).toEqual([expect.stringContaining('"recording":"berth.recording/v1"'), '{"begin":{}}'])
  })

  test('replaces an earlier one, and no other file', async () => {
    const first = openRecording(file, log)
    first.record('{"begin":1}')
    await first.close()
    await openRecording(file, log).close()
    expect(lines()).toHaveLength(1)
    writeFileSync(file, 'kind: service\n')
    expect(() => openRecording(file, log)).toThrow(
      expect.objectContaining({ message: expect.stringContaining('not a recording') }),
    )
    expect(readFileSync(file, 'utf8')).toBe('kind: service\n')
  })

  test('ends when it is as long as it may be, and says so once', async () => {
    const { record, close } = openRecording(file, log, 200)
    for (let index = 0; index < 20; index++) record('{"event":{"kind":"look"}}')
    await close()
    expect(lines().at(-1)).toBe('{"full":true}')
    expect(statSync(file).size).toBeLessThan(220)
    expect(said).toEqual(['the recording has ended; the control plane goes on'])
  })

  test('that cannot be written is refused', () => {
    expect(() => openRecording(join(folder, 'none', 'a.jsonl'), log)).toThrow('could not be written')
  })
})
