import { storeProblem } from '../store-problem.ts'

/** The address of a PostgreSQL store. */
export interface Address {
  /** For the driver, password included: never to be shown. */
  readonly connectionString: string
  readonly schema: string
  /** Host, port and database: all that may be shown. */
  readonly shown: string
}

/** Reads `postgres://USER:PASSWORD@HOST:PORT/DATABASE?schema=NAME`. No message repeats the address: it may contain a password. */
export function readAddress(url: string): Address {
  if (!/^postgres(ql)?:\/\//.test(url)) throw invalid('The address of the database does not begin with postgres://.')
  const parsed = URL.parse(url)
  if (parsed === null) throw invalid('The address of the database cannot be read as a URL.')
  const schema = parsed.searchParams.get('schema') ?? 'berth'
  // A name that needs no quotes; `pg_` is reserved by PostgreSQL.
  if (!/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw invalid(
      'The schema in the address of the database must have 1 to 63 lower-case letters, digits and underscores.',
    )
  }
  if (parsed.pathname.length < 2) throw invalid('The address names no database.')
  parsed.searchParams.delete('schema')
  const host = parsed.host === '' ? (parsed.searchParams.get('host') ?? 'localhost') : parsed.host
  return { connectionString: parsed.href, schema, shown: `${host}${parsed.pathname}` }
}

function invalid(message: string): Error {
  return storeProblem(
    'DATABASE_URL_INVALID',
    message,
    'Write postgres://USER:PASSWORD@HOST:5432/DATABASE, with ?schema=NAME for a schema other than `berth`.\n' +
      'In a password write @ as %40, / as %2F, : as %3A and # as %23.',
  )
}
