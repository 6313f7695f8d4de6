import type { Migration } from './migration.ts'

/** `Bert` in ASCII: marks a file as Berth's in its header. */
export const APPLICATION_ID = 0x42_65_72_74

/** Every version of the SQLite schema. A deleted row stays with version 0 and no body until it is pruned. */
export const SQLITE_MIGRATIONS: readonly Migration[] = [
  [
    `PRAGMA application_id = ${APPLICATION_ID}`,
    `CREATE TABLE rows (
      kind TEXT NOT NULL,
      key TEXT NOT NULL,
      version INTEGER NOT NULL,
      seq INTEGER NOT NULL,
      body TEXT,
      deleted_ms REAL,
      PRIMARY KEY (kind, key)
    ) STRICT`,
    'CREATE UNIQUE INDEX rows_by_seq ON rows (seq)',
    'CREATE INDEX rows_deleted ON rows (deleted_ms) WHERE deleted_ms IS NOT NULL',
    `CREATE TABLE events (
      seq INTEGER PRIMARY KEY,
      at_ms REAL NOT NULL,
      project TEXT NOT NULL,
      subject TEXT NOT NULL,
      kind TEXT NOT NULL,
      facts TEXT NOT NULL
    ) STRICT`,
    'CREATE INDEX events_by_subject ON events (subject, seq)',
    'CREATE INDEX events_by_time ON events (at_ms)',
    `CREATE TABLE audit (
      seq INTEGER PRIMARY KEY,
      at_ms REAL NOT NULL,
      actor TEXT NOT NULL,
      project TEXT NOT NULL,
      action TEXT NOT NULL,
      subject TEXT NOT NULL,
      facts TEXT NOT NULL
    ) STRICT`,
    `CREATE TABLE meta (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      seq INTEGER NOT NULL,
      term INTEGER NOT NULL,
      holder TEXT,
      expires_ms REAL NOT NULL,
      ttl_ms REAL NOT NULL
    ) STRICT`,
    'INSERT INTO meta (id, seq, term, holder, expires_ms, ttl_ms) VALUES (1, 0, 0, NULL, 0, 0)',
  ],
  [
    'CREATE INDEX events_by_project ON events (project, seq)',
    'CREATE INDEX events_by_project_subject ON events (project, subject, seq)',
    'CREATE INDEX audit_by_project ON audit (project, seq)',
  ],
  // Placements and statuses of version 2: programs that know no versions of rows must not read them.
  [],
]
