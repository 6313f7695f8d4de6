import type { Migration } from './migration.ts'

/**
 * Every version of the PostgreSQL schema; `@` stands for the schema's name. Texts are compared byte by byte, as in the
 * other stores. A deleted row stays with version 0 and no body until it is pruned.
 */
export const POSTGRES_MIGRATIONS: readonly Migration[] = [
  [
    `CREATE TABLE @.rows (
      kind text COLLATE "C" NOT NULL,
      key text COLLATE "C" NOT NULL,
      version bigint NOT NULL,
      seq bigint NOT NULL,
      body text,
      deleted_ms double precision,
      PRIMARY KEY (kind, key)
    )`,
    'CREATE UNIQUE INDEX rows_by_seq ON @.rows (seq)',
    'CREATE INDEX rows_deleted ON @.rows (deleted_ms) WHERE deleted_ms IS NOT NULL',
    `CREATE TABLE @.events (
      seq bigint PRIMARY KEY,
      at_ms double precision NOT NULL,
      project text NOT NULL,
      subject text NOT NULL,
      kind text NOT NULL,
      facts text NOT NULL
    )`,
    'CREATE INDEX events_by_subject ON @.events (subject, seq)',
    'CREATE INDEX events_by_time ON @.events (at_ms)',
    `CREATE TABLE @.audit (
      seq bigint PRIMARY KEY,
      at_ms double precision NOT NULL,
      actor text NOT NULL,
      project text NOT NULL,
      action text NOT NULL,
      subject text NOT NULL,
      facts text NOT NULL
    )`,
    `CREATE TABLE @.berth_meta (
      id integer PRIMARY KEY CHECK (id = 1),
      schema_version integer NOT NULL,
      seq bigint NOT NULL,
      term bigint NOT NULL,
      holder text,
      expires_ms double precision NOT NULL,
      ttl_ms double precision NOT NULL
    )`,
    `INSERT INTO @.berth_meta (id, schema_version, seq, term, holder, expires_ms, ttl_ms) VALUES (1, 0, 0, 0, NULL, 0, 0)`,
  ],
  [
    'CREATE INDEX events_by_project ON @.events (project, seq)',
    'CREATE INDEX events_by_project_subject ON @.events (project, subject, seq)',
    'CREATE INDEX audit_by_project ON @.audit (project, seq)',
  ],
  // Placements and statuses of version 2: programs that know no versions of rows must not read them.
  [],
]
