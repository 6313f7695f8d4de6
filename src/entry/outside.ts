import type { Random } from '../ports/random.ts'
import type { Timers } from '../ports/timers.ts'

/** Timers of this process. */
export const TIMERS: Timers = {
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve()
      const done = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      // Waits longer than a timer can hold end early; the caller checks the time again.
      const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1))
      signal?.addEventListener('abort', done, { once: true })
    }),
}

let lastMs = 0
let inThisMs = 0
/** A stock of random hexadecimal digits, because asking the system for a few at a time is slow. */
let unguessed = ''

function unguessable(digits: number): string {
  const { randomBytes } = process.getBuiltinModule('node:crypto')
  if (unguessed.length < digits) unguessed = randomBytes(1536).toString('hex')
  const taken = unguessed.slice(0, digits)
  unguessed = unguessed.slice(digits)
  return taken
}

/** Ids sort by the time they are made and, within a millisecond, by number; the rest is unguessable. */
export const RANDOM: Random = {
  next: () => Math.random(),
  id: () => {
    const nowMs = Math.max(Date.now(), lastMs)
    inThisMs = nowMs === lastMs ? inThisMs + 1 : 0
    lastMs = nowMs
    return `${nowMs.toString(36).padStart(9, '0')}${inThisMs.toString(36).padStart(4, '0')}${unguessable(12)}`
  },
}
