import { assert } from '../../core/base/assert.ts'
import type { Store } from '../../ports/store.ts'
import { abortable } from '../abortable.ts'
import { prepare } from '../check.ts'
import { groupCommits } from '../group.ts'
import { bodyText } from '../records.ts'
import { openSqliteFile, type SqliteFileOptions } from './open.ts'
import { explainSqlite } from './problem.ts'
import { Reader } from './reader.ts'
import { WriterThread } from './writer-thread.ts'
import { PRUNE_SLICE } from './writer.ts'

/** How a SQLite store is set up. */
export interface SqliteOptions extends SqliteFileOptions {
  /** The clock for leases. */
  readonly nowMs: () => number
}

/**
 * Keeps everything in one file, for one process. Durable: a commit is answered after it is on disk. Rejects with a
 * UserError if the file cannot be used. On opening, the lease is free at once: no other process can have the file open,
 * so its last holder is gone.
 *
 * What is read is read here; what is written is written by a thread of its own, because it waits for the disk.
 */
export async function openSqliteStore(path: string, options: SqliteOptions): Promise<Store> {
  const file = openSqliteFile(path, options)
  const disk = new Reader(file.database)
  const writer = new WriterThread(file.path)
  const { nowMs } = options
  let isClosed = false
  /** Every call is asynchronous, and an error of the disk becomes a UserError with a hint. */
  const answer = async <T>(work: () => T | Promise<T>): Promise<T> => {
    assert(!isClosed, 'the store is closed')
    try {
      return await work()
    } catch (error) {
      throw explainSqlite(error, file.path)
    }
  }
  const group = groupCommits<string>((batch) => answer(() => writer.call('write', batch, nowMs())))

  return abortable({
    get: (kind, key, signal) => answer(() => disk.get(kind, key, signal)),
    list: (kind, page, signal) => answer(() => disk.list(kind, page, signal)),
    commit: async (commit, signal) => group.commit(prepare(commit, bodyText), signal),
    changes: (since, limit, signal) => answer(() => disk.changes(since, limit, signal)),
    head: () => answer(() => disk.head()),
    events: (query, signal) => answer(() => disk.events(query, signal)),
    audit: (query, signal) => answer(() => disk.audit(query, signal)),
    count: (kind, query) => answer(() => disk.count(kind, query)),
    lead: (holder, ttlMs) => answer(() => writer.call('lead', holder, ttlMs, nowMs())),
    yieldLead: (holder) => answer(() => writer.call('yieldLead', holder)),
    prune: (beforeMs) => answer(() => prune(writer, beforeMs)),
    close: async () => {
      await group.close()
      if (isClosed) return
      isClosed = true
      await writer.close()
      file.close()
    },
  })
}

/** In slices, between which commits get their turn. Marks of deleted rows are not counted. */
async function prune(writer: WriterThread, beforeMs: number): Promise<number> {
  while ((await writer.call('prune', 'rows', beforeMs)) === PRUNE_SLICE);
  let total = 0
  for (let count = PRUNE_SLICE; count === PRUNE_SLICE; total += count) {
    count = await writer.call('prune', 'events', beforeMs)
  }
  return total
}
