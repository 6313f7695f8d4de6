import { readFile } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { PlaneTime } from './time.suite.ts'

const START_MS = 1_000_000

/** Work that takes so many turns of the event loop, as much work does on a busy machine. */
async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) await turn()
}

describe('time of a control plane in tests', () => {
  test.each([0, 1, 10, 1000])('an answer that takes %d turns to make takes no time', async (count) => {
    const time = new PlaneTime(START_MS)
    void time.process.timers.sleep(5)
    const done = time.hold()
    await turns(count)
    expect(time.nowMs()).toBe(START_MS)
    done()
  })

  test('nor does one that reads a file', async () => {
    const time = new PlaneTime(START_MS)
    void time.process.timers.sleep(5)
    const done = time.hold()
    await readFile(import.meta.filename)
    expect(time.nowMs()).toBe(START_MS)
    done()
  })

  test('an answer that waits for something later moves the clock to it, and no further', async () => {
    const time = new PlaneTime(START_MS)
    const done = time.hold()
    await time.process.timers.sleep(5)
    done()
    expect(time.nowMs()).toBe(START_MS + 5)
  })

  test.each([1, 10, 1000])('who sleeps does not pass over what takes %d turns at one moment', async (count) => {
    const time = new PlaneTime(START_MS)
    const seen: number[] = []
    void time.process.timers.sleep(5).then(async () => {
      await turns(count)
      seen.push(time.nowMs())
      await time.process.timers.sleep(2)
      seen.push(time.nowMs())
    })
    await time.sleep(100)
    expect(seen).toEqual([START_MS + 5, START_MS + 7])
    expect(time.nowMs()).toBe(START_MS + 100)
  })

  test.each([1, 10, 1000])('it is settled after everything that happens now, even over %d turns', async (count) => {
    const time = new PlaneTime(START_MS)
    let isDone = false
    void turns(count)
      .then(() => time.process.timers.sleep(0))
      .then(() => turns(count))
      .then(() => (isDone = true))
    void time.process.timers.sleep(1)
    await time.settled()
    expect([isDone, time.nowMs()]).toEqual([true, START_MS])
  })

  test('two clocks of a thread do not wait for each other', async () => {
    const [one, two] = [new PlaneTime(START_MS), new PlaneTime(START_MS)]
    const ends = [one.hold(), two.hold()]
    await Promise.all([one.sleep(5), two.sleep(7)])
    await one.settled()
    expect(one.nowMs()).toBe(START_MS + 5)
    for (const end of ends) end()
  })
})
