import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { isFull, storeProblem } from './store-problem.ts'
import { explainSqlite, sqliteCode } from './sqlite-problem.ts'

const BUSY = 5

/**
 * Keeps other processes off a file for as long as this one lives. The lock is an exclusive transaction on an empty
 * database beside it, which the kernel ends with the process, however that dies; nothing is ever written to it, so
 * it cannot be damaged. Who holds it stands in a second file, only to be shown. Answers how to let go.
 */
export function lockFile(path: string): () => void {
  const lock = openLock(path)
  const holder = `${path}.pid`
  try {
    writeFileSync(holder, `${process.pid} ${hostname()}\n`)
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
    lock = new DatabaseSync(`${path}.lock`, { timeout: 0 })
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if (sqliteCode(error) === BUSY) throw locked(path)
    throw explainSqlite(error, path)
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
