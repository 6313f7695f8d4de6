import { ENOUGH, type Timers } from './timers.ts'

/** What a deadline gives when nothing came in time. */
export const LATE = Symbol('late')

/** How long something is waited for. */
export interface Deadline {
  readonly timers: Timers
  readonly ms: number
  /** Its end counts as late. */
  readonly signal?: AbortSignal
}

/**
 * What is waited for, or LATE. Either way no timer and no listener is left behind. What is late goes on by itself, and its
 * failure is nobody's: a caller that can stop it does so. What fails in time rejects.
 */
export async function within<T>({ timers, ms, signal }: Deadline, answer: Promise<T>): Promise<T | typeof LATE> {
  const over = new AbortController()
  const end = (): void => over.abort(ENOUGH)
  if (signal?.aborted === true) end()
  signal?.addEventListener('abort', end, { once: true })
  const late = timers.sleep(ms, over.signal).then((): typeof LATE => LATE)
  try {
    return await Promise.race([answer, late])
  } finally {
    signal?.removeEventListener('abort', end)
    end()
  }
}

/** What is waited for, or LATE once the signal is aborted. No listener is left behind, however long the signal lives. */
export async function unless<T>(signal: AbortSignal, answer: Promise<T>): Promise<T | typeof LATE> {
  const { promise: over, resolve } = Promise.withResolvers<typeof LATE>()
  const end = (): void => resolve(LATE)
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([answer, over])
  } finally {
    signal.removeEventListener('abort', end)
  }
}
