import type { Call, LogLine, LogWant } from '../../ports/provider.ts'
import type { Timers } from '../../ports/timers.ts'

/** How a cloud hands out what a machine printed. */
export interface CloudLogs {
  /** What is there now, oldest first; `after`: only what came after this mark. It throws with words for people. */
  readonly read: (
    id: string,
    want: Pick<LogWant, 'tail' | 'after' | 'sinceMs'>,
    call: Call,
  ) => Promise<readonly LogLine[]>
  /** How often it is read while a reader follows. */
  readonly eachMs: number
}

interface LogSubject {
  readonly logs: CloudLogs
  readonly id: string
  readonly timers: Timers
  /** Whether more can still be printed. */
  readonly isGoingOn: (call: Call) => Promise<boolean>
}

/** What a rented machine printed. Clouds limit calls, so that followers get new lines every few seconds. */
export async function* cloudLog(want: LogWant, call: Call, subject: LogSubject): AsyncGenerator<LogLine> {
  const { logs, id, timers, isGoingOn } = subject
  let known: readonly LogLine[] | undefined
  let after = want.after
  for (;;) {
    // Asked before the log is read: what is printed in between is not missed.
    const mayGoOn = want.follow && !call.signal.aborted && (await isGoingOn(call))
    if (call.signal.aborted) return
    const lines = await logs.read(id, { ...want, after }, call)
    if (after !== undefined) yield* lines
    else yield* known === undefined ? last(lines, want.tail) : newIn(lines, known)
    if (lines.length > 0 || known === undefined) known = lines
    after = lines.at(-1)?.mark ?? after
    if (!mayGoOn || call.signal.aborted) return
    await timers.sleep(logs.eachMs, call.signal)
  }
}

function last(lines: readonly LogLine[], tail: number | undefined): readonly LogLine[] {
  if (tail === undefined) return lines
  return tail === 0 ? [] : lines.slice(-tail)
}

/** By so many lines it is recognised where the last reading ended. */
const SEAM = 20

/** Lines without marks that follow the last one that was read. If that one is no longer there, all of them are new. */
function newIn(lines: readonly LogLine[], known: readonly LogLine[]): readonly LogLine[] {
  const seam = known.slice(-SEAM).map(({ text }) => text)
  if (seam.length === 0) return lines
  for (let end = lines.length; end >= seam.length; end--) {
    if (seam.every((text, index) => lines[end - seam.length + index]?.text === text)) return lines.slice(end)
  }
  return lines
}
