import { chmodSync, closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { isFull, storeProblem } from '../store-problem.ts'
import { explainSqlite, sqliteCode } from './problem.ts'

const BUSY = 5
const MODE = 0o600

/**
 * Keeps other processes off a file for as long as this one lives. The lock is an exclusive transaction on an empty
 * database beside it, which the kernel ends with the process, however that dies; nothing is ever written to it, so
 * it cannot be damaged. Who holds it stands in a second file, only to be shown. Answers how to let go.
 */
export function lockFile(path: string): () => void {
  const lock = openLock(path)
  const holder = `${path}.pid`
  try {
    closeToOthers(holder)
    writeFileSync(holder, `${process.pid} ${hostname()}\n`, { mode: MODE })
  } catch (error) {
    const problem = explainSqlite(error, path)
    // It is only told: a disk that is full must not keep the store closed.
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
 * Makes it as a file of ours alone; one that an earlier version left is made so. What SQLite puts beside it has the same
 * mode. A file that is there is not opened: closing it would take away the lock that this very process may have on it.
 */
function closeToOthers(path: string): void {
  try {
    closeSync(openSync(path, 'wx', MODE))
  } catch {
    try {
      chmodSync(path, MODE)
    } catch {
      // Another's, or none can be made here: what comes next says so.
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
    // It is only told, never relied on: the holder may be about to write it.
    return [undefined, undefined]
  }
}
