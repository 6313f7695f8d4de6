import { describe, expect, test } from 'vitest'
import { Story, count } from './story.suite.ts'
import { Waiters } from './waiters.ts'

const SERVICE = 'berth: v1\nname: demo\nimage: acme/app:1\nkind: service\nresources: { gpu: { count: 1 } }\n'

/** A story with one leader and one cloud that has one machine. */
function begin() {
  const story = new Story()
  const north = story.cloud('north', { units: 1 })
  story.controller('one')
  return { story, north }
}

describe('where there is room for one', () => {
  test('a workload that waits for room has it soon after something ends there', async () => {
    const { story, north } = begin()
    await story.apply(SERVICE)
    await story.pass(6)
    await story.apply(SERVICE.replace('demo', 'next'), { name: 'next' })
    await story.pass(10)
    expect(await story.standing()).toEqual(['demo/0 running north'])
    const endedMs = story.loop.atMs
    await story.apply(SERVICE, { want: 'stopped', generation: 2 })
    await story.pass(20)
    const launches = north.asked.filter(({ ask }) => ask === 'launch')
    expect((launches[1]?.atMs ?? Infinity) - endedMs).toBeLessThan(5000)
    expect(await story.standing()).toContain('next/0 running north')
  })

  test('a workload that came first has the room first, when there is some', async () => {
    const { story, north } = begin()
    await story.apply(SERVICE)
    await story.pass(6)
    for (const [uid, name] of [
      ['uid-f', 'zoe'],
      ['uid-g', 'ann'],
      ['uid-h', 'max'],
    ] as const) {
      await story.apply(SERVICE.replace('demo', name), { name, uid })
      await story.pass(40)
    }
    await story.apply(SERVICE, { want: 'stopped', generation: 2 })
    await story.pass(20)
    expect(story.billed().map(({ tag }) => tag.workload)).toEqual(['zoe'])
    await story.apply(SERVICE.replace('demo', 'zoe'), { name: 'zoe', uid: 'uid-f', want: 'stopped', generation: 2 })
    await story.pass(20)
    expect(story.billed().map(({ tag }) => tag.workload)).toEqual(['ann'])
    expect(count(north, 'launch')).toBe(3)
  })
})

describe('those who wait', () => {
  const uids: Readonly<Record<string, string>> = { c: '1', a: '2', b: '3' }
  const uidOf = (key: string): string => uids[key] ?? ''
  const waiting = (): Waiters => {
    const waiters = new Waiters()
    for (const [at, key] of ['b', 'c', 'a'].entries()) waiters.wait(key, { nowMs: at, waitMs: 10 })
    return waiters
  }

  test('look together, when the first of them would', () => {
    const waiters = waiting()
    expect(['b', 'c', 'a'].map((key) => waiters.untilMs(key))).toEqual([10, 10, 10])
    expect(waiters.nextMs).toBe(10)
    waiters.wait('d', { nowMs: 3, waitMs: 2 })
    expect(waiters.nextMs).toBe(5)
  })

  test('are taken by age, so many at a time, and wait no more', () => {
    const waiters = waiting()
    expect(waiters.take(2, uidOf)).toEqual(['c', 'a'])
    expect([waiters.untilMs('a'), waiters.untilMs('b'), waiters.isAny]).toEqual([0, 10, true])
    waiters.leave('b')
    expect(waiters.isAny).toBe(false)
  })

  test('are not overtaken by what comes while they look', () => {
    const waiters = waiting()
    expect(waiters.mayLook('new')).toBe(true)
    waiters.take(2, uidOf)
    expect(['new', 'c', 'b', 'a'].map((key) => waiters.mayLook(key))).toEqual([false, true, false, true])
    expect([waiters.looked('c'), waiters.looked('x'), waiters.looked('a')]).toEqual([[], [], ['new', 'b']])
    expect(waiters.mayLook('new')).toBe(true)
  })
})
