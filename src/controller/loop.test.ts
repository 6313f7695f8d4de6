import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Loop, START_MS } from './loop.suite.ts'
import { Process } from './process.suite.ts'

const never = (): boolean => false

test('what will happen comes by its time, in whatever order it was asked for', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20 })), async (times) => {
      const loop = new Loop(1)
      const seen: number[] = []
      for (const ms of times) loop.after(ms, () => seen.push(ms))
      await loop.run(START_MS + 20, never)
      expect(seen).toEqual(times.toSorted((one, two) => one - two))
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
