import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tightenModes } from '../../src/up/modes.ts'

let folder = ''
const lines: string[] = []
const note = (message: string, fields = {}): void => void lines.push(`${message} ${JSON.stringify(fields)}`)
const log = { info: note, warn: note, error: note }
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-modes-'))
  lines.length = 0
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const modeOf = (name: string): string => (statSync(join(folder, name)).mode & 0o777).toString(8)

test('a data folder and files that others could reach are closed, a line each', () => {
  chmodSync(folder, 0o755)
  for (const name of ['berth.db', 'berth.db-wal', 'admin.token', 'connection.json'])
    writeFileSync(join(folder, name), '', { mode: 0o644 })
  mkdirSync(join(folder, 'providers'), { mode: 0o755 })
  tightenModes(folder, log)
  expect(modeOf('.')).toBe('700')
  expect(['berth.db', 'berth.db-wal', 'admin.token', 'connection.json'].map(modeOf)).toEqual(Array(4).fill('600'))
  expect(modeOf('providers')).toBe('700')
  expect(lines).toHaveLength(6)
  expect(lines[0]).toContain('"mode":"755"')
  tightenModes(folder, log)
  expect(lines).toHaveLength(6)
})

test('the folder of providers may lie on another disk, behind a link of our own, and is closed there', () => {
  mkdirSync(join(folder, 'other-disk'), { mode: 0o755 })
  symlinkSync(join(folder, 'other-disk'), join(folder, 'providers'))
  tightenModes(folder, log)
  expect(modeOf('other-disk')).toBe('700')
})

test('a link in the place of a file is refused, with how to go on', () => {
  writeFileSync(join(folder, 'elsewhere'), '')
  symlinkSync(join(folder, 'elsewhere'), join(folder, 'berth.db'))
  expect(() => tightenModes(folder, log)).toThrow('DATA_UNSAFE')
})
