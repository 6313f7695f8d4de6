import { expect, test } from 'vitest'
import { ROW_FORMATS } from '../core/life/row/formats.ts'
import { POSTGRES_MIGRATIONS } from './migrations/postgres.ts'
import { SQLITE_MIGRATIONS } from './migrations/sqlite.ts'

/**
 * The versions of rows that came with each version of the schema. Whoever adds one adds an empty migration to both
 * databases, too: an older program then refuses the store as it opens it, and also when it has it open already.
 */
const VERSIONS: readonly Readonly<Record<string, number>>[] = [{}, {}, { placement: 2, status: 2 }]

test('a new version of a row comes with a new version of the schema', () => {
  const latest = Object.assign({}, ...VERSIONS)
  const beyondFirst = Object.entries(ROW_FORMATS).flatMap(([kind, { version }]) =>
    version > 1 ? [[kind, version]] : [],
  )
  expect(Object.fromEntries(beyondFirst)).toEqual(latest)
  expect([SQLITE_MIGRATIONS.length, POSTGRES_MIGRATIONS.length]).toEqual([VERSIONS.length, VERSIONS.length])
})
