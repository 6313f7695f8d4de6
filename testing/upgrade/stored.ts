import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'

/** Everything in a store, as it is stored. */
export interface Stored {
  readonly rows: readonly StoredRow[]
  readonly events: readonly StoredEntry[]
  readonly audit: readonly StoredEntry[]
}

export interface StoredRow {
  readonly kind: string
  readonly key: string
  readonly version: number
  readonly seq: number
  readonly body: unknown
}

export interface StoredEntry {
  readonly seq: number
  readonly facts: unknown
}

const ROWS = 'SELECT kind, key, version, seq, body FROM @rows WHERE body IS NOT NULL ORDER BY kind, key'

/** Of a SQLite file that no control plane has open. */
export function storedIn(file: string): Stored {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const all = (sql: string): readonly Found[] => database.prepare(sql.replace('@', '')).all()
    return read(all(ROWS), all('SELECT * FROM @events ORDER BY seq'), all('SELECT * FROM @audit ORDER BY seq'))
  } finally {
    database.close()
  }
}

/** Of the schema of a PostgreSQL database. */
export async function storedAt(url: string): Promise<Stored> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const all = async (sql: string): Promise<readonly Found[]> => (await client.query(sql.replace('@', 'berth.'))).rows
    const [rows, events, audit] = [
      await all(ROWS),
      await all('SELECT * FROM @events ORDER BY seq'),
      await all('SELECT * FROM @audit ORDER BY seq'),
    ]
    return read(rows, events, audit)
  } finally {
    await client.end()
  }
}

type Found = Readonly<Record<string, unknown>>

function read(rows: readonly Found[], events: readonly Found[], audit: readonly Found[]): Stored {
  return {
    rows: rows.map(({ kind, key, version, seq, body }) => ({
      kind: String(kind),
      key: String(key),
      version: Number(version),
      seq: Number(seq),
      body: JSON.parse(String(body)),
    })),
    events: events.map(entry),
    audit: audit.map(entry),
  }
}

function entry(found: Found): StoredEntry {
  return { ...found, seq: Number(found['seq']), facts: JSON.parse(String(found['facts'])) }
}
