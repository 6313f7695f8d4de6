import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { AuditEntry, EventEntry } from '../../core/event/event.ts'
import type { RowKind } from '../../core/life/rows.ts'
import type { AuditQuery, EventQuery, Page, Row, StoreChange } from '../../ports/store.ts'
import { checkLimit } from '../check.ts'
import { rowId } from '../evaluate.ts'
import { endOfPrefix, rangeOf } from '../keys.ts'
import { showAudit, showChange, showEvent, showRow, type DatabaseRecord } from '../records.ts'
import { makeTurns } from '../turns.ts'
import { COLUMNS, META, READER_PRAGMAS } from './sql.ts'
import { Statements } from './statements.ts'

const GET = `SELECT ${COLUMNS} FROM rows WHERE kind = ? AND key = ? AND body IS NOT NULL`
const CHANGES = `SELECT ${COLUMNS} FROM rows WHERE seq > ? ORDER BY seq LIMIT ?`
const EVENT = 'SELECT * FROM events WHERE seq = ?'

/** Everything that is read from the file. Statements block, so long reads are done in pieces. */
export class Reader {
  readonly #statements: Statements
  readonly #turns = makeTurns()

  constructor(database: DatabaseSync) {
    database.exec(READER_PRAGMAS)
    this.#statements = new Statements(database)
  }

  get<K extends RowKind>(kind: K, key: string, signal?: AbortSignal): Promise<Row<K> | undefined> {
    return this.#turns.soon(() => {
      const record = this.#statements.of(GET).get(kind, key)
      return record === undefined ? undefined : showRow<K>(record)
    }, signal)
  }

  head(): Promise<number> {
    return this.#turns.soon(() => Number(this.#statements.of(META).get()?.['seq']))
  }

  list<K extends RowKind>(kind: K, page: Page, signal?: AbortSignal): Promise<readonly Row<K>[]> {
    const range = rangeOf(page)
    const { until } = range
    const ask = (last: Row<K> | undefined): Statement => {
      const isAfter = last !== undefined || range.isAfter
      const sql = `SELECT ${COLUMNS} FROM rows WHERE kind = ? AND key ${isAfter ? '>' : '>='} ?
        ${until === undefined ? '' : 'AND key < ?'} AND body IS NOT NULL ORDER BY key LIMIT ?`
      return { sql, values: [kind, last?.key ?? range.from, ...(until === undefined ? [] : [until])] }
    }
    return this.#read({ limit: page.limit, signal }, ask, (record) => showRow<K>(record))
  }

  /** A row that changes between two pieces appears in both; only its last position counts. */
  async changes(since: number, limit: number, signal?: AbortSignal): Promise<readonly StoreChange[]> {
    const ask = (last: StoreChange | undefined): Statement => ({ sql: CHANGES, values: [last?.seq ?? since] })
    const found = await this.#read({ limit, signal }, ask, showChange)
    const lastAt = new Map(found.map(({ kind, key }, at) => [rowId(kind, key), at]))
    return found.filter(({ kind, key }, at) => lastAt.get(rowId(kind, key)) === at)
  }

  /** Scans the index for each project separately, and returns only seqs. */
  async events(query: EventQuery, signal?: AbortSignal): Promise<readonly EventEntry[]> {
    const { after, before = Number.MAX_SAFE_INTEGER, limit, projects, subject, end = 'first' } = query
    checkLimit(limit)
    const [order, sign] = end === 'first' ? (['ASC', 1] as const) : (['DESC', -1] as const)
    const walk = <T extends { readonly seq: number }>(
      columns: string,
      project: string | undefined,
      show: (record: DatabaseRecord) => T,
    ): Promise<readonly T[]> => {
      const index = indexOf({ project, subject })
      const sql = `SELECT ${columns} FROM events ${index} WHERE seq > ? AND seq < ?
        ${project === undefined ? '' : 'AND project = ?'} ${subject === undefined ? '' : 'AND subject = ?'}
        ORDER BY seq ${order} LIMIT ?`
      const filters = [project, subject].filter((value) => value !== undefined)
      const ask = (last: T | undefined): Statement => {
        const from = end === 'first' ? (last?.seq ?? after) : after
        const until = end === 'first' ? before : (last?.seq ?? before)
        return { sql, values: [from, until, ...filters] }
      }
      return this.#read({ limit, signal }, ask, show)
    }
    const mine = projects === undefined ? undefined : [...new Set(projects)]
    if (mine === undefined || mine.length === 1) {
      const found = await walk('*', mine?.[0], showEvent)
      return end === 'first' ? found : found.toReversed()
    }
    const seqs: number[] = []
    for (const project of mine) {
      seqs.push(...(await walk('seq', project, ({ seq }) => ({ seq: Number(seq) }))).map(({ seq }) => seq))
    }
    const wanted = seqs.toSorted((one, other) => sign * (one - other)).slice(0, limit)
    return this.#eventsAt(wanted.toSorted((one, other) => one - other))
  }

  /**
   * Actor, action and time have no index, because audit entries are written often and read rarely. The entries of the project
   * are walked through instead, in pieces, so that a rare action among many entries keeps no other work waiting.
   */
  async audit(query: AuditQuery, signal?: AbortSignal): Promise<readonly AuditEntry[]> {
    const { limit, project, end = 'first' } = query
    checkLimit(limit)
    const sql = `SELECT * FROM audit ${project === undefined ? '' : 'INDEXED BY audit_by_project'}
      WHERE seq > ? AND seq < ? ${project === undefined ? '' : 'AND project = ?'}
      ORDER BY seq ${end === 'first' ? 'ASC' : 'DESC'}`
    let { after, before = Number.MAX_SAFE_INTEGER } = query
    const found: AuditEntry[] = []
    await this.#turns.pieces((isLong) => {
      for (const record of this.#statements
        .of(sql)
        .iterate(after, before, ...(project === undefined ? [] : [project]))) {
        if (end === 'first') after = Number(record['seq'])
        else before = Number(record['seq'])
        if (isAudited(record, query)) found.push(showAudit(record))
        if (found.length === limit) return found
        if (isLong()) return undefined
      }
      return found
    }, signal)
    return end === 'first' ? found : found.toReversed()
  }

  count(kind: RowKind, { prefix, most }: { readonly prefix: string; readonly most: number }): Promise<number> {
    const until = endOfPrefix(prefix)
    const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM rows WHERE kind = ? AND key >= ?
      ${until === undefined ? '' : 'AND key < ?'} AND body IS NOT NULL LIMIT ?)`
    const values = [kind, prefix, ...(until === undefined ? [] : [until]), most]
    return this.#turns.soon(() => Number(this.#statements.of(sql).get(...values)?.['count']))
  }

  /** The rows of a statement, in as many pieces as needed; `ask` continues after the last row of the previous piece. */
  async #read<T>(
    { limit, signal }: { readonly limit: number; readonly signal: AbortSignal | undefined },
    ask: (last: T | undefined) => Statement,
    show: (record: DatabaseRecord) => T,
  ): Promise<readonly T[]> {
    checkLimit(limit)
    const found: T[] = []
    return this.#turns.pieces((isLong) => {
      const { sql, values } = ask(found.at(-1))
      for (const record of this.#statements.of(sql).iterate(...values, limit - found.length)) {
        found.push(show(record))
        if (found.length < limit && isLong()) return undefined
      }
      return found
    }, signal)
  }

  async #eventsAt(seqs: readonly number[]): Promise<readonly EventEntry[]> {
    const found: EventEntry[] = []
    let at = 0
    return this.#turns.pieces((isLong) => {
      for (; at < seqs.length; at++) {
        if (isLong()) return undefined
        const record = this.#statements.of(EVENT).get(seqs[at] ?? 0)
        if (record !== undefined) found.push(showEvent(record))
      }
      return found
    })
  }
}

interface Statement {
  readonly sql: string
  /** Without the limit, which every statement ends with. */
  readonly values: readonly SQLInputValue[]
}

function isAudited(record: DatabaseRecord, { actor, action, sinceMs }: AuditQuery): boolean {
  if (actor !== undefined && record['actor'] !== actor) return false
  if (action !== undefined && record['action'] !== action) return false
  return sinceMs === undefined || Number(record['at_ms']) >= sinceMs
}

/** Names the index explicitly, because no statistics are kept: the scan must start at the requested rows. */
function indexOf({ project, subject }: { readonly project: string | undefined; readonly subject: string | undefined }) {
  if (project === undefined) return subject === undefined ? '' : 'INDEXED BY events_by_subject'
  return `INDEXED BY ${subject === undefined ? 'events_by_project' : 'events_by_project_subject'}`
}
