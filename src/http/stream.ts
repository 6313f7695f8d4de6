import { problemAnswerOf } from '../core/api/problem.ts'
import type { SourcedProblem } from '../core/problem.ts'
import type { Timers } from '../ports/timers.ts'
import type { Sent } from './request.ts'

/** How often an open stream is checked: a revoked token ends it this soon. */
const CHECK_MS = 2000
/** How long one stream may go on while there is always more: promises that are kept at once let nobody else run. */
const SPELL_MS = 2
/** Checks after which a silent stream shows that it is alive. */
const CHECKS_A_BEAT = 5

export interface StreamDoors {
  readonly timers: Timers
  readonly signal: AbortSignal
  readonly requestId: string
  /** Whether whoever opened it may still read it. */
  readonly mayStay: () => Promise<boolean>
  /** What a failure is to be told as. */
  readonly tell: (error: unknown) => readonly SourcedProblem[]
}

/**
 * Entries as server-sent events. Ends with an `end` event when there is nothing more, so that whoever reads it can tell
 * an end from a broken line; what goes wrong on the way comes as a `problem` event and ends it, too.
 */
export async function* eventStream(source: AsyncIterable<Sent<unknown>>, doors: StreamDoors): AsyncGenerator<string> {
  const entries = source[Symbol.asyncIterator]()
  try {
    yield ': open\n\n'
    yield* entriesAndBeats(entries, doors)
    if (!doors.signal.aborted) yield 'event: end\ndata: {}\n\n'
  } catch (error) {
    const { title, ...answer } = problemAnswerOf(doors.tell(error), doors.requestId)
    yield `event: problem\ndata: ${JSON.stringify({ ...answer, title })}\n\n`
  } finally {
    void entries.return?.()
  }
}

async function* entriesAndBeats(entries: AsyncIterator<Sent<unknown>>, doors: StreamDoors): AsyncGenerator<string> {
  let next = entries.next()
  let checks = 0
  let check = tick(doors)
  let restedMs = performance.now()
  while (!doors.signal.aborted) {
    if (performance.now() - restedMs > SPELL_MS) {
      await new Promise((resolve) => setImmediate(resolve))
      restedMs = performance.now()
    }
    const came = await Promise.race([next, check])
    if (came === 'check') {
      if (!(await doors.mayStay())) throw new RevokedError()
      checks++
      if (checks % CHECKS_A_BEAT === 0) yield ': beat\n\n'
      check = tick(doors)
      continue
    }
    if (came.done === true) return
    const { id, data } = came.value
    yield `id: ${id}\ndata: ${JSON.stringify(data)}\n\n`
    next = entries.next()
  }
}

async function tick({ timers, signal }: StreamDoors): Promise<'check'> {
  await timers.sleep(CHECK_MS, signal)
  return 'check'
}

/** The token that opened a stream is no longer valid. */
export class RevokedError extends Error {}
