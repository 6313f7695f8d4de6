import { dirname } from 'node:path'
import { UserError } from '../../core/base/problem.ts'
import { storeProblem } from '../store-problem.ts'

/** SQLite's primary error code; undefined: the error is not SQLite's. */
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

/** A UserError if the user can fix the problem, otherwise the error itself. */
export function explainSqlite(error: unknown, path: string): unknown {
  if (error instanceof UserError) return error
  const code = sqliteCode(error)
  if (code === CORRUPT) return damaged(path)
  if (code === NOT_A_DATABASE) return foreign(path, 'is not a database')
  if (code === FULL || (error instanceof Error && 'code' in error && error.code === 'ENOSPC')) {
    return storeProblem('STORE_FULL', `${path} cannot grow: the disk is full.`, 'Make room; no restart is needed.')
  }
  if (code === PERMISSION || code === READ_ONLY || code === CANNOT_OPEN || isRefusedFile(error)) {
    return storeProblem(
      'STORE_UNWRITABLE',
      `${path} cannot be written by this user.`,
      `Make the user that Berth runs as the owner of ${dirname(path)} and its files, or choose another folder with --data.`,
    )
  }
  if (code === IO) {
    return storeProblem(
      'STORE_UNWRITABLE',
      `The disk fails to read or write ${path}.`,
      'Check the kernel log for errors of the disk, and move the folder to a healthy disk first.',
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
    `${path} ${what}, or it does not belong to Berth. Nothing in it was changed.`,
    'Choose an empty folder with --data.',
  )
}

function isRefusedFile(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && ['EACCES', 'EPERM', 'EROFS', 'ENOENT'].includes(String(error.code))
  )
}
