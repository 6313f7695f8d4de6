import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { edited } from './edit.ts'
import { MUTANTS } from './mutants.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('there are at least fifty mutants, each with a name of its own', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(50)
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
})

test.each(MUTANTS)('$name changes exactly one place of its function', ({ file, ...edit }) => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const mutated = edited(text, edit)
  expect(mutated).not.toBe(text)
  expect(() => stripTypeScriptTypes(mutated)).not.toThrow()
})
