import { expect, test } from 'vitest'
import type { AuditQuery, Store } from '../ports/store.ts'

const ROW = { kind: 'setting', key: 'x', body: { value: 'v' } } as const
const EVENT = { atMs: 5, project: 'default', subject: 'workload/x', kind: 'set-aside', facts: { why: 'x' } } as const
const ENTRY = { atMs: 5, project: 'default', subject: 'workload/x', actor: 'me', action: 'apply', facts: {} } as const

/** What the port promises of events and audit entries. */
export function entryTests(fresh: () => Promise<{ readonly store: Store }>): void {
  test('rows, events and audit entries of a commit stand on one line, in this order', async () => {
    const { store } = await fresh()
    const done = await store.commit({ writes: [ROW], events: [EVENT, EVENT], audit: [ENTRY] })
    expect(done).toEqual({ kind: 'done', versions: [1], seq: 4 })
    expect(await store.changes(0, 10)).toMatchObject([{ seq: 1 }])
    expect(await store.events({ after: 0, limit: 10 })).toEqual([
      { ...EVENT, seq: 2 },
      { ...EVENT, seq: 3 },
    ])
    expect(await store.audit({ after: 0, limit: 10 })).toEqual([{ ...ENTRY, seq: 4 }])
    expect(await store.audit({ after: 4, limit: 10 })).toEqual([])
  })

  test('audit entries are found by project, actor, action and time, from either end', async () => {
    const { store } = await fresh()
    const entries = Array.from({ length: 12 }, (_, at) => ({
      ...ENTRY,
      atMs: 100 + at,
      project: at % 2 === 0 ? 'a' : 'b',
      actor: at % 3 === 0 ? 'ada' : 'bo',
      action: at < 6 ? 'apply' : 'stop',
    }))
    await store.commit({ writes: [], audit: entries })
    const found = async (query: Partial<AuditQuery>) =>
      (await store.audit({ after: 0, limit: 100, ...query })).map(({ atMs }) => atMs - 100)
    expect(await found({ actor: 'ada' })).toEqual([0, 3, 6, 9])
    expect(await found({ actor: 'ada', project: 'a' })).toEqual([0, 6])
    expect(await found({ action: 'stop', sinceMs: 109 })).toEqual([9, 10, 11])
    expect(await found({ actor: 'bo', action: 'apply', project: 'b' })).toEqual([1, 5])
    expect(await found({ actor: 'bo', limit: 2, end: 'last' })).toEqual([10, 11])
    const [first] = await store.audit({ after: 0, limit: 2, actor: 'bo', end: 'last' })
    expect(await found({ actor: 'bo', limit: 2, end: 'last', before: first?.seq ?? 0 })).toEqual([7, 8])
    expect(await found({ before: first?.seq ?? 0, after: 8 })).toEqual([8, 9])
    expect(await found({ actor: 'eve' })).toEqual([])
  })
}
