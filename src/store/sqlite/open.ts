import { appendFileSync, existsSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { MigrationOptions } from '../migrations/migration.ts'
import { APPLICATION_ID, SQLITE_MIGRATIONS } from '../migrations/sqlite.ts'
import { lockFile } from './lock.ts'
import { WRITER_PRAGMAS } from './sql.ts'
import { damaged, explainSqlite, foreign } from './problem.ts'
import { newerRow, newerRowsSql } from '../newer-rows.ts'
import { storeProblem } from '../store-problem.ts'

/** An open store file with an up-to-date schema, which no other process has open. */
export interface SqliteFile {
  readonly path: string
  readonly database: DatabaseSync
  readonly close: () => void
}

export interface SqliteFileOptions extends MigrationOptions {
  /** Space reserved for its log at the start, so that a full disk does not stop small commits. Left out: none. */
  readonly logBytes?: number
}

/** Opens or creates a file. Throws a UserError if the user can fix the problem. */
export function openSqliteFile(path: string, options: SqliteFileOptions): SqliteFile {
  const real = realPath(path)
  const unlock = lockFile(real)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(real, { timeout: 5_000 })
    // Before anything is changed: the file may belong to another program.
    const version = versionOf(database, real, options)
    database.exec(WRITER_PRAGMAS)
    migrate(database, version, options)
    // The last holder of the lease had the file open, and now no process has.
    database.exec('UPDATE meta SET holder = NULL')
    takeRoom(`${real}-wal`, options.logBytes ?? 0)
  } catch (error) {
    database?.close()
    unlock()
    throw explainSqlite(error, real)
  }
  const opened = database
  return {
    path: real,
    database,
    close: () => {
      opened.close()
      unlock()
    },
  }
}

/**
 * Makes the log of the database as long as it may ever need to be. SQLite reuses it from the beginning and ignores
 * everything after its last frame, so it needs no new space then. If there is no space now, nothing is reserved.
 */
function takeRoom(log: string, bytes: number): void {
  try {
    const missing = bytes - statSync(log).size
    if (missing > 0) appendFileSync(log, Buffer.alloc(missing))
  } catch {
    // The disk is full already: the ballast helps in that case.
  }
}

/** The real path of a file, so that its lock is always beside the file itself, however the path is spelt. */
function realPath(path: string): string {
  const full = resolve(path)
  const folder = dirname(full)
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw storeProblem('STORE_UNWRITABLE', `There is no folder ${folder}.`, `Create it: mkdir -p ${folder}`)
  }
  if (existsSync(full) && !statSync(full).isFile()) {
    throw storeProblem('STORE_UNWRITABLE', `${full} is not a file.`, 'Name a new file, or an existing store.')
  }
  return existsSync(full) ? realpathSync(full) : join(realpathSync(folder), basename(full))
}

/** Version of the schema, 0 for an empty file; checks that the file is sound and ours. */
function versionOf(database: DatabaseSync, path: string, { migrations = SQLITE_MIGRATIONS }: MigrationOptions): number {
  const version = numberOf(database, 'PRAGMA user_version', 'user_version')
  const isOurs = numberOf(database, 'PRAGMA application_id', 'application_id') === APPLICATION_ID
  const tables = numberOf(database, 'SELECT count(*) AS tables FROM sqlite_master', 'tables')
  if (!isOurs && (tables > 0 || version > 0)) throw foreign(path, 'is a database of another program')
  if (version > migrations.length) {
    throw storeProblem(
      'STORE_NEWER',
      `${path} has version ${version}; this program knows versions up to ${migrations.length}. Nothing was changed.`,
      'Start the newer version of Berth again, or restore the backup from before the upgrade.',
    )
  }
  const [found] = database.prepare('PRAGMA quick_check(1)').all()
  if (found?.['quick_check'] !== 'ok') throw damaged(path)
  const newer = version === 0 ? undefined : database.prepare(NEWER_ROWS).get()
  if (newer !== undefined) throw newerRow(newer)
  return version
}

/** SQLite reads the leading digits of a text as its number. */
const NEWER_ROWS = newerRowsSql('rows', (head) => `CAST(${head} AS INTEGER)`)

function migrate(database: DatabaseSync, version: number, options: MigrationOptions): void {
  const { migrations = SQLITE_MIGRATIONS, beforeStatement } = options
  const run = (statement: string): void => {
    beforeStatement?.(statement)
    database.exec(statement)
  }
  for (const [at, statements] of migrations.entries()) {
    if (at < version) continue
    run('BEGIN IMMEDIATE')
    for (const statement of statements) run(statement)
    run(`PRAGMA user_version = ${at + 1}`)
    run('COMMIT')
  }
}

function numberOf(database: DatabaseSync, query: string, column: string): number {
  return Number(database.prepare(query).get()?.[column])
}
