import { describe, expect, test } from 'vitest'
import { LATE, unless, within } from './deadline.ts'
import type { Timers } from './timers.ts'

describe('a deadline', () => {
  test('gives what comes in time, and leaves no timer behind', async () => {
    const clock = new HandClock()
    const answer = within({ timers: clock, ms: 100 }, Promise.resolve('here'))
    expect(await answer).toBe('here')
    expect(clock.waiting).toBe(0)
  })

  test('is late when nothing comes, and then hears no more of it', async () => {
    const clock = new HandClock()
    const { promise, reject } = Promise.withResolvers<string>()
    const answer = within({ timers: clock, ms: 100 }, promise)
    clock.ring()
    expect(await answer).toBe(LATE)
    // Were it heard of, the test runner would call it an unhandled rejection.
    reject(new Error('much later'))
  })

  test('rejects with what fails in time, and leaves no timer behind', async () => {
    const clock = new HandClock()
    await expect(within({ timers: clock, ms: 100 }, Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(clock.waiting).toBe(0)
  })

  test.each(['before', 'meanwhile'] as const)(
    'is late when its signal ended %s, and does not listen on',
    async (when) => {
      const clock = new HandClock()
      const stop = new AbortController()
      const heard = countListeners(stop.signal)
      if (when === 'before') stop.abort()
      const answer = within({ timers: clock, ms: 100, signal: stop.signal }, new Promise(() => undefined))
      if (when === 'meanwhile') stop.abort()
      expect(await answer).toBe(LATE)
      expect([heard(), clock.waiting]).toEqual([0, 0])
    },
  )

  test('does not listen to a signal after an answer', async () => {
    const stop = new AbortController()
    const heard = countListeners(stop.signal)
    await within({ timers: new HandClock(), ms: 100, signal: stop.signal }, Promise.resolve(1))
    expect(heard()).toBe(0)
  })
})

describe('a wait that a signal ends', () => {
  test('gives what comes before, and does not listen on', async () => {
    const stop = new AbortController()
    const heard = countListeners(stop.signal)
    expect(await unless(stop.signal, Promise.resolve('here'))).toBe('here')
    await expect(unless(stop.signal, Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(heard()).toBe(0)
  })

  test.each(['before', 'meanwhile'] as const)('is late when the signal ended %s', async (when) => {
    const stop = new AbortController()
    if (when === 'before') stop.abort()
    const answer = unless(stop.signal, new Promise(() => undefined))
    stop.abort()
    expect(await answer).toBe(LATE)
  })
})

/** Waits that end by hand. */
class HandClock implements Timers {
  readonly #waits = new Set<() => void>()

  get waiting(): number {
    return this.#waits.size
  }

  readonly sleep = (_: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve()
      const done = (): void => {
        this.#waits.delete(done)
        resolve()
      }
      this.#waits.add(done)
      signal?.addEventListener('abort', done, { once: true })
    })

  ring(): void {
    for (const done of this.#waits) done()
  }
}

/** Listeners that were added and not removed. */
function countListeners(signal: AbortSignal): () => number {
  const heard = new Set<unknown>()
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...given: Parameters<AbortSignal['addEventListener']>) => {
    heard.add(given[1])
    addEventListener.apply(signal, given)
  }
  signal.removeEventListener = (...given: Parameters<AbortSignal['removeEventListener']>) => {
    heard.delete(given[1])
    removeEventListener.apply(signal, given)
  }
  return () => heard.size
}
