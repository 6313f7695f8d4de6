import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EventHeap } from './heap.suite.ts'
import { Loop, START_MS } from './loop.suite.ts'
import { Process } from './process.suite.ts'

const never = (): boolean => false

test('what will happen comes out by time, and by tie within a moment', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.double({ noNaN: true }))), (times) => {
      const heap = new EventHeap()
      for (const [atMs, tie] of times) heap.push({ atMs, tie, run: undefined })
      const out = Array.from(times, () => heap.pop())
      const sorted = out.toSorted(
        (one, two) => (one?.atMs ?? 0) - (two?.atMs ?? 0) || (one?.tie ?? 0) - (two?.tie ?? 0),
      )
      expect(out.map((each) => [each?.atMs, each?.tie])).toEqual(sorted.map((each) => [each?.atMs, each?.tie]))
      expect(heap.size).toBe(0)
    }),
  )
})

test('nothing else happens until everything that follows from an event is over', async () => {
  const loop = new Loop(1)
  const seen: string[] = []
  const chain = async (): Promise<void> => {
    for (let step = 0; step < 5000; step++) await Promise.resolve()
    seen.push('the chain')
  }
  loop.after(1, () => {
    loop.awake()
    void chain()
  })
  loop.after(1, () => seen.push('the next'))
  loop.after(2, () => seen.push('the one after'))
  await loop.run(START_MS + 10, never)
  expect(seen.indexOf('the chain')).toBeLessThan(seen.indexOf('the one after'))
})

test('a process that was killed hears nothing more, and one that sleeps hears it when it wakes', async () => {
  const loop = new Loop(1)
  const heard: string[] = []
  const [dead, asleep] = ['dead', 'asleep'].map((name) => new Process(loop, { name, seed: 1, skewMs: 0 }))
  for (const process of [dead, asleep])
    void process?.timers.sleep(10).then(() => heard.push(`${process.name} ${loop.atMs}`))
  loop.after(5, () => {
    dead?.kill()
    asleep?.pause()
  })
  loop.after(50, () => asleep?.wake())
  await loop.run(START_MS + 100, never)
  expect(heard).toEqual(['asleep 50'])
})

test('a clock that jumps leaves the steady count alone', async () => {
  const loop = new Loop(1)
  const process = new Process(loop, { name: 'p', seed: 1, skewMs: 0 })
  loop.after(10, () => process.jump(60_000))
  await loop.run(START_MS + 20, never)
  expect(process.clock.tickMs()).toBe(20)
  expect(process.clock.nowMs()).toBe(START_MS + 60_020)
})
