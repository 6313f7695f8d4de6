import { Pool, type PoolClient } from 'pg'
import type { MigrationOptions } from '../migrations/migration.ts'
import { POSTGRES_MIGRATIONS } from '../migrations/postgres.ts'
import { readAddress } from './address.ts'
import { explainPostgres } from './problem.ts'
import { newerRow, newerRowsSql } from '../newer-rows.ts'
import { storeProblem } from '../store-problem.ts'

/** How a PostgreSQL store is set up. */
export interface PostgresOptions extends MigrationOptions {
  /** Longest wait for a connection. */
  readonly connectMs?: number
  /** Longest wait for one statement, locks included. */
  readonly statementMs?: number
  /** A writer that falls silent in the middle of a transaction is thrown out after this, so that others can go on. */
  readonly silenceMs?: number
}

/** Connections to a database whose schema is up to date. */
export interface PostgresServer {
  /** Host and database, for people. */
  readonly shown: string
  readonly schema: string
  readonly version: number
  /** Reads have connections of their own: a renewal of the lease never waits behind a long list. */
  readonly readers: Pool
  readonly writers: Pool
  readonly silenceMs: number
  readonly close: () => Promise<void>
}

const SERVER_VERSION_MIN = 150_000

/** Connects and brings the schema up to date. Rejects with a UserError for everything the user can do something about. */
export async function openPostgresServer(url: string, options: PostgresOptions): Promise<PostgresServer> {
  const { connectionString, schema, shown } = readAddress(url)
  const { connectMs = 5_000, statementMs = 10_000, silenceMs = 2_000, migrations = POSTGRES_MIGRATIONS } = options
  const pool = (max: number): Pool => {
    const made = new Pool({
      connectionString,
      max,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      // The server ends a statement in time; this is for a server that is not heard of any more.
      query_timeout: statementMs + 1_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: 'berth',
      types: { getTypeParser: parserOf },
    })
    // A connection that breaks while nobody uses it is replaced by the next who needs one.
    made.on('error', () => {})
    return made
  }
  const readers = pool(4)
  const writers = pool(2)
  const close = async (): Promise<void> => {
    await Promise.all([readers.end(), writers.end()])
  }
  try {
    await withClient(writers, async (client) => {
      await checkServer(client, shown)
      await checkRows(client, { schema, shown }, migrations.length)
      await migrate(client, { schema, shown }, { ...options, migrations })
    })
  } catch (error) {
    await close()
    throw explainPostgres(error, shown)
  }
  return { shown, schema, version: migrations.length, readers, writers, silenceMs, close }
}

/** Lends a connection. One on which anything failed is thrown away: nobody knows what state it is in. */
export async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // It may break while it is lent and idle; the next query on it says so.
  const ignore = (): void => {}
  client.on('error', ignore)
  let isSound = false
  try {
    const result = await work(client)
    isSound = true
    return result
  } finally {
    client.off('error', ignore)
    client.release(!isSound)
  }
}

/** Counts beyond 2^53 do not happen, so bigint comes as a number; everything else that is read is text or a float. */
function parserOf(type: number): (text: string) => unknown {
  const isNumber = type === 20 || type === 23 || type === 701
  return isNumber ? Number : (text) => text
}

async function checkServer(client: PoolClient, shown: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
      current_setting('server_encoding') AS encoding`,
  )
  const { version, name, encoding } = rows[0] ?? {}
  if (version < SERVER_VERSION_MIN) {
    throw unsuitable(`${shown} is PostgreSQL ${name}; Berth needs 15 or newer.`, 'Upgrade the server, or use another.')
  }
  if (encoding !== 'UTF8') {
    throw unsuitable(
      `${shown} is encoded in ${encoding}, which cannot hold every text.`,
      'Create a database for Berth: createdb --encoding=UTF8 --template=template0 NAME',
    )
  }
}

/** Refuses what only a newer program can read, before anything is changed. */
async function checkRows(
  client: PoolClient,
  at: { readonly schema: string; readonly shown: string },
  known: number,
): Promise<void> {
  if ((await versionOf(client, at, known)) === 0) return
  const { rows } = await client.query(newerRowsSql(`${at.schema}.rows`, numberIn))
  if (rows[0] !== undefined) throw newerRow(rows[0])
}

function numberIn(head: string): string {
  return `coalesce(substring(${head} from '^[0-9]+'), '0')::bigint`
}

/** Each migration is a transaction; whoever comes at the same time waits for it and finds it done. */
async function migrate(
  client: PoolClient,
  at: { readonly schema: string; readonly shown: string },
  { migrations = [], beforeStatement }: MigrationOptions,
): Promise<void> {
  const run = async (statement: string): Promise<void> => {
    beforeStatement?.(statement)
    await client.query(statement.replaceAll('@', at.schema))
  }
  for (let version = await versionOf(client, at, migrations.length); version < migrations.length;) {
    await run('BEGIN; SET LOCAL synchronous_commit = on')
    await run("SELECT pg_advisory_xact_lock(hashtext('berth @'))")
    version = await versionOf(client, at, migrations.length)
    if (version === 0) await run('CREATE SCHEMA IF NOT EXISTS @')
    for (const statement of migrations[version] ?? []) await run(statement)
    if (version < migrations.length) await run(`UPDATE @.berth_meta SET schema_version = ${version + 1}`)
    await run('COMMIT')
    version++
  }
}

/** Version of the schema, 0 when there is nothing in it; checks that it is ours. */
async function versionOf(
  client: PoolClient,
  { schema, shown }: { readonly schema: string; readonly shown: string },
  known: number,
): Promise<number> {
  const { rows: tables } = await client.query('SELECT tablename FROM pg_catalog.pg_tables WHERE schemaname = $1', [
    schema,
  ])
  if (tables.length === 0) return 0
  if (!tables.some(({ tablename }) => tablename === 'berth_meta')) {
    throw storeProblem(
      'STORE_FOREIGN',
      `The schema ${schema} of ${shown} holds tables of something else. Nothing in it was changed.`,
      'Give Berth a schema of its own: add ?schema=NAME to the address.',
    )
  }
  const { rows } = await client.query(`SELECT schema_version FROM ${schema}.berth_meta`)
  const version = Number(rows[0]?.schema_version)
  if (version > known) throw newer(shown, version, known)
  return version
}

/** The schema was written by a later program; also found when that happens while this one runs. */
export function newer(shown: string, version: number, known: number): Error {
  return storeProblem(
    'STORE_NEWER',
    `The store in ${shown} has version ${version}; this program knows versions up to ${known}. Nothing was changed.`,
    'Start the newer version of Berth again, or restore the backup from before the upgrade.',
  )
}

function unsuitable(message: string, hint: string): Error {
  return storeProblem('DATABASE_UNSUITABLE', message, hint)
}
