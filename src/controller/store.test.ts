import { describe, expect, test } from 'vitest'
import type { RowBody } from '../core/life/rows.ts'
import type { Commit, Store } from '../ports/store.ts'
import { Story, count } from './story.suite.ts'

const SERVICE = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\n'

/** A story whose controllers see the store through something. */
function begin(between: Story['between']) {
  const story = new Story()
  story.between = between
  const north = story.cloud('north')
  return { story, north, ...story.controller('one') }
}

/** The n-th commit lands or does not, and its answer is lost. */
function losing(nth: number, how: 'landed' | 'dropped'): Story['between'] {
  let commits = 0
  return (store: Store) => ({
    ...store,
    commit: async (commit: Commit) => {
      if (++commits !== nth) return store.commit(commit)
      if (how === 'landed') await store.commit(commit)
      throw new Error('connection reset')
    },
  })
}

const NTH = [1, 2, 3, 4, 5, 6]

describe('a store', () => {
  test.each(NTH.flatMap((nth) => [[nth, 'landed'] as const, [nth, 'dropped'] as const]))(
    'whose answer to commit %i is lost (%s) is read again, and nothing is doubled or lost',
    async (nth, how) => {
      const { story, controller } = begin(losing(nth, how))
      await story.apply(`${SERVICE}replicas: 2\n`)
      await story.pass(200)
      expect(await story.standing()).toEqual(['demo/0 running north', 'demo/1 running north'])
      expect(story.billed()).toHaveLength(2)
      expect(controller.leading).toEqual(expect.any(Number))
    },
  )

  test('that fails for an hour stops nothing, and work goes on afterwards', async () => {
    let isDown = false
    const { story, north, controller } = begin((store) => {
      const guard = <A extends readonly unknown[], R>(call: (...given: A) => Promise<R>) => {
        return (...given: A): Promise<R> => (isDown ? Promise.reject(new Error('no database')) : call(...given))
      }
      const { lead, commit, head, changes } = store
      const guarded = { lead: guard(lead), commit: guard(commit), head: guard(head), changes: guard(changes) }
      return { ...store, ...guarded }
    })
    await story.apply(SERVICE)
    await story.pass(10)
    isDown = true
    await story.pass(3600)
    expect([controller.leading, story.billed().length, count(north, 'stop')]).toEqual([undefined, 1, 0])
    isDown = false
    await story.apply(SERVICE, { name: 'later' })
    await story.pass(15)
    expect(await story.standing()).toEqual(['demo/0 running north', 'later/0 running north'])
    expect(count(north, 'launch')).toBe(2)
  })

  test('that is slow is waited for: one thing is written after the other', async () => {
    const story = new Story()
    story.between = (store) => ({
      ...store,
      commit: async (commit) => {
        await story.loop.sleep(300)
        return store.commit(commit)
      },
    })
    story.cloud('north')
    const { controller } = story.controller('one')
    const workload = await story.apply(`${SERVICE}replicas: 3\n`)
    for (let turn = 0; turn < 30; turn++) {
      await story.pass(0.4)
      await story.apply(workload.text, { uid: workload.uid, scale: { '': turn % 4 }, generation: 2 + turn })
    }
    await story.pass(60)
    expect(controller.leading).toBe(1)
    expect(story.billed()).toHaveLength(1)
    expect((await story.standing()).filter((text) => text.includes('running'))).toEqual(['demo/0 running north'])
  })

  test('that hangs ends the term: nothing is called after the lease', async () => {
    let hangs = false
    const never = (): Promise<never> => new Promise(() => undefined)
    const { story, north, controller } = begin((store) => ({
      ...store,
      lead: (holder, ttlMs) => (hangs ? never() : store.lead(holder, ttlMs)),
    }))
    await story.apply(SERVICE)
    await story.pass(10)
    hangs = true
    await story.pass(4)
    await story.apply(SERVICE, { name: 'later' })
    await story.pass(60)
    expect([controller.leading, count(north, 'launch')]).toEqual([undefined, 1])
  })
})

describe('a row that makes no sense', () => {
  /** What another version, or a bad disk, may have left. */
  const bodies = ['{}', 'null', '[]', '5', '{"uid":"x"}', '{"project":5,"name":null,"manifest":{}}'] as const

  test.each(bodies)('%s as a workload delays no other workload', async (text) => {
    const { story, controller } = begin((store) => store)
    // Proven by nobody: that is the point.
    const body = JSON.parse(text) as RowBody<'workload'>
    await story.store.commit({ writes: [{ kind: 'workload', key: 'default/broken', body }] })
    await story.apply(SERVICE)
    await story.pass(15)
    expect(await story.standing()).toEqual(['demo/0 running north'])
    expect(controller.leading).toBe(1)
  })

  test.each(bodies)('%s as a status delays no other workload', async (text) => {
    const { story, controller } = begin((store) => store)
    // Proven by nobody: that is the point.
    const body = JSON.parse(text) as RowBody<'status'>
    await story.apply(SERVICE, { name: 'broken' })
    await story.store.commit({ writes: [{ kind: 'status', key: 'default/broken', body }] })
    await story.apply(SERVICE)
    await story.pass(15)
    expect(await story.standing()).toContain('demo/0 running north')
    expect(controller.leading).toBe(1)
  })

  test.each(bodies)('%s as the placement of something that runs delays no other workload', async (text) => {
    const { story, stop } = begin((store) => store)
    await story.apply(SERVICE, { name: 'broken' })
    await story.apply(SERVICE)
    await story.pass(10)
    stop()
    await story.pass(1)
    // Proven by nobody: that is the point.
    const body = JSON.parse(text) as RowBody<'placement'>
    await story.store.commit({ writes: [{ kind: 'placement', key: 'default/broken/0', body }] })
    const second = story.controller('second')
    await story.apply(SERVICE, { name: 'later' })
    await story.pass(60)
    expect(second.controller.leading).toBe(2)
    expect((await story.placement())?.phase).toBe('running')
    expect((await story.placement('0', 'later'))?.phase).toBe('running')
  })
})
