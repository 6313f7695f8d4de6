import { UserError } from '../core/base/problem.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Store } from '../ports/store.ts'

/** A request that was not let in. */
export interface Denied {
  /** Name of the token; undefined: there was no valid one. */
  readonly actor: string | undefined
  /** What was asked for: `workload.change`. */
  readonly action: string
  readonly project: string | undefined
  readonly requestId: string
}

interface Deps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
}

/** Repetitions within this time are counted instead of written, so that no caller can fill the audit with refusals. */
const QUIET_MS = 60_000
const KNOWN_MAX = 1000

/** Writes refused requests to the audit: the first of each caller and action, and how many more there were. */
export class Denials {
  readonly #deps: Deps
  readonly #known = new Map<string, { readonly sinceMs: number; more: number }>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Notes a refusal if the error is one. It neither delays nor fails the reply. */
  note(error: unknown, { actor, action, project = '*', requestId }: Denied): void {
    const code = error instanceof UserError ? error.problems[0]?.code : undefined
    if (code !== 'FORBIDDEN' && code !== 'UNAUTHENTICATED') return
    const { store, clock, log } = this.#deps
    const who = actor ?? 'unknown'
    const key = actor === undefined ? who : `${who} ${action} ${project}`
    const known = this.#known.get(key)
    if (known !== undefined && clock.tickMs() - known.sinceMs < QUIET_MS) {
      known.more++
      return
    }
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(key, { sinceMs: clock.tickMs(), more: 0 })
    const facts = { code, request_id: requestId, ...(known !== undefined && known.more > 0 && { more: known.more }) }
    const entry = { atMs: clock.nowMs(), actor: who, project, action: 'denied', subject: `action/${action}`, facts }
    store.commit({ writes: [], audit: [entry] }).catch(() => log.warn('a denied request could not be written down', {}))
  }
}
