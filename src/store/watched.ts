import { UserError } from '../core/base/problem.ts'
import type { Commit, Store } from '../ports/store.ts'

/** A store that says how it is, by what came of the last that was asked of it. */
export interface WatchedStore {
  readonly store: Store
  /** Why nothing can be relied on now, in a few words without names or paths; undefined: all is well. */
  readonly whyNot: () => string | undefined
  /** Writes something small if the last write failed: whether it works again is not left for a user to find out. */
  readonly probe: () => Promise<void>
}

interface WatchedOptions {
  /** A clock that never jumps. */
  readonly tickMs: () => number
  /** How long nobody may lead before that is wrong. */
  readonly leaderlessMs: number
}

/** A row that means nothing, to see whether one can be written. */
const PROBE: Commit = { writes: [{ kind: 'setting', key: 'probe', body: { value: 'ok' } }] }

/** The same store, which remembers whether the last write and the last renewal worked, and when somebody surely led. */
export function watchedStore(store: Store, { tickMs, leaderlessMs }: WatchedOptions): WatchedStore {
  let writing: string | undefined
  let leading: string | undefined
  let ledMs = tickMs()

  const commit: Store['commit'] = async (asked) => {
    try {
      const committed = await store.commit(asked)
      writing = undefined
      return committed
    } catch (error) {
      if (isOfStore(error)) writing = wordsFor(error)
      throw error
    }
  }
  const lead: Store['lead'] = async (holder, ttlMs) => {
    try {
      const led = await store.lead(holder, ttlMs)
      leading = undefined
      if (led.kind === 'leading' || led.leftMs > 0) ledMs = tickMs()
      return led
    } catch (error) {
      leading = wordsFor(error)
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
        (silentMs > leaderlessMs ? `nobody has led for ${Math.round(silentMs / 1000)} s` : undefined)
      )
    },
    probe: async () => {
      if (writing !== undefined) await commit(PROBE).catch(() => undefined)
    },
  }
}

/** A commit that could never be written is a mistake of whoever made it, and says nothing of the store. */
function isOfStore(error: unknown): boolean {
  return !(error instanceof Error && error.message.startsWith('assertion failed'))
}

/** Whoever asks may be anybody, so nothing is said of where the store lies. */
function wordsFor(error: unknown): string {
  const code = error instanceof UserError ? error.problems[0]?.code : undefined
  return code === undefined ? 'the store cannot be written' : `the store cannot be written (${code})`
}
