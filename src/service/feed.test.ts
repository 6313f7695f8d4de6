import { expect, test } from 'vitest'
import type { NewEvent } from '../core/event/event.ts'
import { EventFeed } from './feed.ts'
import { service } from './platform.suite.ts'

const NEVER = new AbortController().signal

function eventOf(name: string): NewEvent {
  return { atMs: 1, project: 'a', subject: `workload/${name}`, kind: 'healthy', facts: { slot: '0', epoch: 1 } }
}

/** A feed whose looks take no time. */
function feed() {
  const { store } = service()
  const timers = { sleep: () => new Promise<void>((resolve) => setImmediate(resolve)) }
  const happen = (count: number) =>
    store.commit({ writes: [], events: Array.from({ length: count }, (_, at) => eventOf(`w-${at}`)) })
  return { feed: new EventFeed({ store, timers }), store, happen }
}

test('a reader waits until there is something after its position', async () => {
  const { feed: one, happen } = feed()
  await happen(3)
  const position = await one.position()
  expect(one.after(position)?.entries).toEqual([])
  const waiting = one.more(position, NEVER)
  await happen(1)
  await waiting
  expect(one.after(position)?.entries).toHaveLength(1)
})

test('a reader that falls behind is sent to the store, and no queue grows for it', async () => {
  const { feed: one, happen } = feed()
  const slow = await one.position()
  let position = slow
  for (let round = 0; round < 6; round++) {
    const waiting = one.more(position, NEVER)
    await happen(500)
    await waiting
    position = one.after(position)?.seq ?? position
  }
  expect(one.after(slow)).toBeUndefined()
  expect(one.after(position)?.entries).toEqual([])
})

test('a reader that gives up no longer waits', async () => {
  const { feed: one } = feed()
  const stop = new AbortController()
  const waiting = one.more(await one.position(), stop.signal)
  stop.abort()
  await waiting
})

test('a store that cannot be read is told to those who wait, and they may wait again', async () => {
  const { store } = service()
  let isBroken = true
  const broken = {
    ...store,
    events: async (query: Parameters<typeof store.events>[0]) => {
      if (isBroken) throw new Error('the disk is gone')
      return store.events(query)
    },
  }
  const one = new EventFeed({ store: broken, timers: { sleep: () => new Promise((resolve) => setImmediate(resolve)) } })
  const position = await one.position()
  await expect(one.more(position, NEVER)).rejects.toThrow('the disk is gone')
  isBroken = false
  const again = one.more(position, NEVER)
  await store.commit({ writes: [], events: [eventOf('a')] })
  await again
})
