import { chmodSync, closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { isFull, storeProblem } from '../store-problem.ts'
import { explainSqlite, sqliteCode } from './problem.ts'

const BUSY = 5
const MODE = 0o600

/**
 * Locks a file against other processes for as long as this one lives. The lock is an exclusive transaction on an empty
 * database beside it. The kernel releases it when the process ends, however it ends; nothing is ever written to it, so
 * it cannot be damaged. A second file names the holder, for messages only. Returns the function that releases the lock.
 */
export function lockFile(path: string): () => void {
  const lock = openLock(path)
  const holder = `${path}.pid`
  try {
    closeToOthers(holder)
    writeFileSync(holder, `${process.pid} ${hostname()}\n`, { mode: MODE })
  } catch (error) {
    const problem = explainSqlite(error, path)
    // The file is for messages only: a full disk must not keep the store closed.
    if (!isFull(problem)) {
      lock.close()
      throw problem
    }
  }
  return () => {
    rmSync(holder, { force: true })
    lock.close()
  }
}

function openLock(path: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    closeToOthers(`${path}.lock`)
    lock = new DatabaseSync(`${path}.lock`, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (sqliteCode(error) === BUSY) throw locked(path)
    throw explainSqlite(error, path)
  }
}

/**
 * Creates the file so that only its owner has access, and corrects the mode of one from an earlier version. Files that
 * SQLite creates beside it get the same mode. An existing file is not opened: closing it would release a lock that this
 * process may already have on it.
 */
function closeToOthers(path: string): void {
  try {
    closeSync(openSync(path, 'wx', MODE))
  } catch {
    try {
      chmodSync(path, MODE)
    } catch {
      // The file belongs to another user, or cannot be created here: the next step reports that.
    }
  }
}

function locked(path: string): Error {
  const [pid, host] = holderOf(path)
  const who = pid === undefined ? 'another process' : `process ${pid}${host === hostname() ? '' : ` on ${host}`}`
  const stop = pid === undefined ? 'Stop that process' : `Stop it (kill ${pid})`
  return storeProblem(
    'STORE_LOCKED',
    `${path} is in use by ${who}.`,
    `${stop}, or choose another folder with --data. Several control planes can share a PostgreSQL database: --database.`,
  )
}

function holderOf(path: string): readonly [string | undefined, string | undefined] {
  try {
    const [, pid, host] = /^(\d+) (\S+)\n$/.exec(readFileSync(`${path}.pid`, 'utf8')) ?? []
    return [pid, host]
  } catch {
    // The file is for messages only: the holder may not have written it yet.
    return [undefined, undefined]
  }
}
