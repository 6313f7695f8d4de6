import { unlessAborted } from '../ports/deadline.ts'
import type { Store } from '../ports/store.ts'

/** The same store, whose callers wait no longer once their signal is aborted. What a call has begun goes on unless it stops itself. */
export function abortable(store: Store): Store {
  return {
    get: (kind, key, signal) => unlessAborted(signal, () => store.get(kind, key, signal)),
    list: (kind, page, signal) => unlessAborted(signal, () => store.list(kind, page, signal)),
    commit: (commit, signal) => unlessAborted(signal, () => store.commit(commit, signal)),
    changes: (since, limit, signal) => unlessAborted(signal, () => store.changes(since, limit, signal)),
    head: (signal) => unlessAborted(signal, () => store.head(signal)),
    events: (query, signal) => unlessAborted(signal, () => store.events(query, signal)),
    audit: (query, signal) => unlessAborted(signal, () => store.audit(query, signal)),
    count: (kind, query, signal) => unlessAborted(signal, () => store.count(kind, query, signal)),
    lead: (holder, ttlMs, signal) => unlessAborted(signal, () => store.lead(holder, ttlMs, signal)),
    yieldLead: (holder, signal) => unlessAborted(signal, () => store.yieldLead(holder, signal)),
    prune: (beforeMs, signal) => unlessAborted(signal, () => store.prune(beforeMs, signal)),
    close: store.close,
  }
}
