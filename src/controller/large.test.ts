import { describe, expect, test } from 'vitest'
import { sized } from '../core/base/laws.suite.ts'
import { count, Story } from './story.suite.ts'

/** How large, where the size is all that matters. */
const LARGE = sized({ quick: 200, whole: 500 })

function service(replicas: number): string {
  return `berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\nkind: service\nreplicas: ${replicas}\n`
}

describe('a large workload at a slow provider', () => {
  test('is not launched any further once it was removed, and delays no other workload', async () => {
    const story = new Story()
    const north = story.cloud('north', { can: { callsPerSecond: 20, burst: 20 } })
    story.controller('one')
    await story.apply(service(400))
    await story.pass(2)
    await story.apply(service(1), { name: 'small', project: 'other' })
    await story.pass(5)
    expect((await story.store.get('placement', 'other/small/0'))?.body.phase).toBe('running')
    const launched = count(north, 'launch')
    expect(launched).toBeGreaterThan(50)
    await story.apply(service(400), { want: 'removed', generation: 2 })
    await story.pass(60)
    expect(count(north, 'launch') - launched).toBeLessThan(30)
    expect(story.billed()).toHaveLength(1)
    expect(await story.store.get('workload', 'default/demo')).toBeUndefined()
  })

  test('is not launched any further when it was made smaller', async () => {
    const story = new Story()
    const north = story.cloud('north', { can: { callsPerSecond: 20, burst: 20 } })
    story.controller('one')
    await story.apply(service(400))
    await story.pass(6)
    await story.apply(service(10), { generation: 2 })
    await story.pass(60)
    expect(count(north, 'launch')).toBeLessThan(170)
    expect(story.billed()).toHaveLength(10)
  })
})

test('a large workload comes up and goes without a commit for each answer', async () => {
  const story = new Story()
  story.between = (store) => ({
    ...store,
    commit: async (commit) => {
      await story.loop.sleep(20)
      return store.commit(commit)
    },
  })
  story.cloud('north', { can: { callsPerSecond: 5000, burst: 1000 } })
  story.controller('one')
  await story.apply(service(LARGE))
  await story.pass(10)
  expect((await story.standing()).filter((text) => text.includes(' running '))).toHaveLength(LARGE)
  await story.apply(service(LARGE), { want: 'removed', generation: 2 })
  await story.pass(10)
  expect(story.billed()).toHaveLength(0)
})

test('lists that lack many launches without an answer prove all of them absent at once', async () => {
  const story = new Story()
  const north = story.cloud('north', { can: { callsPerSecond: 1000, burst: 1000 } })
  story.controller('one')
  north.next.set(
    'launch',
    Array.from({ length: 60 }, () => 'silent' as const),
  )
  await story.apply(service(60))
  await story.pass(300)
  expect((await story.standing()).filter((text) => text.includes(' running '))).toHaveLength(60)
  expect(story.billed()).toHaveLength(60)
})
