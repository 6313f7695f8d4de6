import { describe, expect, test } from 'vitest'
import { Story } from './story.suite.ts'

const HEAD = 'berth: v1\nname: demo\nimage: acme/app:1\nresources: { gpu: { count: 1 } }\n'
const SERVICE = `${HEAD}kind: service\n`
const DAY_MS = 24 * 3_600_000
const JUMPS = [-DAY_MS, 40 * DAY_MS, -400 * DAY_MS, DAY_MS]

/** A control plane whose clock is wrong from its start. */
function plane(story: Story, name: string, aheadMs: number) {
  const made = story.controller(name)
  made.process.jump(aheadMs)
  return made
}

describe.each(JUMPS)('a clock that is %i ms off for the next leader', (aheadMs) => {
  test('holds up no stop that is to be repeated', async () => {
    const story = new Story()
    const north = story.cloud('north')
    const first = plane(story, 'one', -aheadMs)
    const workload = await story.apply(SERVICE)
    await story.pass(10)
    north.next.set('stop', ['unreachable', 'failing', 'garbled', 'unreachable'])
    await story.apply(SERVICE, { ...workload, want: 'removed', generation: 2 })
    await story.pass(8)
    expect(await story.placement()).toMatchObject({ phase: 'stopping' })
    first.process.kill()
    plane(story, 'second', 0)
    await story.pass(60)
    expect([story.billed(), await story.store.get('workload', 'default/demo')]).toEqual([[], undefined])
  })

  test('holds up no replica that failed, and no offer that was refused', async () => {
    const story = new Story()
    const north = story.cloud('north', { units: 5 })
    const first = plane(story, 'one', -aheadMs)
    await story.apply(`${SERVICE}env: { SIM_SECONDS: "5", SIM_EXIT: "1,1,1,1,1,1,1,1" }\n`, { name: 'loop' })
    await story.pass(20)
    const epoch = (await story.placement('0', 'loop'))?.order.tag.epoch ?? 0
    north.cloud.setCapacity('north/r1/small', 0)
    await story.apply(SERVICE)
    await story.pass(20)
    first.process.kill()
    north.cloud.setCapacity('north/r1/small', 5)
    plane(story, 'second', 0)
    await story.pass(60)
    expect((await story.placement())?.phase).toBe('running')
    expect((await story.placement('0', 'loop'))?.order.tag.epoch).toBeGreaterThan(epoch)
  })

  test('ends no job before its time', async () => {
    const story = new Story()
    story.cloud('north')
    const first = plane(story, 'one', -aheadMs)
    await story.apply(`${HEAD}kind: job\nmax_duration: 30m\nenv: { SIM_SECONDS: "600" }\n`)
    await story.pass(300)
    first.process.kill()
    plane(story, 'second', 0)
    await story.pass(330)
    expect(await story.status()).toMatchObject({ end: { state: 'done' } })
  })
})

describe.each(JUMPS)('a clock that is set by %i ms under a leader', (aheadMs) => {
  test('makes it read everything again, and go on', async () => {
    const story = new Story()
    story.cloud('north')
    const { process, controller } = story.controller('one')
    await story.apply(SERVICE)
    await story.pass(10)
    const before = story.billed().map(({ id }) => id)
    process.jump(aheadMs)
    await story.apply(SERVICE, { name: 'later' })
    await story.pass(20)
    expect(controller.leading).toBe(2)
    expect(story.logs).toContain('no longer leading')
    expect(await story.standing()).toEqual(['demo/0 running north', 'later/0 running north'])
    expect(story.billed().map(({ id }) => id)).toEqual(expect.arrayContaining(before))
  })
})

test('refusals that have run out are deleted, from the store too', async () => {
  const story = new Story()
  const cheap = story.cloud('cheap', { factor: 0.5, units: 5 })
  story.cloud('dear')
  story.controller('one')
  await story.pass(3)
  cheap.cloud.setCapacity('cheap/r1/small', 0)
  await story.apply(SERVICE)
  await story.pass(10)
  expect(await story.store.list('refusal', { limit: 10 })).toHaveLength(1)
  await story.pass(700)
  expect(await story.store.list('refusal', { limit: 10 })).toEqual([])
})

test.each([
  ['nothing leads while it runs out, and the next leader begins', { wait: 1200, follower: 'late' }],
  ['a follower takes the lead before it runs out', { wait: 0, follower: 'early' }],
] as const)('a refusal of a leader that died leaves the store, too: %s', async (_, { wait, follower }) => {
  const story = new Story()
  const cheap = story.cloud('cheap', { factor: 0.5, units: 5 })
  story.cloud('dear')
  const first = story.controller('one')
  if (follower === 'early') story.controller('two')
  await story.pass(3)
  cheap.cloud.setCapacity('cheap/r1/small', 0)
  await story.apply(SERVICE)
  await story.pass(10)
  first.process.kill()
  await story.pass(wait)
  expect(await story.store.list('refusal', { limit: 10 })).toHaveLength(1)
  if (follower === 'late') story.controller('two')
  // What ran out while nothing led goes at once; the rest within the five minutes after which it is looked for again.
  await story.pass(follower === 'late' ? 30 : 700)
  expect(await story.store.list('refusal', { limit: 10 })).toEqual([])
})

test('a workload with more slots than it may have is set aside when it is read, delays no other, and can be removed', async () => {
  const story = new Story()
  story.cloud('north')
  const poison = await story.apply(SERVICE, { name: 'poison', scale: { '': 10_000_000 } })
  await story.apply(SERVICE)
  const { controller } = story.controller('one')
  await story.pass(10)
  expect([controller.leading, (await story.placement())?.phase]).toEqual([1, 'running'])
  expect((await story.status('poison'))?.setAside).toBe(
    'it asks for 10000000 slots, and a workload may have at most 10000',
  )
  await story.apply(SERVICE, { ...poison, want: 'removed', generation: 2 })
  await story.pass(5)
  expect(await story.store.get('workload', 'default/poison')).toBeUndefined()
})
