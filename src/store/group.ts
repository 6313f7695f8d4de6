import { nextTurn } from '../ports/turn.ts'
import { assert } from '../core/base/assert.ts'
import type { Committed } from '../ports/store.ts'
import type { PreparedCommit } from './evaluate.ts'

/** A batch ends at either limit. It is large enough to share one disk flush and small enough that no commit waits long. */
const COMMITS_MAX = 500
const ITEMS_MAX = 5_000
const WAITING_MAX = 50_000

/** Writes commits that arrive at the same time together. */
export interface Group<B> {
  /** A commit whose signal is aborted before it is written is not written. */
  readonly commit: (asked: PreparedCommit<B>, signal?: AbortSignal) => Promise<Committed>
  /** Accepts no more commits; resolves when all accepted ones are answered. */
  readonly close: () => Promise<void>
}

interface Waiting<B> {
  readonly asked: PreparedCommit<B>
  readonly signal: AbortSignal | undefined
  readonly resolve: (answer: Committed) => void
  readonly reject: (error: unknown) => void
}

/**
 * Queues commits and passes them to `write`, one batch at a time, in order of arrival. While a batch is being
 * written the next one gathers, so all callers that wait share the cost of one flush to disk.
 */
export function groupCommits<B>(
  write: (batch: readonly PreparedCommit<B>[]) => Promise<readonly Committed[]>,
): Group<B> {
  let waiting: Waiting<B>[] = []
  let isClosed = false
  let running: Promise<void> | undefined

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Callers that were just answered may commit again first and join this batch.
      await nextTurn()
      waiting = withoutAborted(waiting)
      const count = batchSize(waiting)
      const batch = waiting.slice(0, count)
      waiting = waiting.slice(count)
      if (batch.length > 0) await writeBatch(batch, write)
    }
    running = undefined
  }

  return {
    commit: (asked, signal) =>
      new Promise((resolve, reject) => {
        assert(!isClosed, 'the store is closed')
        assert(waiting.length < WAITING_MAX, 'too many commits wait to be written')
        waiting.push({ asked, signal, resolve, reject })
        running ??= writeAll()
      }),
    close: async () => {
      isClosed = true
      await running
    },
  }
}

function withoutAborted<B>(waiting: Waiting<B>[]): Waiting<B>[] {
  if (!waiting.some(({ signal }) => signal?.aborted === true)) return waiting
  const { over = [], left = [] } = Object.groupBy(waiting, ({ signal }) => (signal?.aborted === true ? 'over' : 'left'))
  for (const { reject, signal } of over) reject(signal?.reason)
  return left
}

function batchSize<B>(waiting: readonly Waiting<B>[]): number {
  let items = 0
  let count = 0
  for (const { asked } of waiting) {
    items += asked.writes.length + asked.events.length + asked.audit.length
    // The first commit is always taken, however large it is.
    if (count > 0 && (count >= COMMITS_MAX || items > ITEMS_MAX)) break
    count++
  }
  return count
}

async function writeBatch<B>(
  batch: readonly Waiting<B>[],
  write: (batch: readonly PreparedCommit<B>[]) => Promise<readonly Committed[]>,
): Promise<void> {
  try {
    const answers = await write(batch.map(({ asked }) => asked))
    assert(answers.length === batch.length, 'every commit has its answer')
    for (const [at, answer] of answers.entries()) batch[at]?.resolve(answer)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
