import { assert } from '../core/base/assert.ts'
import type { Committed } from '../ports/store.ts'
import type { PreparedCommit } from './evaluate.ts'

/** A batch ends at either. Large enough that one wait for the disk serves many, small enough that none waits long. */
const COMMITS_MAX = 500
const ITEMS_MAX = 5_000
const WAITING_MAX = 50_000

/** Commits that were asked for at the same time, written together. */
export interface Group<B> {
  readonly commit: (asked: PreparedCommit<B>) => Promise<Committed>
  /** Takes no more; ends when everything that was taken is answered. */
  readonly close: () => Promise<void>
}

interface Waiting<B> {
  readonly asked: PreparedCommit<B>
  readonly resolve: (answer: Committed) => void
  readonly reject: (error: unknown) => void
}

/**
 * Queues commits and hands them to `write`, a batch at a time, in the order in which they came. While a batch is being
 * written the next one gathers, so the cost of making one durable is shared by all who wait for it.
 */
export function groupCommits<B>(
  write: (batch: readonly PreparedCommit<B>[]) => Promise<readonly Committed[]>,
): Group<B> {
  let waiting: Waiting<B>[] = []
  let isClosed = false
  let running: Promise<void> | undefined

  const writeAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      // Those who were just answered get to ask again first, and join this batch.
      await nextTurn()
      const count = batchSize(waiting)
      const batch = waiting.slice(0, count)
      waiting = waiting.slice(count)
      await writeBatch(batch, write)
    }
    running = undefined
  }

  return {
    commit: (asked) =>
      new Promise((resolve, reject) => {
        assert(!isClosed, 'the store is closed')
        assert(waiting.length < WAITING_MAX, 'too many commits wait to be written')
        waiting.push({ asked, resolve, reject })
        running ??= writeAll()
      }),
    close: async () => {
      isClosed = true
      await running
    },
  }
}

/** Lets everything that is ready to run do so. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function batchSize<B>(waiting: readonly Waiting<B>[]): number {
  let items = 0
  let count = 0
  for (const { asked } of waiting) {
    items += asked.writes.length + asked.events.length + asked.audit.length
    // The first one is always taken, however large.
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
