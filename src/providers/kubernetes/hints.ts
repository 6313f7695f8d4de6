import type { Call, Hint } from '../../ports/provider.ts'
import type { Log } from '../../ports/log.ts'
import type { Timers } from '../../ports/timers.ts'
import type { KubeClient } from './api/client.ts'
import { linesOf } from './api/lines.ts'
import { isMap, textAt } from './nodes/object/json.ts'
import * as z from 'zod'

/** Something to watch, and which hints a change there gives. */
export interface Watched {
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly what: Hint['what']
  /** What an event hints at; left out: at `what`, each of them. */
  readonly tells?: (event: WatchEvent) => readonly Hint['what'][]
}

export interface WatchEvent {
  readonly type: string
  readonly object: unknown
}

export interface HintParts {
  readonly client: KubeClient
  readonly timers: Timers
  readonly log: Log
  readonly provider: string
}

/** A watch ends by itself after this long. Bookmarks come every minute, so that one which is silent for longer is broken. */
const WATCH_S = 300
const SILENT_MS = 150_000
const AGAIN_MS = 1000
const AGAIN_MOST_MS = 30_000

/**
 * Hints from several watches. Each is looked after: one that breaks, falls silent or is too far behind begins again, with a hint,
 * because something may have been missed. Hints that nobody has taken yet count once.
 */
export async function* hintsFrom(
  watched: readonly Watched[],
  parts: HintParts,
  { signal, requestId }: Call,
): AsyncGenerator<Hint> {
  const control = new AbortController()
  const stop = AbortSignal.any([signal, control.signal])
  const pending = new Set<Hint['what']>()
  let wake = Promise.withResolvers<void>()
  const tell = (what: Hint['what']): void => {
    pending.add(what)
    wake.resolve()
  }
  stop.addEventListener('abort', () => wake.resolve(), { once: true })
  const watches = watched.map((one) => supervise(one, parts, { signal: stop, requestId, tell }))
  try {
    while (!stop.aborted) {
      await wake.promise
      wake = Promise.withResolvers()
      if (stop.aborted) wake.resolve()
      const now = [...pending]
      pending.clear()
      for (const what of now) yield { what }
    }
  } finally {
    control.abort()
    await Promise.all(watches)
  }
}

interface Telling extends Call {
  readonly tell: (what: Hint['what']) => void
}

async function supervise(
  watched: Watched,
  { client, timers, log, provider }: HintParts,
  telling: Telling,
): Promise<void> {
  const { signal } = telling
  let version: string | undefined
  let failures = 0
  while (!signal.aborted) {
    const before = version
    version ??= await currentVersion(watched, client, telling)
    if (before === undefined && version !== undefined) telling.tell(watched.what)
    const told = version === undefined ? undefined : await follow(watched, version, { client, timers, telling })
    version = told?.version
    failures = told?.isFine === true ? 0 : failures + 1
    if (signal.aborted || failures === 0) continue
    if (failures === 1)
      log.warn('a watch broke and begins again', { provider, path: watched.path, why: told?.why ?? 'no list' })
    await timers.sleep(Math.min(AGAIN_MOST_MS, AGAIN_MS * 2 ** (failures - 1)), signal)
  }
}

/** Where to begin; undefined: the API server does not say. */
async function currentVersion({ path, query }: Watched, client: KubeClient, call: Call): Promise<string | undefined> {
  const reply = await client.call({ method: 'GET', path, query: { ...query, limit: 1 } }, call)
  return reply.ok ? listForm.safeParse(reply.value).data?.metadata.resourceVersion : undefined
}

interface Followed {
  /** Where to go on; undefined: something was missed. */
  readonly version: string | undefined
  readonly isFine: boolean
  readonly why: string
}

async function follow(
  { path, query, what, tells = () => [what] }: Watched,
  from: string,
  { client, timers, telling }: { readonly client: KubeClient; readonly timers: Timers; readonly telling: Telling },
): Promise<Followed> {
  const quiet = new Quiet(timers, telling.signal)
  const watch = { ...query, watch: true, allowWatchBookmarks: true, timeoutSeconds: WATCH_S, resourceVersion: from }
  const reply = await client.stream({ method: 'GET', path, query: watch }, { ...telling, signal: quiet.signal })
  if (!reply.ok) {
    quiet.end()
    // 410: what happened since is forgotten there. Anything else: the same place will do later.
    return { version: reply.status === 410 ? undefined : from, isFine: reply.status === 410, why: reply.fault.message }
  }
  let version = from
  try {
    for await (const line of linesOf(reply.stream)) {
      quiet.heard()
      const event = eventIn(line)
      if (event === undefined) continue
      if (event.type === 'ERROR') return { version: undefined, isFine: true, why: 'it is too far behind' }
      version = event.version ?? version
      if (event.type !== 'BOOKMARK') tells(event).forEach(telling.tell)
    }
    return { version, isFine: true, why: '' }
  } catch (error) {
    return { version, isFine: false, why: error instanceof Error ? error.message : String(error) }
  } finally {
    quiet.end()
    reply.stream.destroy()
  }
}

/** Notices when nothing is heard for too long. */
class Quiet {
  readonly #control = new AbortController()
  readonly #over = new AbortController()
  readonly signal: AbortSignal
  #heard = true

  constructor(timers: Timers, signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#control.signal])
    void this.#listen(timers)
  }

  heard(): void {
    this.#heard = true
  }

  end(): void {
    this.#over.abort()
  }

  async #listen(timers: Timers): Promise<void> {
    while (this.#heard && !this.#over.signal.aborted) {
      this.#heard = false
      await timers.sleep(SILENT_MS, this.#over.signal)
    }
    if (!this.#over.signal.aborted) this.#control.abort()
  }
}

interface ReadEvent extends WatchEvent {
  readonly version: string | undefined
}

/** Undefined: a line that says nothing. */
function eventIn(line: string): ReadEvent | undefined {
  try {
    const event: unknown = JSON.parse(line)
    if (!isMap(event) || typeof event['type'] !== 'string' || !isMap(event['object'])) return undefined
    const { type, object } = event
    return { type, object, version: textAt(object, 'metadata', 'resourceVersion') }
  } catch {
    return undefined
  }
}

const listForm = z.object({ metadata: z.object({ resourceVersion: z.string().min(1) }) })
