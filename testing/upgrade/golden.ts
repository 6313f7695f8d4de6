import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SQLITE_MIGRATIONS } from '../../src/store/migrations/sqlite.ts'
import type { Stored, StoredEntry } from './stored.ts'

/** The rows that the control plane of a released commit wrote. */
export function goldenOf(commit: string): Stored {
  // Written by write-golden.ts.
  return JSON.parse(readFileSync(join(import.meta.dirname, 'golden', `${commit}.json`), 'utf8')) as Stored
}

/** Puts rows into a SQLite file as that release left it behind. */
export function writeFile(path: string, { rows, events, audit }: Stored, schema: number): void {
  const database = new DatabaseSync(path)
  database.exec('BEGIN')
  for (const statement of SQLITE_MIGRATIONS.slice(0, schema).flat()) database.exec(statement)
  database.exec(`PRAGMA user_version = ${schema}`)
  const row = database.prepare('INSERT INTO rows (kind, key, version, seq, body) VALUES (?, ?, ?, ?, ?)')
  for (const { kind, key, version, seq, body } of rows) row.run(kind, key, version, seq, JSON.stringify(body))
  const insert = (table: string, entries: readonly StoredEntry[]): void => {
    for (const entry of entries) {
      const columns = Object.entries({ ...entry, facts: JSON.stringify(entry.facts) })
      const marks = columns.map(() => '?').join()
      const names = columns.map(([name]) => name).join()
      database
        .prepare(`INSERT INTO ${table} (${names}) VALUES (${marks})`)
        .run(...columns.map(([, value]) => String(value)))
    }
  }
  insert('events', events)
  insert('audit', audit)
  const last = Math.max(...[...rows, ...events, ...audit].map(({ seq }) => seq))
  database.exec(`UPDATE meta SET seq = ${last}, term = 2; COMMIT`)
  database.close()
}
