import { expect, test } from 'vitest'
import { Pressure } from './pressure.ts'
import { Story } from './story.suite.ts'

test('a load is heavy from four callers who wait on, until one of them is answered', () => {
  const pressure = new Pressure()
  const [first] = [pressure.enter(), pressure.enter(), pressure.enter()]
  expect(pressure.isLarge).toBe(false)
  pressure.enter()
  expect(pressure.isLarge).toBe(true)
  first?.()
  expect(pressure.isLarge).toBe(false)
})

test('who is answered twice leaves once', () => {
  const pressure = new Pressure()
  const leave = pressure.enter()
  for (let more = 0; more < 4; more++) pressure.enter()
  leave()
  leave()
  expect(pressure.isLarge).toBe(true)
})

/** When a provider was asked for a machine, after so many were waiting for an answer all the while. */
async function launchedMs(waiting: number): Promise<number> {
  const story = new Story()
  story.pressure = new Pressure()
  for (let count = 0; count < waiting; count++) story.pressure.enter()
  const north = story.cloud('north')
  story.controller('one')
  await story.pass(3)
  await story.apply('berth: v1\nname: demo\nimage: acme/app:1\nkind: service\nresources: { gpu: { count: 1 } }\n')
  await story.pass(6)
  expect(await story.standing()).toEqual(['demo/0 running north'])
  return north.asked.find(({ ask }) => ask === 'launch')?.atMs ?? 0
}

test('while many wait for an answer placing takes its time, and goes on', async () => {
  const [alone, busy] = [await launchedMs(3), await launchedMs(1000)]
  expect(busy - alone).toBeGreaterThanOrEqual(12)
  expect(busy - alone).toBeLessThan(1000)
})
