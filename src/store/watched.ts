import { UserError } from '../core/base/problem.ts'
import type { Commit, Store } from '../ports/store.ts'

/** A store that reports its health, judged by the outcome of its latest calls. */
export interface WatchedStore {
  readonly store: Store
  /** Why the store cannot be relied on now, in a few words without names or paths; undefined: it works. */
  readonly whyNot: () => string | undefined
  /** Writes something small if the last write failed, so that recovery is noticed before a user tries. */
  readonly probe: () => Promise<void>
}

interface WatchedOptions {
  /** A clock that never jumps. */
  readonly tickMs: () => number
  /** How long there may be no leader before the store counts as unhealthy. */
  readonly leaderlessMs: number
}

/** A row without meaning, to test whether writing works. */
const PROBE: Commit = { writes: [{ kind: 'setting', key: 'probe', body: { value: 'ok' } }] }

/** The same store. It remembers whether the last write and the last renewal worked, and when there certainly was a leader. */
export function watchedStore(store: Store, { tickMs, leaderlessMs }: WatchedOptions): WatchedStore {
  let writing: string | undefined
  let leading: string | undefined
  let ledMs = tickMs()

  const commit: Store['commit'] = async (asked, signal) => {
    try {
      const committed = await store.commit(asked, signal)
      writing = undefined
      return committed
    } catch (error) {
      if (signal?.aborted !== true && isOfStore(error)) writing = wordsFor(error)
      throw error
    }
  }
  const lead: Store['lead'] = async (holder, ttlMs, signal) => {
    try {
      const led = await store.lead(holder, ttlMs, signal)
      leading = undefined
      if (led.kind === 'leading' || led.leftMs > 0) ledMs = tickMs()
      return led
    } catch (error) {
      if (signal?.aborted !== true) leading = wordsFor(error)
      throw error
    }
  }
  return {
    store: { ...store, commit, lead },
    whyNot: () => {
      const silentMs = tickMs() - ledMs
      return (
        writing ??
        leading ??
        (silentMs > leaderlessMs ? `there has been no leader for ${Math.round(silentMs / 1000)} s` : undefined)
      )
    },
    probe: async () => {
      if (writing !== undefined) await commit(PROBE).catch(() => undefined)
    },
  }
}

/** A commit that could never be written is a bug of its caller and says nothing about the store. */
function isOfStore(error: unknown): boolean {
  return !(error instanceof Error && error.message.startsWith('assertion failed'))
}

/** Any caller may ask, so the text does not reveal where the store is. */
function wordsFor(error: unknown): string {
  const code = error instanceof UserError ? error.problems[0]?.code : undefined
  return code === undefined ? 'the store cannot be written' : `the store cannot be written (${code})`
}
