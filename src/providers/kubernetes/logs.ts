import type { Call, LogLine, LogWant } from '../../ports/provider.ts'
import type { Timers } from '../../ports/timers.ts'
import type { KubeClient } from './api/client.ts'
import { linesOf } from './api/lines.ts'
import { inNamespace } from './api/paths.ts'
import { MAIN } from './names.ts'
import { LogReader, logQuery } from './read/log-line.ts'

const AGAIN_MS = 1000

export interface LogParts {
  /** Of the pod. */
  readonly name: string
  readonly client: KubeClient
  readonly timers: Timers
  readonly namespace: string
  /** Whether more can still be printed. */
  readonly isGoingOn: (call: Call) => Promise<boolean>
}

/**
 * What a pod printed. Following survives connections that break: it goes on after the last line. It ends when the pod has ended and
 * everything was read.
 */
export async function* readLogs(want: LogWant, call: Call, parts: LogParts): AsyncGenerator<LogLine> {
  const { signal } = call
  const reader = new LogReader(want.after)
  let asked = want
  for (;;) {
    // Asked before the log is read: what is printed in between is not missed.
    const mayGoOn = want.follow && !signal.aborted && (await parts.isGoingOn(call))
    const control = new AbortController()
    const on = { ...call, signal: AbortSignal.any([signal, control.signal]) }
    const ended = mayGoOn ? waitForEnd(on, parts) : undefined
    void ended?.then(() => control.abort())
    yield* read({ want, reader, asked: { ...asked, follow: mayGoOn } }, on, parts)
    control.abort()
    await ended
    if (!mayGoOn || signal.aborted) return
    const { mark } = reader
    asked = mark === undefined ? want : { ...want, after: mark }
    if (mark !== undefined) reader.resume()
    await parts.timers.sleep(AGAIN_MS, signal)
  }
}

const LOOK_MS = 3000

/** Not every node closes the log of a container that has ended, and a connection may be dead without a word. */
async function waitForEnd(call: Call, { timers, isGoingOn }: LogParts): Promise<void> {
  while (!call.signal.aborted && (await isGoingOn(call))) await timers.sleep(LOOK_MS, call.signal)
}

interface Reading {
  readonly want: LogWant
  readonly asked: LogWant
  readonly reader: LogReader
}

async function* read({ want, asked, reader }: Reading, call: Call, parts: LogParts): AsyncGenerator<LogLine> {
  const path = inNamespace(parts.namespace, 'pods', parts.name, 'log')
  const reply = await parts.client.stream({ method: 'GET', path, query: { container: MAIN, ...logQuery(asked) } }, call)
  if (reply.ok) yield* linesIn(reply.stream, reader, want)
}

async function* linesIn(
  stream: AsyncIterable<unknown>,
  reader: LogReader,
  { sinceMs }: LogWant,
): AsyncGenerator<LogLine> {
  try {
    for await (const text of linesOf(stream)) {
      const line = reader.read(text)
      if (line !== undefined && (sinceMs === undefined || line.atMs === undefined || line.atMs >= sinceMs)) yield line
    }
  } catch (error) {
    // A connection that breaks is no end of the log; the caller looks whether there can be more.
    if (!isConnectionError(error)) throw error
  }
}

function isConnectionError(error: unknown): boolean {
  return error instanceof Error && ('code' in error || error.name === 'AbortError')
}
