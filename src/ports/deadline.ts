import { ENOUGH, type Timers } from './timers.ts'

/** The result of a deadline that passed. */
export const LATE = Symbol('late')

/** How long to wait. */
export interface Deadline {
  readonly timers: Timers
  readonly ms: number
  /** An abort counts as late. */
  readonly signal?: AbortSignal
}

/**
 * The answer, or LATE. Either way, no timer and no listener is left behind. Late work goes on by itself and its failure is
 * ignored: a caller that can stop it should do so. A failure in time rejects.
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

/** The answer, or LATE once the signal is aborted. No listener is left behind, however long the signal lives. */
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

/** The answer of some work, which is not begun after the signal is aborted. Then it rejects with the signal's reason. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (signal === undefined) return work()
  signal.throwIfAborted()
  const answer = await unless(signal, work())
  if (answer === LATE) throw signal.reason
  return answer
}
