import { UserError } from '../../core/base/problem.ts'
import { storeProblem } from '../store-problem.ts'

/** The driver's or the server's code of an error. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** A UserError if the user can fix the problem, otherwise the error itself. `shown` says which database. */
export function explainPostgres(error: unknown, shown: string): unknown {
  if (error instanceof UserError) return error
  const code = codeOf(error)
  const [what, hint] = REFUSED[code] ?? []
  if (what !== undefined && hint !== undefined) {
    return storeProblem('DATABASE_UNREACHABLE', `${shown} turns Berth away: ${what}.`, hint)
  }
  if (code === '42501' || code === '25006') {
    const why = code === '42501' ? 'the user may not create or change tables' : 'it is read-only'
    return storeProblem(
      'DATABASE_UNSUITABLE',
      `${shown} cannot be used as a store: ${why}.`,
      'Give the address of the primary server, and let the user own the database: ALTER DATABASE name OWNER TO user.',
    )
  }
  if (code === '53100') {
    return storeProblem('STORE_FULL', `${shown} cannot grow: the disk of the server is full.`, 'Make room there.')
  }
  if (isConnection(error, code)) {
    return storeProblem(
      'DATABASE_UNREACHABLE',
      `${shown} cannot be reached (${code === '' ? 'connection lost or no answer in time' : code}).`,
      'Check that PostgreSQL runs there and accepts connections from this host: pg_isready -h HOST -p PORT',
    )
  }
  return error
}

const REFUSED: Readonly<Partial<Record<string, readonly [string, string]>>> = {
  '28P01': ['wrong user or password', 'Check both in the address; in a password write @ as %40 and / as %2F.'],
  '28000': ['the user may not connect', "Check the user, and the server's pg_hba.conf."],
  '3D000': ['there is no such database', 'Create it: createdb NAME'],
  '53300': ['it has too many connections', 'Raise max_connections, or close connections that are not needed.'],
}

/** Classes 08 and 57P are the server's codes for a connection that ends; the others come from the network or the driver. */
function isConnection(error: unknown, code: string): boolean {
  if (/^(08|57P)/.test(code) || /^E[A-Z]+$/.test(code)) return true
  const message = error instanceof Error ? error.message : ''
  return /connection terminated|connection ended|timeout|not queryable|client was closed/i.test(message)
}
