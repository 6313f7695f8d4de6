import { expect, test } from 'vitest'
import { Breaker } from './breaker.ts'

test('is down after three faults in a row, and up after one answer', () => {
  const breaker = new Breaker()
  breaker.failed(0, () => 1)
  breaker.failed(0, () => 1)
  breaker.answered()
  breaker.failed(0, () => 1)
  breaker.failed(0, () => 1)
  expect([breaker.isDown, breaker.pauseMs(0)]).toEqual([false, 0])
  breaker.failed(0, () => 1)
  expect([breaker.isDown, breaker.pauseMs(0)]).toEqual([true, 1000])
  breaker.answered()
  expect(breaker.isDown).toBe(false)
})

test('is down after two faults that took long', () => {
  const breaker = new Breaker()
  breaker.failed(30_000, () => 1, 30_000)
  expect(breaker.isDown).toBe(false)
  breaker.failed(62_000, () => 1, 30_000)
  expect(breaker.isDown).toBe(true)
})

test('pauses twice as long after each further fault, up to half a minute', () => {
  const breaker = new Breaker()
  const pauses = Array.from({ length: 9 }, (_, turn) => {
    breaker.failed(turn * 100_000, () => 1)
    return breaker.pauseMs(turn * 100_000)
  })
  expect(pauses).toEqual([0, 0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
})

test('one call at a time feels whether it is back', () => {
  const breaker = new Breaker()
  expect([breaker.enter(), breaker.isProbing]).toEqual(['free', false])
  for (const atMs of [1, 2, 3]) breaker.failed(atMs, () => 0)
  const way = breaker.enter()
  expect([way, breaker.isProbing]).toEqual(['probe', true])
  breaker.leave('free')
  expect(breaker.isProbing).toBe(true)
  breaker.leave(way)
  expect(breaker.isProbing).toBe(false)
})

test('who asks to be left alone is, and is not down; a shorter wish ends no longer pause', () => {
  const breaker = new Breaker()
  breaker.rest(5000)
  breaker.rest(2000)
  expect([breaker.isDown, breaker.pauseMs(1000), breaker.pauseMs(6000)]).toEqual([false, 4000, 0])
})
