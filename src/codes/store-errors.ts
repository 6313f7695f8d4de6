import type { ErrorDoc } from '../core/base/error-doc.ts'

/** Errors of the control plane's store: its file or its database. */
export const STORE_ERRORS = {
  DATA_UNSAFE: {
    title: 'a file of the data folder is not safe to use',
    why: 'Only the user of `berth up` may access the database and the tokens. Other users could read or replace a file that they own, or one behind a link.',
    fix: 'Make the file owned by the user who runs `berth up`, replace the link with the file itself, or choose another folder with `--data DIR`.',
  },
  STORE_LOCKED: {
    title: 'the store is in use',
    why: 'Another control plane has the file open, and two would overwrite each other’s changes.',
    fix: 'Stop the process that the message names, use another `--data` folder, or share a PostgreSQL database with `--database`.',
  },
  STORE_FOREIGN: {
    title: 'not a Berth store',
    why: 'The file, or the schema of the database, holds data that Berth did not write. Nothing was changed.',
    fix: 'Point `--data` to an empty folder, or `--database` to a schema of its own (`?schema=NAME`).',
  },
  STORE_NEWER: {
    title: 'the store is newer than this program',
    why: 'A newer version of Berth wrote it in a format that this version does not know. Nothing was changed.',
    fix: 'Start the newer version again, or restore the backup that was made before the upgrade.',
  },
  STORE_DAMAGED: {
    title: 'the store is damaged',
    why: 'The contents on disk are not what Berth wrote. Causes can be a bad disk, a copy made while the store was in use, or a change by another program.',
    fix: 'Keep a copy of the file, restore the last backup and start again; running work is found again by its tags.',
  },
  STORE_MISSING: {
    title: 'the store of this folder is missing',
    why: 'The folder was used with a database that is gone, empty or a different one. With a new database the old tokens would not work, and Berth would no longer know what it runs: on a cloud it would be billed without end.',
    fix: 'Put the database back, or restore the last backup; running work is then found again by its tags. Use `berth up --new-store` only if nothing of it is needed any more.',
  },
  STORE_FULL: {
    title: 'the disk of the store is full',
    why: 'Nothing new can be written. Workloads keep running, everything can be read, and a reserve lets work still be stopped and removed.',
    fix: 'Free space on the disk of the data folder (or of the database server), or remove work with `berth rm`. Berth recovers without a restart.',
  },
  STORE_UNWRITABLE: {
    title: 'the store cannot be written',
    why: 'Its folder does not exist or is not writable, or the disk fails.',
    fix: 'Create the folder, or make it writable for the user that Berth runs as; then start again.',
  },
  DATABASE_URL_INVALID: {
    title: 'invalid database address',
    why: 'The address is not a PostgreSQL address, or the name of its schema is not valid.',
    fix: 'Write `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with `?schema=NAME` for a schema other than `berth`. Encode special characters in the password as in URLs: `@` as `%40`.',
  },
  DATABASE_UNREACHABLE: {
    title: 'the database cannot be reached',
    why: 'Nothing answers at the address, or it refuses the user. Workloads keep running without it.',
    fix: 'Check that PostgreSQL runs and accepts connections from this host, and check the user, the password and the name of the database.',
  },
  DATABASE_UNSUITABLE: {
    title: 'the database cannot hold a store',
    why: 'It is too old, cannot hold every text (its encoding is not UTF8), is read-only, or does not let the user create tables.',
    fix: "Use PostgreSQL 15 or newer, its primary server, with a database in UTF8 that belongs to Berth's user.",
  },
} as const satisfies Record<string, ErrorDoc>
