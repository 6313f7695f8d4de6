import { expect, test } from 'vitest'
import type { StepContext } from './step/state.ts'
import { hinted } from './step/watch.ts'
import { Story } from './story.suite.ts'

const SERVICE = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\n'

test('a provider that is dropped for a moment and comes back is listed again', async () => {
  const story = new Story()
  const north = story.cloud('north')
  story.controller('one')
  await story.apply(SERVICE)
  await story.pass(30)
  const provider = story.provider('north')
  story.drop('north')
  // Long enough for the next list to be left out, and not for the next look at its offers.
  await story.pass(25)
  story.state('north', 'open', provider)
  await story.pass(10)
  const before = north.asked.filter(({ ask }) => ask === 'list').length
  await story.pass(60)
  expect(north.asked.filter(({ ask }) => ask === 'list').length).toBeGreaterThan(before)
})

test('a launch that was noted, not begun and not answered is said again until it is begun', async () => {
  const story = new Story()
  const north = story.cloud('north', { tokens: true })
  const before = story.controller('one')
  // The leader dies while it launches; the next one sees the list before it gets to the slot.
  north.next.set('launch', ['noted'])
  await story.apply(SERVICE)
  await story.pass(0.1)
  before.process.kill()
  story.controller('two')
  await story.pass(120)
  expect((await story.placement())?.phase).toBe('running')
  expect(story.billed()).toHaveLength(1)
})

test('what a list showed of a slot that was being written is soon listed again, though no other hint comes', async () => {
  const story = new Story()
  story.cloud('batch', { can: { pollMs: 600_000, watch: true }, startMs: [100, 100] })
  story.between = (store) => ({
    ...store,
    commit: async (commit) => {
      await story.loop.sleep(2500)
      return store.commit(commit)
    },
  })
  story.controller('one')
  await story.pass(30)
  await story.apply(SERVICE)
  await story.pass(12)
  expect(await story.placement()).toMatchObject({ phase: 'running' })
})

test.each([
  ['a second after the last read, where that was quick', { tookMs: 100, atMs: 10_200 }, 11_000],
  ['at once, where the last read is long ago', { tookMs: 100, atMs: 15_000 }, 15_000],
  ['after as long a rest, where reading takes long', { tookMs: 4000, atMs: 14_500 }, 18_000],
])('a hint makes a provider read %s', (_, { tookMs, atMs }, dueMs) => {
  const reading = { call: undefined, askedMs: 10_000, tookMs, dueMs: 60_000, isHinted: false, paidMs: 0 }
  const state = { readings: new Map([['north', { list: { ...reading }, offers: reading }]]) }
  // Nothing else is looked at.
  hinted({ state, nowMs: atMs } as unknown as StepContext, 'north', 'offers')
  expect(reading.dueMs).toBe(dueMs)
})

test('ten lists may follow each other at once, and from then on one a second', () => {
  const reading = { call: undefined, askedMs: 0, tookMs: 5, dueMs: 0, isHinted: false, paidMs: 0 }
  const state = { readings: new Map([['north', { list: reading, offers: { ...reading } }]]) }
  const read: number[] = []
  for (let nowMs = 10_000; nowMs < 30_000; nowMs += 10) {
    if (reading.dueMs <= nowMs) {
      if (reading.askedMs > 0) read.push(nowMs)
      Object.assign(reading, { askedMs: nowMs, dueMs: 60_000 })
    }
    // Nothing else is looked at.
    hinted({ state, nowMs } as unknown as StepContext, 'north', 'instances')
  }
  expect(read.slice(0, 4)).toEqual([10_100, 10_200, 10_300, 10_400])
  expect(read.filter((ms) => ms >= 12_000)).toHaveLength(18)
})
