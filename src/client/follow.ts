import type { z } from 'zod'
import { problemAnswer } from '../api/answers.ts'
import { problemsOf } from '../api/problem.ts'
import { refuse } from '../core/base/refuse.ts'
import type { Route } from '../api/route.ts'
import { UserError } from '../core/base/problem.ts'
import { LATE, within } from '../ports/deadline.ts'
import { pause, reach, refusalOf, TRIES, unreachable, type ClientDeps, type Parts } from './send.ts'
import { parseEvents, type ServerEvent } from './server-events.ts'

/** A stream that is silent for this long is broken, because the server sends heartbeats more often. */
const SILENCE_MS = 30_000
/** Tries to resume a stream that once worked, about a minute in all, before giving up. */
const TRIES_AGAIN = 15

/** The entries of a stream. A broken stream is resumed after the last entry received, unless its reader is to know of it. */
export async function* follow<R extends Route>(
  deps: ClientDeps,
  route: R,
  { signal, ...parts }: Parts & { readonly signal: AbortSignal },
): AsyncGenerator<z.output<R['answer']>> {
  let lastId: string | undefined
  let failed = 0
  let mayFail = route.anew === true ? 1 : TRIES
  while (!signal.aborted) {
    const cut = new AbortController()
    const both = AbortSignal.any([signal, cut.signal])
    const headers = { ...parts.headers, 'last-event-id': lastId }
    const response = await reach(deps, route, { ...parts, headers, signal: both })
    if (response instanceof Response && response.ok && response.body !== null) {
      // Entries without an id belong to the next one with an id: a stream resumed in between repeats them.
      let held: ServerEvent[] = []
      for await (const event of eventsOf(deps, response.body, both)) {
        failed = 0
        if (route.anew !== true) mayFail = TRIES_AGAIN
        if (event.name === undefined) held.push(event)
        if (event.name === undefined && event.id === undefined) continue
        lastId = event.id ?? lastId
        for (const entry of held) yield entryIn(route, entry, deps.url)
        held = []
        if (event.name === 'end') return
        if (event.name === 'problem') throw problemIn(event, deps.url)
      }
    } else if (response instanceof Response && response.status < 500) throw await refusalOf(response, deps.url)
    cut.abort()
    failed++
    if (failed >= mayFail && !signal.aborted) {
      throw unreachable(deps.url, response instanceof Response ? undefined : response.failure)
    }
    await pause(deps, failed, signal)
  }
}

/** The events of a stream, until it ends, breaks or falls silent. */
async function* eventsOf(
  { timers }: ClientDeps,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const chunk = await within({ timers, ms: SILENCE_MS, signal }, reader.read())
      if (chunk === LATE || chunk.done) return
      const parsed = parseEvents(rest + decoder.decode(chunk.value, { stream: true }))
      rest = parsed.rest
      yield* parsed.events
    }
  } catch {
    // The connection broke. The caller resumes after the last entry.
    return
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function entryIn<R extends Route>(route: R, { data }: ServerEvent, url: string): z.output<R['answer']> {
  const parsed = route.answer.safeParse(jsonOf(data))
  // The schema is the route's own, so a parsed value is the route's answer.
  if (parsed.success) return parsed.data as z.output<R['answer']>
  throw refuse(
    'CONTROL_PLANE_FAILED',
    `The control plane at ${url} sent an entry that this version of berth does not understand.`,
  )
}

function problemIn({ data }: ServerEvent, url: string): UserError {
  const parsed = problemAnswer.safeParse(jsonOf(data))
  if (parsed.success) return new UserError(problemsOf(parsed.data))
  return refuse('CONTROL_PLANE_FAILED', `The control plane at ${url} ended the stream.`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
