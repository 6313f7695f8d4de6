import { describe, expect, test } from 'vitest'
import { afterLaunch, NEW_WINDOW, type LaunchEnd, type LaunchWindow } from './launch-window.ts'

const DEADLINE_MS = 30_000

/** A launch that took so long and ended at this moment, while the window was full. */
function ended(nowMs: number, tookMs: number, change: Partial<LaunchEnd> = {}): LaunchEnd {
  return { sentMs: nowMs - tookMs, nowMs, how: 'launched', underWay: 1e6, deadlineMs: DEADLINE_MS, ...change }
}

function after(ends: readonly LaunchEnd[], from: LaunchWindow = NEW_WINDOW): LaunchWindow {
  return ends.reduce(afterLaunch, from)
}

describe('the window of launches', () => {
  test('shrinks when an answer is late, and only once for all that were sent before', () => {
    const usual = after([ended(900, 100)])
    const one = after([ended(5000, 4000)], usual)
    expect(one.size).toBeLessThan(usual.size)
    expect(after([ended(5001, 4000), ended(8900, 4000)], one).size).toBe(one.size)
    expect(after([ended(9001, 4000)], one).size).toBeLessThan(one.size)
  })

  test('shrinks when there is trouble, however soon', () => {
    expect(after([ended(5, 5, { how: 'trouble' })]).size).toBeLessThan(NEW_WINDOW.size)
  })

  test('grows while it is full and answers come in time, and not while it is not full', () => {
    expect(after([ended(100, 100)]).size).toBeGreaterThan(NEW_WINDOW.size)
    expect(after([ended(100, 100, { underWay: 10 })]).size).toBe(NEW_WINDOW.size)
    expect(after([ended(100, 100, { how: 'refused' })]).size).toBeGreaterThan(NEW_WINDOW.size)
  })

  test('stays as it is for a provider that takes its time over every launch', () => {
    const window = after(Array.from({ length: 50 }, (_, count) => ended(count * 10_000, 20_000 + count)))
    expect(window.size).toBe(NEW_WINDOW.size)
  })

  test('does not take a quick refusal for a sign of how long a launch takes', () => {
    const slow = ended(20_000, 12_000)
    const quick = ended(8000, 10)
    expect(after([{ ...quick, how: 'refused', underWay: 1 }, slow]).size).toBe(NEW_WINDOW.size)
    expect(after([{ ...quick, underWay: 1 }, slow]).size).toBeLessThan(NEW_WINDOW.size)
  })

  test('lets a few through in the worst case, and is bounded in the best', () => {
    const worst = after(Array.from({ length: 100 }, (_, count) => ended(count * 40_000, 30_000, { how: 'trouble' })))
    const best = after(Array.from({ length: 10_000 }, (_, count) => ended(count, 1)))
    expect([worst.size, best.size]).toEqual([4, 512])
  })
})
