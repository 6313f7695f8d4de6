import { otherVersion } from '../core/event/other-version.suite.ts'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { AuditEntry, EventEntry } from '../core/event/event.ts'
import type { StoreChange, Commit, Committed, EventQuery, Store, Write } from '../ports/store.ts'

// A store in a few lines, with a plain list for everything and no concern for speed. The real stores are compared with it.

/** One thing that happens to a store. Commits of one round are made at the same time. */
export type Step =
  | { readonly kind: 'commits'; readonly commits: readonly Commit[] }
  | { readonly kind: 'lead'; readonly holder: string }
  | { readonly kind: 'yield'; readonly holder: string }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'restart' }

export const TTL_MS = 60_000

const KINDS = ['setting', 'project'] as const
const KEYS = ['a', 'a/1', 'a/2', 'a!', 'b', 'b/1', 'ä', '\u{1f6a2}', '\uff5e', 'a/\u{10ffff}x']

const write: fc.Arbitrary<Write> = fc
  .record({
    kind: fc.constantFrom(...KINDS),
    key: fc.constantFrom(...KEYS),
    version: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    value: fc.option(fc.string({ unit: 'binary', maxLength: 5 }), { nil: undefined, freq: 3 }),
  })
  .map(({ kind, key, version, value }): Write => {
    const at = { key, ...(version === undefined ? {} : { version }) }
    if (value === undefined) return { kind, ...at, body: undefined }
    if (kind === 'setting') return { kind, ...at, body: { value } }
    return { kind, ...at, body: { gpusMax: value.length, usdPerHourMax: 0.1, workloadsMax: undefined } }
  })

const event = fc.record({
  atMs: fc.integer({ min: 0, max: 100 }),
  project: fc.constantFrom('default', 'other'),
  subject: fc.constantFrom('workload/x', 'workload/y'),
  kind: fc.constant('accepted'),
  facts: fc.dictionary(
    fc.constantFrom('code', 'n'),
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
  ),
})

const entry = event.map(({ atMs, project, subject, facts }) => ({
  atMs,
  project,
  subject,
  facts,
  actor: 'somebody',
  action: 'apply',
}))

const commit: fc.Arbitrary<Commit> = fc
  .record({
    writes: fc.uniqueArray(write, { maxLength: 4, selector: ({ kind, key }) => `${kind}/${key}` }),
    events: fc.array(event.map(otherVersion), { maxLength: 2 }),
    audit: fc.array(entry, { maxLength: 1 }),
    term: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 3 }),
  })
  .map(({ term, ...rest }) => (term === undefined ? rest : { ...rest, term }))

const holder = fc.constantFrom('one', 'two', 'three')

/** Random lives of a store. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('commits' as const),
        commits: fc.array(commit, { minLength: 1, maxLength: 8 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('lead' as const), holder }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('yield' as const), holder }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, TTL_MS - 10_000, TTL_MS) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  ),
  { minLength: 1, maxLength: 10 },
)

/** The reference. */
export class Model {
  seq = 0
  term = 0
  changes: StoreChange[] = []
  readonly events: EventEntry[] = []
  readonly audit: AuditEntry[] = []
  #holder: string | undefined
  #leftMs = 0

  commit({ term, writes, events = [], audit = [] }: Commit): Committed {
    if (term !== undefined && term !== this.term) return { kind: 'fenced', term: this.term }
    for (const { kind, key, version } of writes) {
      const there = this.#version(kind, key)
      if (version !== undefined && version !== there) return { kind: 'conflict', row: { kind, key }, version: there }
    }
    const versions = writes.map(({ kind, key, body }) => {
      const there = this.#version(kind, key)
      if (body === undefined && there === 0) return 0
      const version = body === undefined ? 0 : there + 1
      this.changes = this.changes.filter((row) => row.kind !== kind || row.key !== key)
      // Databases keep the JSON of a body.
      const kept = body === undefined ? undefined : JSON.parse(JSON.stringify(body))
      this.changes.push({ kind, key, version, seq: ++this.seq, body: kept })
      return version
    })
    for (const event of events) this.events.push({ ...event, seq: ++this.seq })
    for (const entry of audit) this.audit.push({ ...entry, seq: ++this.seq })
    return { kind: 'done', versions, seq: this.seq }
  }

  lead(holder: string): string {
    if (this.#holder !== undefined && this.#holder !== holder && this.#leftMs > 0)
      return `following ${this.term} ${this.#holder}`
    if (this.#holder !== holder) this.term++
    this.#holder = holder
    this.#leftMs = TTL_MS
    return `leading ${this.term}`
  }

  yieldLead(holder: string): void {
    if (this.#holder === holder) this.#holder = undefined
  }

  pass(ms: number): void {
    this.#leftMs = Math.max(0, this.#leftMs - ms)
  }

  /** A store for one process knows on opening that the holder of the lease is gone. */
  forgetHolder(): void {
    this.#holder = undefined
  }

  rows(kind: string): readonly StoreChange[] {
    const rows = this.changes.filter((row) => row.kind === kind && row.body !== undefined)
    return rows.sort((one, two) => Buffer.compare(Buffer.from(one.key), Buffer.from(two.key)))
  }

  #version(kind: string, key: string): number {
    return this.changes.find((row) => row.kind === kind && row.key === key)?.version ?? 0
  }
}

/** Compares everything that can be read from a store, in every way, with the model. */
export async function expectSame(store: Store, model: Model): Promise<void> {
  expect(await store.head()).toBe(model.seq)
  expect(await store.changes(0, 1000)).toEqual(model.changes)
  for (const { seq } of model.changes) {
    const later = model.changes.filter((change) => change.seq > seq)
    expect(await store.changes(seq, 2)).toEqual(later.slice(0, 2))
  }
  expect(await store.events({ after: 0, limit: 1000 })).toEqual(model.events)
  for (const projects of [undefined, ['default'], ['other', 'default', 'other'], ['nobody', 'other'], []]) {
    for (const subject of [undefined, 'workload/x']) await expectSameEvents(store, model, { projects, subject })
  }
  for (const project of ['default', 'other']) {
    const entries = model.audit.filter((entry) => entry.project === project)
    expect(await store.audit({ after: entries[0]?.seq ?? 0, limit: 2, project })).toEqual(entries.slice(1, 3))
    expect(await store.audit({ after: 0, limit: 2, project, end: 'last' })).toEqual(entries.slice(-2))
  }
  for (const kind of KINDS) await expectSameRows(store, model, kind)
}

interface AskedEvents {
  readonly projects: readonly string[] | undefined
  readonly subject: string | undefined
}

async function expectSameEvents(store: Store, model: Model, { projects, subject }: AskedEvents): Promise<void> {
  const asked = { ...(projects !== undefined && { projects }), ...(subject !== undefined && { subject }) }
  const about = model.events.filter(
    (event) => projects?.includes(event.project) !== false && (subject === undefined || event.subject === subject),
  )
  expect(await store.events({ ...asked, after: about[0]?.seq ?? 0, limit: 3 })).toEqual(about.slice(1, 4))
  expect(await store.events({ ...asked, after: 0, limit: 3, end: 'last' })).toEqual(about.slice(-3))
  const second = about[1]?.seq ?? 0
  const after = about.filter(({ seq }) => seq > second)
  expect(await store.events({ ...asked, after: second, limit: 100, end: 'last' })).toEqual(after)
  const before = about.at(-1)?.seq ?? 1
  expect(await store.events({ ...asked, after: second, before, limit: 2 })).toEqual(after.slice(0, -1).slice(0, 2))
  expect(await newestFirst(store, { ...asked, after: 0, limit: 2, end: 'last' })).toEqual(about.toReversed())
}

/** Every event, page by page, from the last one back. */
async function newestFirst(store: Store, query: EventQuery): Promise<readonly EventEntry[]> {
  const found: EventEntry[] = []
  for (let before: number | undefined; ; before = found.at(-1)?.seq) {
    const page = await store.events({ ...query, ...(before !== undefined && { before }) })
    if (page.length === 0) return found
    found.push(...page.toReversed())
  }
}

async function expectSameRows(store: Store, model: Model, kind: (typeof KINDS)[number]): Promise<void> {
  const rows = model.rows(kind)
  expect(await store.list(kind, { limit: 1000 })).toEqual(rows)
  for (const prefix of ['a', 'a/', 'ä', '\u{1f6a2}', 'zz']) {
    const fitting = rows.filter(({ key }) => key.startsWith(prefix))
    expect(await store.list(kind, { prefix, limit: 1000 })).toEqual(fitting)
    expect(await store.count(kind, { prefix, most: 1000 })).toBe(fitting.length)
    expect(await store.count(kind, { prefix, most: 2 })).toBe(Math.min(2, fitting.length))
    const [first] = fitting
    if (first === undefined) continue
    expect(await store.list(kind, { prefix, after: first.key, limit: 1 })).toEqual(fitting.slice(1, 2))
  }
  for (const key of KEYS) expect(await store.get(kind, key)).toEqual(rows.find((row) => row.key === key))
}
