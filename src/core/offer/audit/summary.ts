import type { QuarantineCode, RepairCode, RowVerdict } from '../offer.ts'

/** Rows by verdict, and how often each code was given. A row may have several repairs. */
interface AuditCounts {
  readonly resolved: number
  readonly repaired: number
  readonly quarantined: number
  readonly repairs: Readonly<Partial<Record<RepairCode, number>>>
  readonly quarantines: Readonly<Partial<Record<QuarantineCode, number>>>
}

/**
 * What `berth offers check` reports. The verdicts and codes at the top level are for rows with accelerators and add up
 * to `accelerator_rows`; `other` covers the rest.
 */
export interface AuditSummary extends AuditCounts {
  readonly rows: number
  readonly accelerator_rows: number
  readonly other: AuditCounts & { readonly rows: number }
  /** By source, in alphabetical order. */
  readonly by_source: Readonly<
    Record<string, AuditCounts & { readonly rows: number; readonly accelerator_rows: number }>
  >
}

export function summarise(rows: readonly RowVerdict[]): AuditSummary {
  const withCards = rows.filter(({ accelerator }) => accelerator)
  const without = rows.filter(({ accelerator }) => !accelerator)
  const sources = [...Map.groupBy(rows, ({ source }) => source)].toSorted(([one], [two]) => (one < two ? -1 : 1))
  return {
    rows: rows.length,
    accelerator_rows: withCards.length,
    ...countUp(withCards),
    other: { rows: without.length, ...countUp(without) },
    by_source: Object.fromEntries(sources.map(([source, own]) => [source, countSource(own)])),
  }
}

function countSource(rows: readonly RowVerdict[]): AuditSummary['by_source'][string] {
  const withCards = rows.filter(({ accelerator }) => accelerator)
  return { rows: rows.length, accelerator_rows: withCards.length, ...countUp(withCards) }
}

function countUp(rows: readonly RowVerdict[]): AuditCounts {
  const count = (verdict: RowVerdict['verdict']) => rows.filter((row) => row.verdict === verdict).length
  return {
    resolved: count('resolved'),
    repaired: count('repaired'),
    quarantined: count('quarantined'),
    repairs: tally(rows.flatMap(({ repairs }) => repairs)),
    quarantines: tally(rows.flatMap(({ quarantine }) => quarantine ?? [])),
  }
}

/** Codes in alphabetical order, so that two reports can be compared line by line. */
function tally<Code extends string>(codes: readonly Code[]): Readonly<Partial<Record<Code, number>>> {
  const counts: Partial<Record<Code, number>> = {}
  for (const code of codes.toSorted()) counts[code] = (counts[code] ?? 0) + 1
  return counts
}
