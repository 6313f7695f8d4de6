import { describe, expect, test } from 'vitest'
import { isQueued } from '../core/life/placement.ts'
import { count, Story } from './story.suite.ts'

const HEAD = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\n'
const SERVICE = `${HEAD}kind: service\n`
const GANG = `${HEAD}kind: job\nnodes: 3\n`

describe('a provider with a queue', () => {
  test('is waited for, for hours, and no start counts as failed', async () => {
    const story = new Story()
    const hours = 5 * 3_600_000
    story.cloud('batch', { queueMs: [hours, hours], can: { queues: true } })
    story.controller('one')
    await story.apply(SERVICE)
    await story.pass(4 * 3600)
    const waiting = await story.placement()
    expect(waiting !== undefined && isQueued(waiting)).toBe(true)
    expect(waiting).toMatchObject({ queued: { reason: 'it waits for its turn' }, order: { tag: { epoch: 1 } } })
    expect(await story.status()).toMatchObject({ failures: 0, restarts: 0 })
    expect(await story.kinds()).not.toContain('slow')
    await story.pass(3600 + 60)
    expect(await story.placement()).toMatchObject({ phase: 'running', order: { tag: { epoch: 1 } } })
  })
})

describe('a refusal that leaves something behind', () => {
  test('is ended before the slot is placed elsewhere', async () => {
    const story = new Story()
    const cheap = story.cloud('cheap')
    story.cloud('dear', { factor: 2 })
    cheap.next.set('launch', ['leaving'])
    story.controller('one')
    await story.apply(SERVICE)
    await story.pass(20)
    const [left] = [...cheap.cloud.instances()]
    await story.pass(400)
    expect(await story.placement()).toMatchObject({ phase: 'running', order: { tag: { epoch: 2 } } })
    const [next, ...others] = story.billed()
    expect(others).toEqual([])
    expect(left).toMatchObject({ tag: { epoch: 1 }, endedBy: 'call' })
    expect(next?.createdMs).toBeGreaterThan(left?.endsMs ?? Infinity)
    expect(await story.kinds()).toEqual(expect.arrayContaining(['refused', 'stopped', 'launched', 'up']))
  })
})

describe('a provider that takes a gang as a whole', () => {
  test('is called once for all of it', async () => {
    const story = new Story()
    const batch = story.cloud('batch', { can: { groups: true, multiNode: true } })
    story.controller('one')
    await story.apply(GANG)
    await story.pass(30)
    expect(count(batch, 'launch')).toBe(1)
    expect(await story.standing()).toEqual([
      'demo/0.0 running batch',
      'demo/0.1 running batch',
      'demo/0.2 running batch',
    ])
  })

  test('starts nothing without room for all, and the gang goes elsewhere', async () => {
    const story = new Story()
    const small = story.cloud('small', { quota: 2, can: { groups: true, multiNode: true } })
    story.cloud('large', { factor: 2, can: { groups: true, multiNode: true } })
    small.next.set('offers', ['failing'])
    story.controller('one')
    await story.apply(GANG)
    await story.pass(60)
    expect([...small.cloud.instances()]).toEqual([])
    expect(await story.standing()).toEqual([0, 1, 2].map((rank) => `demo/0.${rank} running large`))
  })

  test.each([true, false])('is not believed about half a gang, tokens: %s', async (tokens) => {
    const story = new Story()
    const batch = story.cloud('batch', { tokens, can: { groups: true, multiNode: true } })
    batch.next.set('launch', ['leaving', 'leaving', 'leaving'])
    story.controller('one')
    await story.apply(GANG)
    for (let minute = 0; minute < 20; minute++) {
      await story.pass(60)
      const slots = story.billed().map(({ tag }) => tag.slot)
      expect(new Set(slots).size).toBe(slots.length)
    }
    expect(await story.standing()).toEqual([0, 1, 2].map((rank) => `demo/0.${rank} running batch`))
  })
})

describe('a provider that sends hints', () => {
  const FAR = { pollMs: 600_000, watch: true }

  test('is listed soon after one, and believed by its list alone', async () => {
    const story = new Story()
    const batch = story.cloud('batch', { can: FAR })
    story.controller('one')
    await story.apply(SERVICE)
    await story.pass(30)
    expect(await story.placement()).toMatchObject({ phase: 'running' })
    const lists = count(batch, 'list')
    // Somebody else stops it: Berth did not ask, and hears of it by the hint.
    void story.provider('batch').stop({ tag: TAG, instance: story.billed()[0]?.id }, CALL)
    await story.pass(10)
    expect(count(batch, 'list')).toBeGreaterThan(lists)
    expect(await story.placement()).toMatchObject({ order: { tag: { epoch: 2 } } })
  })

  test('is listed once a second and ten times more, however many come', async () => {
    const story = new Story()
    const batch = story.cloud('batch', { can: FAR })
    story.controller('one')
    await story.apply(SERVICE)
    await story.pass(30)
    const lists = count(batch, 'list')
    for (let half = 0; half < 120; half++) {
      void story.provider('batch').stop({ tag: TAG, instance: story.billed()[0]?.id }, CALL)
      await story.pass(0.5)
    }
    const more = count(batch, 'list') - lists
    expect(more).toBeGreaterThan(5)
    expect(more).toBeLessThanOrEqual(72)
  })
})

const TAG = { owner: 'o', project: 'p', workload: 'w', uid: 'u', slot: '0', epoch: 1, attempt: 'none' }
const CALL = { signal: new AbortController().signal, requestId: 'r' }
