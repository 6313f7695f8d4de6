import type { Project, RowKind } from '../core/life/rows.ts'
import type { StoreChange, Page, Row, Store } from '../ports/store.ts'

export interface ReadableOptions {
  /** Called with each row that cannot be read, once. */
  readonly tell: (row: Pick<Row, 'kind' | 'key'>) => void
  /** Kinds whose rows are passed through: their readers handle unreadable rows themselves. */
  readonly passed: readonly RowKind[]
}

/**
 * The same store, but lists and changes leave out rows that cannot be read, so that one bad row does not stop the others.
 * A read by key still returns such a row, so that it neither counts as absent nor is overwritten. A project whose limits
 * cannot be read gets nothing new until they are set again: having no limits would cost money.
 */
export function readableStore(store: Store, { tell, passed }: ReadableOptions): Store {
  const told = new Set<string>()
  const readable = <R extends StoreChange>(row: R): readonly R[] => {
    if (passed.includes(row.kind) || canRead(row)) return [row]
    const name = `${row.kind} ${row.key}`
    if (!told.has(name)) tell(row)
    told.add(name)
    // Proven: a row of this kind holds a project.
    return row.kind === 'project' ? [{ ...keysOf(row), body: NOTHING } as R] : []
  }
  return {
    ...store,
    list: <K extends RowKind>(kind: K, page: Page, signal?: AbortSignal) =>
      filled<Row<K>>(page.limit, {
        ask: (last, limit) =>
          store.list(kind, { ...page, limit, ...(last !== undefined && { after: last.key }) }, signal),
        keep: readable,
      }),
    changes: (since, limit, signal) =>
      filled<StoreChange>(limit, {
        ask: (last, left) => store.changes(last?.seq ?? since, left, signal),
        keep: readable,
      }),
  }
}

const NOTHING: Project = { gpusMax: 0, usdPerHourMax: 0, workloadsMax: 0 }

function keysOf({ kind, key, version, seq }: StoreChange): Omit<StoreChange, 'body'> {
  return { kind, key, version, seq }
}

function canRead(row: StoreChange): boolean {
  try {
    return row.body !== null
  } catch {
    return false
  }
}

interface Filling<R> {
  /** The next rows after the last one that was seen. */
  readonly ask: (last: R | undefined, limit: number) => Promise<readonly R[]>
  readonly keep: (row: R) => readonly R[]
}

/** A short page means that there is no more, so rows that were left out are replaced by further ones. */
async function filled<R>(limit: number, { ask, keep }: Filling<R>): Promise<readonly R[]> {
  const found: R[] = []
  for (let last: R | undefined; ;) {
    const wanted = limit - found.length
    const rows = await ask(last, wanted)
    found.push(...rows.flatMap(keep))
    last = rows.at(-1)
    if (rows.length < wanted || found.length >= limit) return found
  }
}
