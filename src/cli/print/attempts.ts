import type { AttemptView } from '../../core/event/attempts.ts'
import { table } from '../terminal/table.ts'
import { many, lasting, plain } from '../../core/base/words.ts'
import { ago } from '../words/keep.ts'
import { reasonWords } from '../../core/event/words.ts'

/** `-o json` shows all of them. */
const SHOWN = 5

/** The latest attempts that have ended; empty when there are none. */
export function attemptLines(attempts: readonly AttemptView[], nowMs: number): readonly string[] {
  const past = attempts.filter(({ ended_ms: endedMs }) => endedMs !== undefined)
  if (past.length === 0) return []
  const shown = past.slice(-SHOWN)
  const columns = [
    { head: 'SLOT' },
    { head: 'ATTEMPT', align: 'right' as const },
    { head: 'WHERE' },
    { head: 'RAN FOR' },
    { head: 'ENDED' },
    { head: 'HOW' },
  ]
  const rows = shown.map((attempt) => [
    attempt.slot,
    `${attempt.number}`,
    plain(attempt.provider),
    ranFor(attempt),
    ago(attempt.ended_ms, nowMs),
    plain(attempt.end === undefined ? '?' : reasonWords(attempt.end)),
  ])
  const rest = past.length - shown.length
  const head = rest === 0 ? 'Ended attempts:' : `The last ${shown.length} of ${many(past.length, 'ended attempt')}:`
  return [head, ...table(columns, rows)]
}

/** Whether a provider accepted the attempt, so that it may have printed something. */
export function hasRun({ instance, up_ms: upMs }: AttemptView): boolean {
  return instance !== undefined || upMs !== undefined
}

/** An attempt that was never seen running ran for less time than it existed. */
function ranFor(attempt: AttemptView): string {
  const { placed_ms: placedMs, up_ms: upMs, ended_ms: endedMs = placedMs } = attempt
  if (upMs !== undefined) return lasting(endedMs - upMs)
  return hasRun(attempt) ? `under ${lasting(endedMs - placedMs + 1000)}` : 'not at all'
}
