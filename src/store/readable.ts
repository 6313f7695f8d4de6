import type { Project, RowKind } from '../core/life/rows.ts'
import type { StoreChange, Page, Row, Store } from '../ports/store.ts'

export interface ReadableOptions {
  /** Called with each row that cannot be read, once. */
  readonly tell: (row: Pick<Row, 'kind' | 'key'>) => void
  /** Kinds whose rows come as they are: whoever reads them knows what to do with one that fails. */
  readonly passed: readonly RowKind[]
}

/**
 * The same store without the rows that cannot be read, in lists and changes: one of them stops nobody. Asked for by its
 * key, such a row comes, so that it is neither taken for absent nor written over. A project whose limits cannot be read
 * may have nothing more, until they are set again: no limits at all would cost money.
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
    list: <K extends RowKind>(kind: K, page: Page) =>
      filled<Row<K>>(page.limit, {
        ask: (last, limit) => store.list(kind, { ...page, limit, ...(last !== undefined && { after: last.key }) }),
        keep: readable,
      }),
    changes: (since, limit) =>
      filled<StoreChange>(limit, { ask: (last, left) => store.changes(last?.seq ?? since, left), keep: readable }),
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
  /** The next so many after the last that was seen. */
  readonly ask: (last: R | undefined, limit: number) => Promise<readonly R[]>
  readonly keep: (row: R) => readonly R[]
}

/** A page that is short says that there is no more, so what was left out is made up for. */
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
