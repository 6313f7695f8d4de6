import { nextTurn } from '../ports/turn.ts'

/** How long the statements of one turn may take together before other work gets its turn. */
const BUDGET_MS = 4
/** How long one piece of a long read may take. */
const PIECE_MS = 2

/** Shares the only thread between many short tasks. Work whose signal is aborted is not begun, or not continued. */
export interface Turns {
  /** Work that must not wait: it is done at once, and its time is charged to the work that waits. */
  readonly now: <T>(work: () => T) => T
  /** Short work, such as reading one row: done in this turn if there is time left, otherwise in the next. */
  readonly soon: <T>(work: () => T, signal?: AbortSignal) => Promise<T>
  /**
   * Work that may be long, piece by piece. A piece returns undefined while there is more, and should end when `isLong`
   * says so. Between two pieces other work gets a turn; readers get theirs in order of arrival.
   */
  readonly pieces: <T>(piece: (isLong: () => boolean) => T | undefined, signal?: AbortSignal) => Promise<T>
}

/**
 * Statements of SQLite block, and promises that resolve at once let no other work run: a loop over a million rows would be
 * one turn. Here a turn ends when its time is used up, however many tasks take part in it.
 */
export function makeTurns(nowMs: () => number = () => performance.now()): Turns {
  const short: (() => void)[] = []
  const long: (() => void)[] = []
  let usedMs = 0
  let isCounting = false

  const hasTime = (): boolean => usedMs < BUDGET_MS
  const count = async (): Promise<void> => {
    isCounting = true
    do {
      await nextTurn()
      usedMs = 0
      while (hasTime() && short.length + long.length > 0) (short.shift() ?? long.shift())?.()
    } while (short.length + long.length > 0)
    isCounting = false
  }
  const now = <T>(work: () => T): T => {
    const startMs = nowMs()
    try {
      return work()
    } finally {
      usedMs += nowMs() - startMs
      if (!isCounting) void count()
    }
  }
  const later = <T>(queue: (() => void)[], work: () => T, signal: AbortSignal | undefined): Promise<T> =>
    new Promise((resolve, reject) => {
      const go = (): void => {
        try {
          signal?.throwIfAborted()
          resolve(now(work))
        } catch (error) {
          reject(error)
        }
      }
      if (queue.length === 0 && hasTime()) return go()
      queue.push(go)
      if (!isCounting) void count()
    })
  const pieces: Turns['pieces'] = async (piece, signal) => {
    for (;;) {
      const part = (): ReturnType<typeof piece> => {
        const startMs = nowMs()
        return piece(() => nowMs() - startMs >= PIECE_MS)
      }
      const answer = await later(long, part, signal)
      if (answer !== undefined) return answer
    }
  }
  return { now, soon: (work, signal) => later(short, work, signal), pieces }
}
