import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MUTANTS } from './mutants.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('there are at least fifty mutants, each with a name of its own', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(50)
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length)
})

test.each(MUTANTS)('$name changes exactly one place that is still there', ({ file, find, replace }) => {
  const text = readFileSync(join(ROOT, file), 'utf8')
  expect(text.split(find)).toHaveLength(2)
  expect(replace).not.toBe(find)
})
