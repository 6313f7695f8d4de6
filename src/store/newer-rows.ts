import { VERSION_PREFIX } from '../core/life/row/body.ts'
import { ROW_FORMATS } from '../core/life/row/formats.ts'
import type { UserError } from '../core/base/problem.ts'
import { storeProblem } from './store-problem.ts'

/** A row as the database returns it. */
type Found = Readonly<Record<string, unknown>>

/** Position of the version number in the text of a body, counted from 1 as databases do. */
const NUMBER_AT = VERSION_PREFIX.length + 1

/** The latest version of a row by its kind, as SQL; 0 for kinds that this program does not know. */
const KNOWN_SQL = `CASE kind ${Object.entries(ROW_FORMATS)
  .map(([kind, { version }]) => `WHEN '${kind}' THEN ${version}`)
  .join(' ')} ELSE 0 END`

/**
 * The SQL condition for rows that only a newer program can read, given the head of a body and its version as a number.
 * It is checked before anything is changed, and reads no whole body.
 */
export function newerRowsSql(table: string, versionOf: (head: string) => string): string {
  const version = `CASE WHEN substr(body, 1, ${NUMBER_AT - 1}) = '${VERSION_PREFIX}'
    THEN ${versionOf(`substr(body, ${NUMBER_AT}, 9)`)} ELSE 1 END`
  return `SELECT kind, key, ${version} AS version, ${KNOWN_SQL} AS known FROM ${table}
    WHERE body IS NOT NULL AND ${version} > ${KNOWN_SQL} LIMIT 1`
}

/** A row that only a newer program can read. */
export function newerRow({ kind, key, version, known }: Found): UserError {
  return storeProblem(
    'STORE_NEWER',
    `The row ${String(kind)} ${String(key)} of the store has version ${String(version)}; this program knows versions up to ${String(known)}. Nothing was changed.`,
    'Start the newer version of Berth again, or restore the backup from before the upgrade.',
  )
}
