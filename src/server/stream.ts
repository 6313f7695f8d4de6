import { problemAnswerOf } from '../api/problem.ts'
import { must } from '../core/base/assert.ts'
import type { SourcedProblem } from '../core/base/problem.ts'
import type { Sent } from './request.ts'

/** How long a stream with endless entries may run before it yields: promises that resolve at once block all other work. */
const SPELL_MS = 2
/** Entries that are available together go into one write of up to this many characters. */
const WRITE_MOST = 64 * 1024
/** A silent stream sends a heartbeat after this many checks. */
const CHECKS_A_BEAT = 5

export interface StreamDeps {
  /** Calls back again and again until the signal: it is time to check the token. */
  readonly every: (check: () => void, signal: AbortSignal) => void
  readonly signal: AbortSignal
  readonly requestId: string
  /** An entry or a problem as the caller's version of the API tells it. */
  readonly shown: (entry: unknown) => unknown
  /** Whether the caller who opened it may still read it. */
  readonly mayStay: () => Promise<boolean>
  /** Resolves when it is this stream's turn again. */
  readonly rest: () => Promise<void>
  /** The problems to report for a failure. */
  readonly tell: (error: unknown) => readonly SourcedProblem[]
}

/**
 * Entries as server-sent events. Ends with an `end` event when there is nothing more, so that the client can tell the
 * end from a broken connection. A failure is sent as a `problem` event and ends the stream, too.
 */
export async function* eventStream(source: AsyncIterable<Sent<unknown>>, deps: StreamDeps): AsyncGenerator<string> {
  const entries = source[Symbol.asyncIterator]()
  try {
    yield ': open\n\n'
    yield* entriesAndBeats(entries, deps)
    if (!deps.signal.aborted) yield 'event: end\ndata: {}\n\n'
  } catch (error) {
    const { title, ...answer } = problemAnswerOf(deps.tell(error), deps.requestId)
    yield `event: problem\ndata: ${JSON.stringify(deps.shown({ ...answer, title }))}\n\n`
  } finally {
    void entries.return?.()
  }
}

async function* entriesAndBeats(entries: AsyncIterator<Sent<unknown>>, deps: StreamDeps): AsyncGenerator<string> {
  const inbox = new Inbox(entries, deps)
  let checks = 0
  let text = ''
  let restedMs = performance.now()
  while (!deps.signal.aborted) {
    if (performance.now() - restedMs > SPELL_MS) {
      await deps.rest()
      restedMs = performance.now()
    }
    const came = await inbox.next()
    if (came === 'check') {
      if (!(await deps.mayStay())) throw new RevokedError()
      checks++
      if (checks % CHECKS_A_BEAT === 0) yield ': beat\n\n'
      continue
    }
    if (came.done === true) {
      if (text !== '') yield text
      return
    }
    const { id, data, more } = came.value
    text += `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(deps.shown(data))}\n\n`
    if (more === true && text.length < WRITE_MOST) continue
    yield text
    text = ''
  }
}

/** Waits for the next entry or the next check. Unlike Promise.race, it leaves no pending promise behind for each entry. */
class Inbox {
  readonly #entries: AsyncIterator<Sent<unknown>>
  #isAsking = false
  #came: IteratorResult<Sent<unknown>> | undefined
  #failure: { readonly error: unknown } | undefined
  #isDue = false
  #wake: () => void = () => undefined

  constructor(entries: AsyncIterator<Sent<unknown>>, deps: StreamDeps) {
    this.#entries = entries
    deps.every(() => {
      this.#isDue = true
      this.#wake()
    }, deps.signal)
  }

  async next(): Promise<IteratorResult<Sent<unknown>> | 'check'> {
    if (!this.#isAsking) void this.#ask()
    if (this.#came === undefined && this.#failure === undefined && !this.#isDue) {
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
    if (this.#isDue) {
      this.#isDue = false
      return 'check'
    }
    if (this.#failure !== undefined) throw this.#failure.error
    const came = must(this.#came, 'it was waited for')
    this.#came = undefined
    this.#isAsking = false
    return came
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    try {
      this.#came = await this.#entries.next()
    } catch (error) {
      this.#failure = { error }
    }
    this.#wake()
  }
}

/** The token that opened a stream is no longer valid. */
export class RevokedError extends Error {}
