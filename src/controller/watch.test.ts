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

test.each([
  ['a second after the last read, where that was quick', { tookMs: 100, atMs: 10_200 }, 11_000],
  ['at once, where the last read is long ago', { tookMs: 100, atMs: 15_000 }, 15_000],
  ['after as long a rest, where reading takes long', { tookMs: 4000, atMs: 14_500 }, 18_000],
])('a hint makes a provider read %s', (_, { tookMs, atMs }, dueMs) => {
  const reading = { call: undefined, askedMs: 10_000, tookMs, dueMs: 60_000, isHinted: false }
  const state = { readings: new Map([['north', { list: { ...reading }, offers: reading }]]) }
  // Nothing else is looked at.
  hinted({ state, nowMs: atMs } as unknown as StepContext, 'north', 'offers')
  expect(reading.dueMs).toBe(dueMs)
})
