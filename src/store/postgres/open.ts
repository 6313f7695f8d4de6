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
  /** The server ends a transaction that is idle for this long, so that other writers can continue. */
  readonly silenceMs?: number
}

/** Connections to a database whose schema is up to date. */
export interface PostgresServer {
  /** Host and database, for people. */
  readonly shown: string
  readonly schema: string
  readonly version: number
  /** Reads have separate connections: a lease renewal never waits behind a long list. */
  readonly readers: Pool
  readonly writers: Pool
  readonly silenceMs: number
  readonly close: () => Promise<void>
}

const SERVER_VERSION_MIN = 150_000

/** Connects and brings the schema up to date. Rejects with a UserError if the user can fix the problem. */
export async function openPostgresServer(url: string, options: PostgresOptions): Promise<PostgresServer> {
  const { connectionString, schema, shown } = readAddress(url)
  const { connectMs = 5_000, statementMs = 10_000, silenceMs = 2_000, migrations = POSTGRES_MIGRATIONS } = options
  const pool = (max: number): Pool => {
    const made = new Pool({
      connectionString,
      max,
      connectionTimeoutMillis: connectMs,
      statement_timeout: statementMs,
      // Usually the server ends a statement in time; this timeout is for a server that no longer responds.
      query_timeout: statementMs + 1_000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      application_name: 'berth',
      types: { getTypeParser: parserOf },
    })
    // An idle connection that breaks is replaced when the next one is needed.
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

/** Lends a connection. After any failure it is discarded, because its state is unknown. */
export async function withClient<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // A lent connection may break while idle; the next query on it reports that.
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

/** Counts never exceed 2^53, so bigint is read as a number; everything else is text or a float. */
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
      `${shown} is encoded in ${encoding}, which cannot store every text.`,
      'Create a database for Berth: createdb --encoding=UTF8 --template=template0 NAME',
    )
  }
}

/** Refuses rows that only a newer program can read, before anything is changed. */
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

/** Each migration is a transaction; a process that migrates at the same time waits and finds it done. */
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

/** Version of the schema, 0 if it is empty; checks that it is ours. */
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
      `The schema ${schema} of ${shown} has tables of another program. Nothing in it was changed.`,
      'Use a separate schema for Berth: add ?schema=NAME to the address.',
    )
  }
  const { rows } = await client.query(`SELECT schema_version FROM ${schema}.berth_meta`)
  const version = Number(rows[0]?.schema_version)
  if (version > known) throw newer(shown, version, known)
  return version
}

/** A newer program wrote the schema, before this one started or while it runs. */
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
