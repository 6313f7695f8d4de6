import { expect, test } from 'vitest'
import { tellMissing, toolsFor } from './missing.ts'

const tool = (name: string, isThere: boolean) => ({ name, from: name.toLowerCase(), isThere: () => isThere })

test('what is missing is told in one line, with how to get it', () => {
  expect(tellMissing([tool('A', false), tool('B', true), tool('C', false)])).toBe(
    'Skipped for want of A, C. To run these tests, too: apt-get install a c',
  )
  expect(tellMissing([tool('A', true)])).toBeUndefined()
})

test('the small run needs less', () => {
  expect(toolsFor(false).map(({ name }) => name)).toEqual(['PostgreSQL'])
  expect(toolsFor(true).map(({ name }) => name)).toEqual(['PostgreSQL', 'sqlite3', 'podman'])
})
