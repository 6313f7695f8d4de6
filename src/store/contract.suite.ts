import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { Commit, Store } from '../ports/store.ts'
import { entryTests } from './entries.suite.ts'
import { expectSame, Model, steps, TTL_MS, type Step } from './model.suite.ts'
import { cases } from '../core/base/laws.suite.ts'

/** A store of its own for one test, empty. */
export interface Opened {
  readonly store: Store
  /** Lets time pass for leases. */
  readonly pass: (ms: number) => Promise<void>
  /** Closes the store and opens what it left behind; a store that keeps nothing answers itself. */
  readonly reopen: () => Promise<Store>
  readonly cleanup: () => Promise<void>
}

/** What stores differ in. */
export interface Nature {
  /** Whether bodies are copied: changing an object after it was committed changes nothing. */
  readonly copies: boolean
  /** Whether opening it proves that whoever held the lease is gone. */
  readonly single: boolean
  /** Random lives to try. */
  readonly lives: number
}

/** Everything that the port promises. */
export function storeContract(name: string, nature: Nature, open: () => Promise<Opened>): void {
  const used: Opened[] = []
  const fresh = async (): Promise<Opened> => {
    const opened = await open()
    used.push(opened)
    return opened
  }
  afterEach(async () => {
    for (const opened of used.splice(0)) await opened.cleanup()
  })

  describe(`${name}, rows`, () => {
    rowTests(fresh, nature)
  })
  describe(`${name}, commits`, () => {
    commitTests(fresh)
  })
  describe(`${name}, changes, events and audit`, () => {
    changeTests(fresh)
    entryTests(fresh)
  })
  describe(`${name}, lease`, () => {
    leaseTests(fresh, nature)
  })
  describe(`${name}, signals`, () => {
    signalTests(fresh)
  })
  describe(`${name}, as a whole`, () => {
    test('it does what the model does, whatever happens to it', async () => {
      await fc.assert(
        fc.asyncProperty(steps, async (life) => {
          const opened = await open()
          try {
            await liveThrough(life, opened, nature)
          } finally {
            await opened.cleanup()
          }
        }),
        cases(nature.lives, 4),
      )
    })
  })
}

async function liveThrough(life: readonly Step[], opened: Opened, nature: Nature): Promise<void> {
  const model = new Model()
  let store = opened.store
  for (const step of life) {
    switch (step.kind) {
      case 'commits': {
        const answers = await Promise.all(step.commits.map((commit) => store.commit(commit)))
        expect(answers).toEqual(step.commits.map((commit) => model.commit(commit)))
        break
      }
      case 'lead': {
        const led = await store.lead(step.holder, TTL_MS)
        expect(led.kind === 'leading' ? `leading ${led.term}` : `following ${led.term} ${led.holder}`).toBe(
          model.lead(step.holder),
        )
        break
      }
      case 'yield':
        await store.yieldLead(step.holder)
        model.yieldLead(step.holder)
        break
      case 'pass':
        await opened.pass(step.ms)
        model.pass(step.ms)
        break
      case 'restart':
        store = await opened.reopen()
        if (nature.single) model.forgetHolder()
        break
    }
  }
  await expectSame(store, model)
}

const one = (key: string, value: string, version?: number): Commit => ({
  writes: [{ kind: 'setting', key, body: { value }, ...(version === undefined ? {} : { version }) }],
})

const EVENT = { atMs: 5, project: 'default', subject: 'workload/x', kind: 'set-aside', facts: { why: 'x' } } as const
const ENTRY = { atMs: 5, project: 'default', subject: 'workload/x', actor: 'me', action: 'apply', facts: {} } as const

function signalTests(fresh: () => Promise<Opened>): void {
  const put = (key: string): Commit => ({ writes: [{ kind: 'setting', key, body: { value: 'a' } }] })

  test('a call whose signal is aborted rejects with its reason, and nothing is done', async () => {
    const { store } = await fresh()
    const over = AbortSignal.abort('enough')
    const calls = [
      store.get('setting', 'a', over),
      store.list('setting', { limit: 1 }, over),
      store.commit(put('a'), over),
      store.changes(0, 1, over),
      store.head(over),
      store.events({ after: 0, limit: 1 }, over),
      store.audit({ after: 0, limit: 1 }, over),
      store.count('setting', { prefix: '', most: 1 }, over),
      store.lead('me', 1000, over),
      store.yieldLead('me', over),
      store.prune(0, over),
    ]
    const answers = await Promise.allSettled(calls)
    expect(answers).toEqual(calls.map(() => ({ status: 'rejected', reason: 'enough' })))
    expect(await store.head()).toBe(0)
    expect(await store.lead('other', 1000)).toMatchObject({ kind: 'leading', term: 1 })
  })

  test('a call waits no longer once its signal is aborted, and the store goes on', async () => {
    const { store } = await fresh()
    await store.commit(put('a'))
    const stop = new AbortController()
    const calls = [store.get('setting', 'a', stop.signal), store.list('setting', { limit: 10 }, stop.signal)]
    const writes = Array.from({ length: 5 }, (_, index) => store.commit(put(`b${index}`), stop.signal))
    const settled = Promise.allSettled([...calls, ...writes])
    stop.abort('enough')
    for (const answer of await settled) {
      if (answer.status === 'rejected') expect(answer.reason).toBe('enough')
    }
    expect(await store.commit(put('c'))).toMatchObject({ kind: 'done' })
    expect((await store.get('setting', 'c'))?.body).toEqual({ value: 'a' })
  })

  test('a signal that is never aborted changes nothing', async () => {
    const { store } = await fresh()
    const { signal } = new AbortController()
    expect(await store.commit(put('a'), signal)).toMatchObject({ kind: 'done' })
    expect((await store.get('setting', 'a', signal))?.version).toBe(1)
    expect(await store.list('setting', { limit: 10 }, signal)).toHaveLength(1)
  })
}

function rowTests(fresh: () => Promise<Opened>, nature: Nature): void {
  test('what was never written is not there', async () => {
    const { store } = await fresh()
    expect(await store.get('setting', 'x')).toBeUndefined()
    expect(await store.list('setting', { limit: 10 })).toEqual([])
    expect(await store.head()).toBe(0)
  })

  test('versions count from 1, and from 1 again after a delete', async () => {
    const { store } = await fresh()
    await store.commit(one('x', 'first', 0))
    expect(await store.commit(one('x', 'second', 1))).toEqual({ kind: 'done', versions: [2], seq: 2 })
    await store.commit({ writes: [{ kind: 'setting', key: 'x', version: 2, body: undefined }] })
    expect(await store.get('setting', 'x')).toBeUndefined()
    await store.commit(one('x', 'third', 0))
    expect(await store.get('setting', 'x')).toEqual({
      kind: 'setting',
      key: 'x',
      version: 1,
      seq: 4,
      body: { value: 'third' },
    })
  })

  test('kinds do not see each other', async () => {
    const { store } = await fresh()
    await store.commit(one('x', 'v'))
    expect(await store.get('project', 'x')).toBeUndefined()
    expect(await store.list('project', { limit: 10 })).toEqual([])
  })

  test('pages follow each other without a gap or a repetition', async () => {
    const { store } = await fresh()
    const keys = Array.from({ length: 250 }, (_, at) => `p/${String(at).padStart(3, '0')}`)
    await Promise.all(keys.toReversed().map((key) => store.commit(one(key, key))))
    const found: string[] = []
    for (let page = 0; page < 4; page++) {
      const rows = await store.list('setting', { prefix: 'p/', after: found.at(-1) ?? '', limit: 100 })
      found.push(...rows.map(({ key }) => key))
    }
    expect(found).toEqual(keys)
  })

  test.each(['\0', '"', "'; DROP TABLE rows; --", '\ud800', '\\u0000', '{"a":[1,2]}', '😀', '\n'])(
    'the text %j comes back as it was',
    async (value) => {
      const { store } = await fresh()
      await store.commit(one('x', value))
      expect((await store.get('setting', 'x'))?.body).toEqual({ value })
    },
  )

  test.each([0, -1, 1.5, 10_001, Number.NaN])('a limit of %d is a bug in the caller', async (limit) => {
    const { store } = await fresh()
    await expect(store.list('setting', { limit })).rejects.toThrow(/limit/)
    await expect(store.changes(0, limit)).rejects.toThrow(/limit/)
    await expect(store.events({ after: 0, limit })).rejects.toThrow(/limit/)
    await expect(store.audit({ after: 0, limit })).rejects.toThrow(/limit/)
  })

  test.runIf(nature.copies)('changing an object after it was committed, or read, changes nothing', async () => {
    const { store } = await fresh()
    const body = { value: 'before' }
    const done = store.commit({ writes: [{ kind: 'setting', key: 'x', body }] })
    body.value = 'after'
    await done
    const read = await store.get('setting', 'x')
    expect(read?.body).toEqual({ value: 'before' })
    Object.assign(read?.body ?? {}, { value: 'after' })
    expect((await store.get('setting', 'x'))?.body).toEqual({ value: 'before' })
  })
}

function commitTests(fresh: () => Promise<Opened>): void {
  test('lands whole or not at all', async () => {
    const { store } = await fresh()
    await store.commit(one('there', 'v'))
    const [first] = one('new', 'v').writes
    const [second] = one('there', 'other', 0).writes
    const writes = [first, second].filter((write) => write !== undefined)
    const answer = await store.commit({ writes, events: [EVENT], audit: [ENTRY] })
    expect(answer).toEqual({ kind: 'conflict', row: { kind: 'setting', key: 'there' }, version: 1 })
    expect(await store.get('setting', 'new')).toBeUndefined()
    expect(await store.events({ after: 0, limit: 10 })).toEqual([])
    expect(await store.audit({ after: 0, limit: 10 })).toEqual([])
    expect(await store.head()).toBe(1)
  })

  test('of a hundred who believe that nothing is there, one lands', async () => {
    const { store } = await fresh()
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => store.commit(one('x', String(at), 0))))
    expect(answers.filter(({ kind }) => kind === 'done')).toHaveLength(1)
    expect(answers.filter((answer) => answer.kind === 'conflict' && answer.version === 1)).toHaveLength(99)
  })

  test('one that is refused or cannot be written leaves its neighbours alone', async () => {
    const { store } = await fresh()
    const twice: Commit = { writes: [...one('x', 'a').writes, ...one('x', 'b').writes] }
    const answers = await Promise.allSettled([
      store.commit(one('a', '1')),
      store.commit(one('a', '2', 7)),
      store.commit(twice),
      store.commit(one('k'.repeat(513), 'v')),
      store.commit(one('nul\0', 'v')),
      store.commit(one('half\ud800', 'v')),
      store.commit({ ...one('t', 'v'), events: [{ ...EVENT, atMs: Number.NaN }] }),
      store.commit({ ...one('t', 'v'), term: 9 }),
      store.commit(one('a', '3', 1)),
    ])
    expect(answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.kind : 'bug'))).toEqual([
      'done',
      'conflict',
      ...Array.from({ length: 5 }, () => 'bug'),
      'fenced',
      'done',
    ])
    expect(await store.get('setting', 'a')).toMatchObject({ version: 2, body: { value: '3' } })
    expect(await store.head()).toBe(2)
  })

  test('one that writes nothing is done', async () => {
    const { store } = await fresh()
    await store.commit(one('x', 'v'))
    expect(await store.commit({ writes: [] })).toEqual({ kind: 'done', versions: [], seq: 1 })
    const gone = await store.commit({ writes: [{ kind: 'setting', key: 'never', body: undefined }] })
    expect(gone).toEqual({ kind: 'done', versions: [0], seq: 1 })
  })

  test('a thousand at once, of more than one batch, are all there afterwards', async () => {
    const opened = await fresh()
    const commits = Array.from({ length: 1200 }, (_, at) => ({ ...one(`k${at % 700}`, String(at)), events: [EVENT] }))
    const answers = await Promise.all(commits.map((commit) => opened.store.commit(commit)))
    expect(answers.map((answer) => (answer.kind === 'done' ? answer.seq : 0))).toEqual(
      commits.map((_, at) => (at + 1) * 2),
    )
    const store = await opened.reopen()
    expect(await store.head()).toBe(2400)
    expect(await store.list('setting', { limit: 1000 })).toHaveLength(700)
    expect((await store.get('setting', 'k5'))?.body).toEqual({ value: '705' })
  })
}

function changeTests(fresh: () => Promise<Opened>): void {
  test('a row that changed twice appears once, a deleted one as its mark', async () => {
    const { store } = await fresh()
    await store.commit(one('x', '1'))
    await store.commit(one('y', '1'))
    await store.commit(one('x', '2'))
    await store.commit({ writes: [{ kind: 'setting', key: 'y', body: undefined }] })
    expect(await store.changes(0, 10)).toEqual([
      { kind: 'setting', key: 'x', version: 2, seq: 3, body: { value: '2' } },
      { kind: 'setting', key: 'y', version: 0, seq: 4, body: undefined },
    ])
    expect(await store.changes(3, 10)).toHaveLength(1)
    expect(await store.changes(4, 10)).toEqual([])
  })

  test('a row that is written again and again hides none of the others', async () => {
    const { store } = await fresh()
    const keys = Array.from({ length: 50 }, (_, at) => `k${at}`)
    await Promise.all(keys.map((key) => store.commit(one(key, 'v'))))
    await Promise.all(Array.from({ length: 500 }, (_, at) => store.commit(one('k0', String(at)))))
    const changes = await store.changes(0, 1000)
    expect(changes.map(({ key }) => key)).toEqual([...keys.slice(1), 'k0'])
    expect(changes.at(-1)).toMatchObject({ version: 501, seq: 550 })
  })

  test('pruning takes old events and marks, and leaves rows and audit', async () => {
    const { store, pass } = await fresh()
    const events = [1, 50, 100].map((atMs) => ({ ...EVENT, atMs }))
    await store.commit({ ...one('x', 'v'), events, audit: [ENTRY] })
    await store.commit(one('gone', 'v'))
    await store.commit({ writes: [{ kind: 'setting', key: 'gone', body: undefined }] })
    await pass(1)
    expect(await store.prune(100)).toBe(2)
    expect(await store.changes(0, 10)).toHaveLength(2)
    expect(await store.prune(Number.MAX_SAFE_INTEGER)).toBe(1)
    expect(await store.events({ after: 0, limit: 10 })).toEqual([])
    expect(await store.changes(0, 10)).toMatchObject([{ key: 'x' }])
    expect(await store.audit({ after: 0, limit: 10 })).toHaveLength(1)
    expect(await store.commit(one('gone', 'again', 0))).toMatchObject({ kind: 'done', versions: [1], seq: 8 })
  })
}

function leaseTests(fresh: () => Promise<Opened>, nature: Nature): void {
  test('whoever holds it keeps its term, the others follow', async () => {
    const { store, pass } = await fresh()
    expect(await store.lead('one', TTL_MS)).toEqual({ kind: 'leading', term: 1 })
    await pass(TTL_MS / 2)
    const following = await store.lead('two', TTL_MS)
    expect(following).toMatchObject({ kind: 'following', term: 1, holder: 'one' })
    const leftMs = following.kind === 'following' ? following.leftMs : 0
    expect(leftMs).toBeGreaterThan(0)
    expect(leftMs).toBeLessThanOrEqual(TTL_MS / 2)
    expect(await store.lead('one', TTL_MS)).toEqual({ kind: 'leading', term: 1 })
  })

  test('when it has run out somebody else gets the next term, and the old one writes nothing more', async () => {
    const { store, pass } = await fresh()
    await store.lead('one', TTL_MS)
    expect(await store.commit({ ...one('x', 'one'), term: 1 })).toMatchObject({ kind: 'done' })
    await pass(TTL_MS)
    expect(await store.commit({ ...one('x', 'late'), term: 1 })).toMatchObject({ kind: 'done' })
    expect(await store.lead('two', TTL_MS)).toEqual({ kind: 'leading', term: 2 })
    expect(await store.commit({ ...one('x', 'stale'), term: 1 })).toEqual({ kind: 'fenced', term: 2 })
    expect(await store.commit({ ...one('x', 'two'), term: 2 })).toMatchObject({ kind: 'done' })
    expect(await store.lead('one', TTL_MS)).toMatchObject({ kind: 'following', term: 2, holder: 'two' })
  })

  test('given back it is free at once; only its holder can give it back', async () => {
    const { store } = await fresh()
    await store.lead('one', TTL_MS)
    await store.yieldLead('two')
    expect(await store.lead('two', TTL_MS)).toMatchObject({ kind: 'following' })
    await store.yieldLead('one')
    expect(await store.lead('two', TTL_MS)).toEqual({ kind: 'leading', term: 2 })
  })

  test('the term outlives a restart', async () => {
    const opened = await fresh()
    await opened.store.lead('one', TTL_MS)
    const store = await opened.reopen()
    expect(await store.commit({ ...one('x', 'v'), term: 0 })).toEqual({ kind: 'fenced', term: 1 })
    const led = await store.lead('two', TTL_MS)
    expect(led).toMatchObject(nature.single ? { kind: 'leading', term: 2 } : { kind: 'following', term: 1 })
  })
}
