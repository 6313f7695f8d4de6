import type { Row, Store, StoreChange } from '../ports/store.ts'
import type { StoreNews } from './step/event.ts'
import { LEDGER_KINDS, type LedgerRow } from './step/ledger.ts'

const PAGE = 10_000

/** Every row that the leader keeps in memory, page by page: workloads before what belongs to them. */
export async function* rowsIn(store: Store, signal?: AbortSignal): AsyncGenerator<readonly LedgerRow[]> {
  for (const kind of LEDGER_KINDS) {
    for (let after: string | undefined; ;) {
      const wanted = { limit: PAGE, ...(after !== undefined && { after }) }
      const page: readonly Row<typeof kind>[] = await store.list(kind, wanted, signal)
      // Proven: rows that were listed by a kind have that kind.
      yield page as readonly LedgerRow[]
      if (page.length < PAGE) break
      after = page.at(-1)?.key
    }
  }
}

/** What was written since, as far as the leader needs to know, and where to read on. */
export async function newsIn(
  store: Store,
  since: number,
  signal?: AbortSignal,
): Promise<{ readonly news: StoreNews; readonly since: number; readonly isAll: boolean }> {
  const changes = await store.changes(since, PAGE, signal)
  const seq = changes.reduce((most, change) => Math.max(most, change.seq), since)
  return { news: newsOf(changes), since: seq, isAll: changes.length < PAGE }
}

/** Values of secrets, sealed though they are, go no further. */
function newsOf(changes: readonly StoreChange[]): StoreNews {
  return {
    changes: changes.filter(({ kind }) => kind === 'workload' || kind === 'project'),
    secrets: changes.flatMap(({ kind, key, body }) => (kind === 'secret' && body !== undefined ? [key] : [])),
    isPolicies: changes.some(({ kind }) => kind === 'policy'),
  }
}

/** Whether there is anything in it. */
export function isNews({ changes, secrets, isPolicies }: StoreNews): boolean {
  return changes.length + secrets.length > 0 || isPolicies
}
