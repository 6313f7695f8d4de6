import { doublingMs, type Backoff } from '../core/base/backoff.ts'
import { refuse } from '../core/base/refuse.ts'
import { UserError } from '../core/base/problem.ts'
import type { Commit, Store } from '../ports/store.ts'
import type { ServiceDeps } from './deps.ts'

/** What makes a request the same as one before. */
export interface Once {
  readonly project: string
  readonly key: string
  /** Of method, path and body. */
  readonly fingerprint: string
}

/** An answer, and what must be written before it may be given. Nothing to write: the answer is given as it is. */
export interface Attempt<T> {
  readonly answer: T
  readonly commit: Commit
}

const TRIES = 12
/** Others who write the same are done within milliseconds. */
const AGAIN: Backoff = { firstMs: 2, mostMs: 200, surely: 0 }

/**
 * Makes a change once, however often it is asked for: the answer is kept in the commit of the change, under the key. Tried
 * again when others were there first, from what they left. `attempt` decides anew each time and changes nothing itself;
 * the first time it may guess what is there, because a wrong guess conflicts.
 */
export async function changeOnce<T>(
  deps: ServiceDeps,
  once: Once | undefined,
  attempt: (tries: number) => Promise<Attempt<T>>,
): Promise<T> {
  let failure: unknown
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries > 1) await deps.timers.sleep(doublingMs(AGAIN, tries, deps.random.next()))
    // The first try does not look: if the key is known, the commit conflicts, and nothing was written.
    const known = tries === 0 || once === undefined ? undefined : await answered<T>(deps.store, once)
    if (known !== undefined) return known.answer
    const made = await attemptOrAnswer(deps.store, once, () => attempt(tries))
    if (made.commit === undefined || (made.commit.writes.length === 0 && once === undefined)) return made.answer
    try {
      const committed = await deps.store.commit(withRequest(deps, { ...made, commit: made.commit }, once))
      if (committed.kind === 'done') return made.answer
      failure = undefined
    } catch (error) {
      // It may have landed. Only the key can tell; without one nobody may try again.
      if (once === undefined) throw error
      failure = error
    }
  }
  if (failure !== undefined) throw failure
  throw refuse('CHANGED_MEANWHILE', 'Others kept changing the same object at the same time; nothing was changed.')
}

/** A refusal counts only if the request was not answered before: it may be refused now because of its own effect. */
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

/** Forgets answers that are older than this: nobody repeats a request for so long. Answers how many; call it now and then. */
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
