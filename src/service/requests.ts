import { doublingMs, type Backoff } from '../core/base/backoff.ts'
import { refuse } from '../core/base/refuse.ts'
import { UserError } from '../core/base/problem.ts'
import type { Commit, Store } from '../ports/store.ts'
import type { ServiceDeps } from './deps.ts'

/** What identifies a repeated request. */
export interface Once {
  readonly project: string
  readonly key: string
  /** A hash of method, path and body. */
  readonly fingerprint: string
}

/** An answer, and what must be written before it may be returned. With nothing to write, it is returned at once. */
export interface Attempt<T> {
  readonly answer: T
  readonly commit: Commit
}

const TRIES = 12
/** Short waits, because a conflicting write is done within milliseconds. */
const AGAIN: Backoff = { firstMs: 2, mostMs: 200, surely: 0 }

/**
 * Makes a change once, however often the request arrives: the commit of the change also stores the answer under the key.
 * After a conflict with another change it is tried again on the new state. `attempt` decides again each time and changes
 * nothing itself; on the first try it may guess the current state, because a wrong guess conflicts.
 */
export async function changeOnce<T>(
  deps: ServiceDeps,
  once: Once | undefined,
  attempt: (tries: number) => Promise<Attempt<T>>,
): Promise<T> {
  let failure: unknown
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 1) await deps.timers.sleep(doublingMs(AGAIN, tries, deps.random.next()))
    // The first try does not look up the key: if it is known, the commit conflicts and nothing is written.
    const known = tries === 0 || once === undefined ? undefined : await answered<T>(deps.store, once)
    if (known !== undefined) return known.answer
    const made = await attemptOrAnswer(deps.store, once, () => attempt(tries))
    if (made.commit === undefined || (made.commit.writes.length === 0 && once === undefined)) return made.answer
    try {
      const committed = await deps.store.commit(withRequest(deps, { ...made, commit: made.commit }, once))
      if (committed.kind === 'done') return made.answer
      failure = undefined
    } catch (error) {
      // The commit may have succeeded. Only the key can tell, so without a key it must not be tried again.
      if (once === undefined) throw error
      failure = error
    }
  }
  if (failure !== undefined) throw failure
  throw refuse(
    'CHANGED_MEANWHILE',
    'Other requests kept changing the same object at the same time; nothing was changed.',
  )
}

/** Looks up the earlier answer before refusing: the refusal may be a result of the request's own first run. */
async function attemptOrAnswer<T>(
  store: Store,
  once: Once | undefined,
  attempt: () => Promise<Attempt<T>>,
): Promise<Attempt<T> | { readonly answer: T; readonly commit: undefined }> {
  try {
    return await attempt()
  } catch (error) {
    const known = once === undefined || !(error instanceof UserError) ? undefined : await answered<T>(store, once)
    if (known === undefined) throw error
    return { answer: known.answer, commit: undefined }
  }
}

async function answered<T>(store: Store, once: Once): Promise<{ readonly answer: T } | undefined> {
  const row = await store.get('request', requestKey(once))
  if (row === undefined) return undefined
  if (row.body.fingerprint === once.fingerprint) return { answer: JSON.parse(row.body.body) }
  throw refuse(
    'KEY_REUSED',
    `The idempotency key ${once.key} was used for another request.`,
    'Use a new key for each new request.',
  )
}

function withRequest<T>({ clock }: ServiceDeps, { answer, commit }: Attempt<T>, once: Once | undefined): Commit {
  if (once === undefined) return commit
  const body = {
    fingerprint: once.fingerprint,
    status: 200,
    body: JSON.stringify(answer),
    createdMs: clock.nowMs(),
  }
  return { ...commit, writes: [...commit.writes, { kind: 'request', key: requestKey(once), version: 0, body }] }
}

function requestKey({ project, key }: Once): string {
  return `${project}/${key}`
}

/** Deletes answers that are too old for a client to repeat the request. Returns how many. Call it periodically. */
export async function forgetRequests({ store }: Pick<ServiceDeps, 'store'>, beforeMs: number): Promise<number> {
  let forgotten = 0
  let after = ''
  for (;;) {
    const rows = await store.list('request', { after, limit: 1000 })
    const old = rows.filter(({ body }) => body.createdMs < beforeMs)
    if (old.length > 0) {
      const writes = old.map(({ key, version }) => ({ kind: 'request' as const, key, version, body: undefined }))
      const committed = await store.commit({ writes })
      if (committed.kind === 'done') forgotten += old.length
    }
    after = rows.at(-1)?.key ?? ''
    if (rows.length < 1000) return forgotten
  }
}
