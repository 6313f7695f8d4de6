import type { ErrorDoc } from '../core/base/error-doc.ts'

/** What can be wrong with the place where the control plane keeps everything: its file or its database. */
export const STORE_ERRORS = {
  DATA_UNSAFE: {
    title: 'a file of the data folder is not safe to use',
    why: 'The database and the tokens are for the user of `berth up` alone. A file that belongs to another user, or a link that leads elsewhere, could be read or replaced by others.',
    fix: 'Give the file to the user who runs `berth up`, put it where the link is, or choose another folder with `--data DIR`.',
  },
  STORE_LOCKED: {
    title: 'the store is in use',
    why: 'One control plane has the file open, and two on one file would overwrite each other.',
    fix: 'Stop the process that the message names, use another `--data` folder, or share a PostgreSQL database with `--database`.',
  },
  STORE_FOREIGN: {
    title: 'not a store of Berth',
    why: 'The file, or the schema of the database, holds something that Berth did not write. Nothing in it was changed.',
    fix: 'Point `--data` at an empty folder, or `--database` at a schema of its own (`?schema=NAME`).',
  },
  STORE_NEWER: {
    title: 'the store is newer than this program',
    why: 'A newer Berth has written it, in a form that this one does not know. Nothing in it was changed.',
    fix: 'Start the newer version again, or restore the backup that was made before the upgrade.',
  },
  STORE_DAMAGED: {
    title: 'the store is damaged',
    why: 'What lies on the disk is not what was written: a bad disk, a copy made while it was in use, or a foreign hand.',
    fix: 'Keep the file, restore the last backup in its place and start again; running work is found again by its tags.',
  },
  STORE_MISSING: {
    title: 'the store of this folder is missing',
    why: 'The folder was used with a database that is gone, empty or another one. With a new one nobody could get in with the old token, and what runs would be a stranger’s for ever: on a cloud it would go on being billed.',
    fix: 'Put the database back from where it was moved to or from the last backup; what runs is then found again by its tags. Only if nothing of it is needed any more: `berth up --new-store`.',
  },
  STORE_FULL: {
    title: 'the disk of the store is full',
    why: 'Nothing new can be written. What runs goes on, everything can be read, and a reserve is kept so that work can still be stopped and removed.',
    fix: 'Make room on the disk of the data folder (or of the database server), or remove work with `berth rm`. Berth goes on by itself, without a restart.',
  },
  STORE_UNWRITABLE: {
    title: 'the store cannot be written',
    why: 'Its folder is not there, may not be written to, or the disk fails.',
    fix: 'Create the folder, or give it to the user that Berth runs as; then start again.',
  },
  DATABASE_URL_INVALID: {
    title: 'not the address of a database',
    why: 'The address cannot be read as one of PostgreSQL, or its schema has a name that cannot be used.',
    fix: 'Write `postgres://USER:PASSWORD@HOST:PORT/DATABASE`, with `?schema=NAME` if it shall not be `berth`. Special characters in a password are written as in URLs: `@` as `%40`.',
  },
  DATABASE_UNREACHABLE: {
    title: 'the database cannot be reached',
    why: 'Nothing answers at the address, or it turns the user away. Running work goes on without it.',
    fix: 'Check that PostgreSQL runs and takes connections from this host, and the user, password and name of the database.',
  },
  DATABASE_UNSUITABLE: {
    title: 'the database cannot hold a store',
    why: 'It is too old, cannot hold every text (its encoding is not UTF8), only answers reads, or does not let the user create tables.',
    fix: "Use PostgreSQL 15 or newer, its primary server, with a database in UTF8 that belongs to Berth's user.",
  },
} as const satisfies Record<string, ErrorDoc>
