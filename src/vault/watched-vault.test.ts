import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Secret } from '../ports/secret.ts'
import { scrubber } from './scrubber.ts'
import { openVault } from './vault.ts'
import { watchedVault } from './watched-vault.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'berth-watched-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a value that was sealed or opened is not seen in logs any more', () => {
  const vault = openVault({ keyFile: join(folder, 'key') })
  const before = vault.seal(new Secret('sealed-before'), 'a')
  const known = scrubber()
  const watched = watchedVault(vault, known)
  expect(known.scrub('sealed-before sealed-now')).toBe('sealed-before sealed-now')
  watched.seal(new Secret('sealed-now'), 'b')
  expect(watched.open(before, 'a')?.reveal()).toBe('sealed-before')
  expect(known.scrub('sealed-before sealed-now')).toBe('*** ***')
  expect(watched.open(before, 'b')).toBeUndefined()
  expect(watched.rotate(before, 'a')).toBe(before)
})
