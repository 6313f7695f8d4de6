import type { AttemptView } from '../core/keep/attempts.ts'
import { table } from './table.ts'
import { many } from './words.ts'
import { ago, lasting, plain } from './words-keep.ts'
import { reasonWords } from './words-events.ts'

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
  const rows = shown.map(({ slot, number, provider, up_ms: upMs, ended_ms: endedMs, end }) => [
    slot,
    `${number}`,
    plain(provider),
    upMs === undefined || endedMs === undefined ? 'never up' : lasting(endedMs - upMs),
    ago(endedMs, nowMs),
    plain(end === undefined ? '?' : reasonWords(end)),
  ])
  const rest = past.length - shown.length
  const head =
    rest === 0
      ? 'Attempts that are over:'
      : `The last ${many(shown.length, 'attempt')} of ${past.length} that are over:`
  return [head, ...table(columns, rows)]
}
