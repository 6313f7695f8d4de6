import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeHashing } from './hashing.ts'

test('texts are the same only byte for byte, and a comparison of any two ends', () => {
  expect(nodeHashing.isSame('abc', 'abc')).toBe(true)
  expect(nodeHashing.isSame('abc', 'abd')).toBe(false)
  expect(nodeHashing.isSame('abc', 'abcd')).toBe(false)
  // As many characters, and not as many bytes.
  expect(nodeHashing.isSame('é', 'e')).toBe(false)
})

test('no two new tokens are the same, and each is as long as a token must be', () => {
  const tokens = Array.from({ length: 8 }, () => nodeHashing.newToken())
  expect(new Set(tokens).size).toBe(8)
  for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
})

test('a control plane that is started hashes with the very functions that the tests use', () => {
  const up = readFileSync(join(import.meta.dirname, '../up/compose.ts'), 'utf8')
  expect(up).toMatch(/hashing: nodeHashing,/)
  expect(up).not.toMatch(/node:crypto/)
})
