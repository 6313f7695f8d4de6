import type { EventEntry } from '../core/event/event.ts'
import type { Store } from '../ports/store.ts'
import type { Timers } from '../ports/timers.ts'

type Deps = { readonly store: Store; readonly timers: Timers }

/** How often the store is asked for new events, for all streams together, while there are streams. */
const LOOK_MS = 50
const CHUNK = 500
/** The latest events that are kept for all streams. A stream that falls further behind reads the store to catch up. */
const KEPT_MAX = 2000

/** The head of the store, which moves with writes that make no event, is asked for once in so many looks. */
const LOOKS_A_HEAD = 20

/** After so many looks without a stream that waits, the feed stops. */
const IDLE_LOOKS = 20

/** One feed for each control plane, identified by its one store. */
const FEEDS = new WeakMap<Store, EventFeed>()

/** The feed of this control plane. */
export function feedOf({ store, timers }: Deps): EventFeed {
  const feed = FEEDS.get(store) ?? new EventFeed({ store, timers })
  FEEDS.set(store, feed)
  return feed
}

/**
 * Reads new events once and hands them to every stream. No stream asks the store for news, so that streams at rest cost next
 * to nothing. A stream keeps its own position and takes what comes after it when it can: nothing is queued for slow readers.
 */
export class EventFeed {
  readonly #deps: Deps
  /** Everything up to here was read. */
  #seq = 0
  /** The seq of the last write of any kind that is known of. */
  head = 0
  #looks = 0
  /** The latest events, oldest first; all that came after `#from`. */
  #kept: EventEntry[] = []
  #from = 0
  #starting: Promise<void> | undefined
  #isLooking = false
  readonly #waiting = new Set<Waiting>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** A position from which `after` has everything. Whatever the store has now and is older can be read there. */
  async position(): Promise<number> {
    if (!this.#isLooking) await this.#start()
    return this.#seq
  }

  /** The events after a position, and the position after them; undefined: it is too long ago, and the store has them. */
  after(seq: number): { readonly entries: readonly EventEntry[]; readonly seq: number } | undefined {
    if (seq < this.#from) return undefined
    const first = this.#kept.findLastIndex((entry) => entry.seq <= seq) + 1
    return { entries: this.#kept.slice(first), seq: Math.max(seq, this.#seq) }
  }

  /** Resolves when there are events after a position, or when the signal aborts. Rejects when the store cannot be read. */
  async more(seq: number, signal: AbortSignal): Promise<void> {
    if (!this.#isLooking) await this.#start()
    if (this.#seq > seq || signal.aborted) return
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { resolve, reject }
    this.#waiting.add(waiting)
    signal.addEventListener('abort', waiting.resolve, { once: true })
    if (!this.#isLooking) void this.#look()
    try {
      await promise
    } finally {
      this.#waiting.delete(waiting)
      signal.removeEventListener('abort', waiting.resolve)
    }
  }

  /** Begins at the end of what there is: nothing was read while no stream waited. */
  async #start(): Promise<void> {
    const restart = async (): Promise<void> => {
      const head = await this.#deps.store.head()
      if (this.#isLooking) return
      this.head = head
      this.#seq = head
      this.#from = head
      this.#kept = []
    }
    this.#starting ??= restart().finally(() => (this.#starting = undefined))
    await this.#starting
  }

  /** Looks for events until no stream waits. */
  async #look(): Promise<void> {
    this.#isLooking = true
    // Streams that were woken come back in a moment, and find everything since.
    for (let idle = 0; idle < IDLE_LOOKS; idle = this.#waiting.size > 0 ? 0 : idle + 1) {
      await this.#deps.timers.sleep(LOOK_MS)
      try {
        await this.#read()
      } catch (error) {
        for (const { reject } of this.#waiting) reject(error)
        this.#waiting.clear()
      }
    }
    this.#isLooking = false
  }

  async #read(): Promise<void> {
    const before = this.#seq
    for (;;) {
      const entries = await this.#deps.store.events({ after: this.#seq, limit: CHUNK })
      this.#kept.push(...entries)
      this.#seq = entries.at(-1)?.seq ?? this.#seq
      const dropped = this.#kept.splice(0, Math.max(0, this.#kept.length - KEPT_MAX))
      this.#from = dropped.at(-1)?.seq ?? this.#from
      if (entries.length < CHUNK) break
    }
    this.#looks++
    if (this.#looks % LOOKS_A_HEAD === 0) this.head = await this.#deps.store.head()
    if (this.#seq === before) return
    for (const { resolve } of this.#waiting) resolve()
    this.#waiting.clear()
  }
}

interface Waiting {
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}
