import { dirname } from 'node:path'
import { UserError } from '../../core/base/problem.ts'
import { storeProblem } from '../store-problem.ts'

/** SQLite's number for what went wrong, without its finer distinctions; undefined: the error is not SQLite's. */
export function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return undefined
  return error.errcode & 0xff
}

const PERMISSION = 3
const READ_ONLY = 8
const IO = 10
const CORRUPT = 11
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

/** What the user can do about an error, or the error itself where that is nothing. */
export function explainSqlite(error: unknown, path: string): unknown {
  if (error instanceof UserError) return error
  const code = sqliteCode(error)
  if (code === CORRUPT) return damaged(path)
  if (code === NOT_A_DATABASE) return foreign(path, 'is no database')
  if (code === FULL || (error instanceof Error && 'code' in error && error.code === 'ENOSPC')) {
    return storeProblem('STORE_FULL', `${path} cannot grow: the disk is full.`, 'Make room; it goes on by itself then.')
  }
  if (code === PERMISSION || code === READ_ONLY || code === CANNOT_OPEN || isRefusedFile(error)) {
    return storeProblem(
      'STORE_UNWRITABLE',
      `${path} cannot be written by this user.`,
      `Give the folder ${dirname(path)} and what is in it to the user that Berth runs as, or choose another with --data.`,
    )
  }
  if (code === IO) {
    return storeProblem(
      'STORE_UNWRITABLE',
      `The disk fails to read or write ${path}.`,
      'Look into the log of the kernel for the disk; move the folder to a sound one before going on.',
    )
  }
  return error
}

export function damaged(path: string): UserError {
  return storeProblem(
    'STORE_DAMAGED',
    `${path} is damaged.`,
    `Move ${path}, ${path}-wal and ${path}-shm away together, put the last backup in their place and start again.`,
  )
}

export function foreign(path: string, what: string): UserError {
  return storeProblem(
    'STORE_FOREIGN',
    `${path} ${what}, or not one of Berth. Nothing in it was changed.`,
    'Choose an empty folder with --data.',
  )
}

function isRefusedFile(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['EACCES', 'EPERM', 'EROFS', 'ENOENT'].includes(String(error.code))
  )
}
