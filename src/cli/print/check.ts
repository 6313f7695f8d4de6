import { QUARANTINES, REPAIRS, type AuditDoc } from '../../core/offer/audit/codes.ts'
import type { AuditSummary } from '../../core/offer/audit/summary.ts'
import type { RowVerdict } from '../../core/offer/offer.ts'
import { table } from '../terminal/table.ts'
import { many, number } from '../../core/base/words.ts'

/** The result of checking offers. */
export interface Check {
  readonly summary: AuditSummary
  /** Paths of snapshots, which have no rows to check. */
  readonly snapshots: readonly string[]
}

/** The check as text: how many rows are consistent, then why the others are not, then source by source. */
export function printCheck({ summary, snapshots }: Check, paths: readonly string[]): string {
  const left = snapshots.map(
    (path) => `${path} is a snapshot: its rows were checked when it was made, and it holds only offers.`,
  )
  if (summary.rows === 0)
    return [...left, left.length === 0 ? 'No rows to check.' : 'Check the sources it was made from.'].join('\n')
  const parts = [
    [headline(summary), ...left],
    codeTable('QUARANTINED BECAUSE', QUARANTINES, [summary.quarantines, summary.other.quarantines]),
    codeTable('REPAIRED', REPAIRS, [summary.repairs, summary.other.repairs]),
    sourceTable(summary),
    [`Next:  ${nextSteps(summary, paths).join('      ')}`],
  ]
  return parts
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n')
}

function headline({ rows, accelerator_rows: cards, resolved, repaired, quarantined, other }: AuditSummary): string {
  const first = `${many(rows, 'row')}, ${number(cards)} with accelerators: ${number(resolved)} consistent, ${number(repaired)} repaired, ${number(quarantined)} quarantined`
  if (other.rows === 0) return first
  return `${first}\n${number(other.rows)} without: ${number(other.resolved)} consistent, ${number(other.repaired)} repaired, ${number(other.quarantined)} quarantined`
}

type Counts = Readonly<Record<string, number>>

function codeTable(
  head: string,
  docs: Readonly<Record<string, AuditDoc>>,
  [withCards, others]: readonly [Counts, Counts],
): readonly string[] {
  const codes = Object.keys(docs).filter((code) => (withCards[code] ?? 0) + (others[code] ?? 0) > 0)
  if (codes.length === 0) return []
  const most = codes.toSorted((one, two) => (withCards[two] ?? 0) - (withCards[one] ?? 0))
  const rows = most.map((code) => [
    number(withCards[code] ?? 0),
    number(others[code] ?? 0),
    code,
    docs[code]?.title ?? '',
  ])
  const columns = [
    { head: 'WITH GPU', align: 'right' as const },
    { head: 'OTHERS', align: 'right' as const },
    { head: 'CODE' },
    { head },
  ]
  return table(columns, rows)
}

function sourceTable({ by_source: sources }: AuditSummary): readonly string[] {
  const entries = Object.entries(sources)
  if (entries.length < 2) return []
  const columns = ['ROWS', 'WITH GPU', 'CONSISTENT', 'REPAIRED', 'QUARANTINED'].map((head) => ({
    head,
    align: 'right' as const,
  }))
  const rows = entries.map(([source, { rows: all, accelerator_rows: cards, resolved, repaired, quarantined }]) => {
    return [source, ...[all, cards, resolved, repaired, quarantined].map(number)]
  })
  return table([{ head: 'SOURCE' }, ...columns], rows)
}

function nextSteps(summary: AuditSummary, paths: readonly string[]): readonly string[] {
  const [code] = Object.keys({ ...summary.quarantines, ...summary.other.quarantines, ...summary.repairs })
  const rows = `berth offers check --offers ${paths.join(' ')} --rows`
  return code === undefined ? [rows] : [rows, `berth explain ${code}`]
}

/** One row on one line, so that grep can find it. */
export function printRow({ source, line, verdict, repairs, quarantine, named, note }: RowVerdict): string {
  const codes = [...repairs, ...(quarantine === undefined ? [] : [quarantine])].join('+')
  return [`${source}:${line}`, verdict, codes, named, note ?? ''].filter((cell) => cell !== '').join('  ')
}
