import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isFresh } from './build.ts'

/** A checkout of files that were changed so many seconds after each other. */
function checkout(files: Readonly<Record<string, number>>): string {
  const root = mkdtempSync(join(tmpdir(), 'berth-build-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  for (const [name, at] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), '')
    utimesSync(join(root, name), at, at)
  }
  return root
}

const BUILD = { 'dist/up.mjs': 10, 'dist/berth.mjs': 11, 'dist/berth.blob': 11 }
const SOURCES = { 'src/a/b.ts': 9, 'package.json': 1, 'rolldown.config.ts': 1 }

test('a build is used as long as no source is newer than any part of it', () => {
  expect(isFresh(checkout({ ...SOURCES, ...BUILD }))).toBe(true)
  const tests = { 'src/a/b.test.ts': 99, 'src/a/b.suite.ts': 99 }
  expect(isFresh(checkout({ ...SOURCES, ...BUILD, ...tests }))).toBe(true)
})

test.each(['src/a/b.ts', 'src/new.ts', 'package.json', 'rolldown.config.ts'])('a newer %s makes it stale', (name) => {
  expect(isFresh(checkout({ ...SOURCES, ...BUILD, [name]: 12 }))).toBe(false)
})

test('what was never built, or in part, is not fresh', () => {
  expect(isFresh(checkout(SOURCES))).toBe(false)
  expect(isFresh(checkout({ ...SOURCES, 'dist/up.mjs': 10 }))).toBe(false)
})
