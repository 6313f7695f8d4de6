import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { Parsed } from '../../api/call.ts'
import { placed, service as serviceText, workloadOf } from '../../core/life/keep.suite.ts'
import type { Store } from '../../ports/store.ts'
import { memoryStore } from '../../store/memory.ts'
import { openSqliteStore } from '../../store/sqlite/sqlite.ts'
import type { Principal } from '../deps.ts'
import { ADMIN, NOW_MS, putWorkload, service } from '../platform.suite.ts'
import { keepListed, listWorkloads } from './views.ts'

const FOLDER = mkdtempSync(join(tmpdir(), 'berth-listing-'))
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }))

const STORES = {
  memory: async () => memoryStore({ nowMs: Date.now, strict: true }),
  sqlite: () => openSqliteStore(join(FOLDER, 'berth.db'), { nowMs: Date.now }),
}

const READER: Principal = { name: 'r', role: 'reader', projects: ['lab'] }
const DONE = { state: 'done', why: 'it ended', atMs: NOW_MS } as const

describe.each(Object.entries(STORES))('a filtered list of workloads on %s', (_, storeOf) => {
  test('has what matches, in order, page by page, and follows every change', async () => {
    const deps = { ...service(), store: await storeOf() }
    const names = async (query: Parsed<'workloads'>, actor: Principal = ADMIN) => {
      const found: string[] = []
      let after: string | undefined
      do {
        const page = await listWorkloads(deps, actor, { limit: 2, ...query, ...(after !== undefined && { after }) })
        expect(page.items.length).toBeLessThanOrEqual(2)
        found.push(...page.items.map(({ project, name }) => `${project}/${name}`))
        after = page.next
      } while (after !== undefined)
      return found
    }
    await putWorkload(deps, { name: 'b', more: 'labels: { team: ml }' })
    await putWorkload(deps, { name: 'a', more: 'labels: { team: web }' })
    await putWorkload(deps, { name: 'a', project: 'lab', more: 'labels: { team: ml }' })
    await putWorkload(deps, { name: 'c', project: 'lab', end: DONE })
    await putWorkload(deps, { name: 'd', want: 'stopped' })
    expect(await names({ sort: 'name' })).toEqual(['default/a', 'lab/a', 'default/b', 'lab/c', 'default/d'])
    expect(await names({ sort: 'state', project: 'lab' })).toEqual(['lab/c', 'lab/a'])
    expect(await names({ state: ['waiting'] })).toEqual(['default/a', 'lab/a', 'default/b'])
    expect(await names({ state: ['done', 'stopped'] })).toEqual(['lab/c', 'default/d'])
    expect(await names({ label: 'team=ml' })).toEqual(['lab/a', 'default/b'])
    expect(await names({ label: 'team', state: ['done'] })).toEqual([])
    expect(await names({ provider: 'nowhere' })).toEqual([])
    expect(await names({ sort: 'age' }, READER)).toEqual(['lab/a', 'lab/c'])
    expect(await names({ sort: 'cost', project: 'default' }, READER)).toEqual([])

    await putWorkload(deps, { name: 'e', end: DONE })
    await deps.store.commit({ writes: [{ kind: 'workload', key: 'lab/c', body: undefined }] })
    expect(await names({ state: ['done'] })).toEqual(['default/e'])
    await deps.store.close()
  })
})

test('a cursor of another list begins at the start', async () => {
  const deps = service()
  await putWorkload(deps, { name: 'a' })
  expect((await listWorkloads(deps, ADMIN, { sort: 'age', after: 'default/z' })).items).toHaveLength(1)
})

/** A service whose store counts how often everything is read. */
function counting() {
  const deps = service()
  const reads = { everything: 0 }
  const store: Store = {
    ...deps.store,
    list: (kind, page, signal) => {
      if (kind === 'workload' && page.after === undefined) reads.everything++
      return deps.store.list(kind, page, signal)
    },
  }
  return { deps: { ...deps, store }, reads }
}

test('an index that was made in the background serves the first list, and lets other work run meanwhile', async () => {
  const { deps, reads } = counting()
  for (let at = 0; at < 350; at++) await putWorkload(deps, { name: `w${at}` })
  let turns = 0
  let isDone = false
  const turn = (): void => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await keepListed(deps)
  isDone = true
  expect(turns).toBeGreaterThan(2)
  // Once for the index, once for the first page of a plain list.
  expect(reads.everything).toBe(2)
  expect((await listWorkloads(deps, ADMIN, { sort: 'age', limit: 500 })).items).toHaveLength(350)
  expect(reads.everything).toBe(2)
})

test('the first page is made in the background, too, once', async () => {
  const { deps } = counting()
  await putWorkload(deps, { name: 'a' })
  let reads = 0
  const { get } = deps.store
  const store = { ...deps.store, get: ((...asked) => (reads++, get(...asked))) as typeof get }
  const counted = { ...deps, store }
  await keepListed(counted)
  const atFirst = reads
  expect(atFirst).toBeGreaterThan(0)
  expect((await listWorkloads(counted, ADMIN, { sort: 'name' })).items).toHaveLength(1)
  await keepListed(counted)
  expect(reads).toBe(atFirst)
})

test('a provider that is configured or removed changes what runs there, and nothing is read again for the others', async () => {
  const { deps, reads } = counting()
  const workload = workloadOf(serviceText())
  const body = placed(workload, '0', 'running')
  const { provider } = body.order.place
  await deps.store.commit({
    writes: [
      { kind: 'workload', key: 'default/demo', body: workload },
      { kind: 'placement', key: 'default/demo/0', body },
    ],
  })
  const statesWith = async (...names: readonly string[]) => {
    // A list looks at the names alone.
    const views = () => names.map((name) => ({ name })) as unknown as ReturnType<typeof deps.providers.views>
    const asked = { ...deps, providers: { ...deps.providers, views } }
    const { items } = await listWorkloads(asked, ADMIN, { sort: 'name' })
    return items.map(({ state, unseen = 0 }) => `${state} ${unseen}`)
  }
  const [seen] = await statesWith(provider, 'elsewhere')
  const [unseen] = await statesWith('elsewhere')
  expect(unseen).not.toBe(seen)
  expect(unseen).toMatch(/ 1$/)
  expect(await statesWith(provider)).toEqual([seen])
  expect(reads.everything).toBe(1)
})
