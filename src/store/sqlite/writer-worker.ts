import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { must } from '../../core/base/assert.ts'
import { WRITER_PRAGMAS } from './sql.ts'
import { Writer } from './writer.ts'
import type { WriterAnswer, WriterAsk, WriterFailure } from './writer-thread.ts'

// The thread that writes a store: a commit waits for the disk here, while the rest of the process goes on.

const port = must(parentPort, 'this is a thread')
const database = new DatabaseSync(String(workerData), { timeout: 5_000 })
database.exec(WRITER_PRAGMAS)
const writer = new Writer(database)

port.on('message', ({ id, call, values }: WriterAsk) => {
  // Proven: WriterThread pairs each call with its values.
  const perform = writer[call] as (...given: unknown[]) => unknown
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(answerOf(id, () => perform.apply(writer, [...values])))
  if (call === 'close') port.close()
})

function answerOf(id: number, perform: () => unknown): WriterAnswer {
  try {
    return { id, value: perform() }
  } catch (error) {
    return { id, failure: failureOf(error) }
  }
}

/** An error loses its codes on the way to another thread; they are plain properties of it. */
function failureOf(error: unknown): WriterFailure {
  return error instanceof Error
    ? { message: error.message, codes: { ...error } }
    : { message: String(error), codes: {} }
}
