import type { AttemptView } from '../../core/event/attempts.ts'
import { table } from '../terminal/table.ts'
import { many } from '../words/words.ts'
import { ago, lasting, plain } from '../words/keep.ts'
import { reasonWords } from '../words/events.ts'

/** More are in `-o json`. */
const SHOWN = 5

/** What was tried before and is over, the last of it; nothing where nothing is. */
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
  const head =
    rest === 0
      ? 'Attempts that are over:'
      : `The last ${many(shown.length, 'attempt')} of ${past.length} that are over:`
  return [head, ...table(columns, rows)]
}

/** Whether it printed anything is known of those alone that a provider took. */
export function hasRun({ instance, up_ms: upMs }: AttemptView): boolean {
  return instance !== undefined || upMs !== undefined
}

/** What ended before anybody saw it up ran for less than it was there. */
function ranFor(attempt: AttemptView): string {
  const { placed_ms: placedMs, up_ms: upMs, ended_ms: endedMs = placedMs } = attempt
  if (upMs !== undefined) return lasting(endedMs - upMs)
  return hasRun(attempt) ? `under ${lasting(endedMs - placedMs + 1000)}` : 'not at all'
}
