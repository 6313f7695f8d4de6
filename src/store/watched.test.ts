import { expect, test } from 'vitest'
import type { Store } from '../ports/store.ts'
import { memoryStore } from './memory.ts'
import { storeProblem } from './store-problem.ts'
import { watchedStore } from './watched.ts'

/** A store that can be broken, and a clock that is moved by hand. */
function world() {
  const real = memoryStore({ nowMs: () => 0 })
  const state = { atMs: 0, isFull: false, isSilent: false }
  const full = async (): Promise<never> => {
    throw storeProblem('STORE_UNWRITABLE', '/secret/path is full', '')
  }
  const store: Store = {
    ...real,
    commit: (commit) => (state.isFull ? full() : real.commit(commit)),
    lead: (holder, ttlMs) => (state.isSilent ? full() : real.lead(holder, ttlMs)),
  }
  const watched = watchedStore(store, { tickMs: () => state.atMs, leaderlessMs: 6000 })
  const put = () => watched.store.commit({ writes: [{ kind: 'setting', key: 'x', body: { value: 'v' } }] })
  return { state, watched, put }
}

test('a write that fails is told without saying where, until one works again', async () => {
  const { state, watched, put } = world()
  expect(watched.whyNot()).toBeUndefined()
  state.isFull = true
  await expect(put()).rejects.toThrow()
  expect(watched.whyNot()).toBe('the store cannot be written (STORE_UNWRITABLE)')
  await watched.store.lead('me', 3000)
  expect(watched.whyNot()).toContain('cannot be written')
  await watched.probe()
  expect(watched.whyNot()).toContain('cannot be written')
  state.isFull = false
  await watched.probe()
  expect(watched.whyNot()).toBeUndefined()
})

test('a renewal that fails is told at once, and that nobody leads after a while', async () => {
  const { state, watched } = world()
  await watched.store.lead('me', 3000)
  state.isSilent = true
  await expect(watched.store.lead('me', 3000)).rejects.toThrow()
  expect(watched.whyNot()).toContain('cannot be written')
  state.isSilent = false
  await watched.store.lead('me', 3000)
  expect(watched.whyNot()).toBeUndefined()
  state.atMs = 6001
  expect(watched.whyNot()).toBe('there has been no leader for 6 s')
  expect(await watched.store.lead('other', 3000)).toMatchObject({ kind: 'following' })
  expect(watched.whyNot()).toBeUndefined()
})

test('a commit that no store could write, and one that conflicts, say nothing of the store', async () => {
  const { watched } = world()
  const commit = { writes: [{ kind: 'setting', key: 'k'.repeat(600), body: { value: 'v' } }] } as const
  await expect(watched.store.commit(commit)).rejects.toThrow()
  expect(watched.whyNot()).toBeUndefined()
  await watched.store.commit({ writes: [{ kind: 'setting', key: 'x', version: 7, body: { value: 'v' } }] })
  expect(watched.whyNot()).toBeUndefined()
})
