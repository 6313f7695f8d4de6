import type { ErrorDoc } from '../core/base/error-doc.ts'
import { ERRORS } from './errors.ts'
import { ALL_FILTERS } from '../core/requirement/filter/all-filters.ts'
import type { ReasonDoc } from '../core/requirement/reason.ts'
import { QUARANTINES, REPAIRS } from '../core/offer/audit/codes.ts'

/** Where a code appears: in plans, in error messages, or in `berth offers check`. */
export type CodeKind = 'reason' | 'error' | 'quarantine' | 'repair'

/** The documentation of one code. */
export interface CodeDoc {
  readonly code: string
  readonly kind: CodeKind
  /** A few words; `…` stands for what the manifest or the policy asks for. */
  readonly title: string
  readonly why: string
  readonly fix: string
  /** Reasons only: the requirement it belongs to, as policies name it. */
  readonly requirement: string | undefined
  /** Reasons only: whether it passes by itself, never passes, or is for the platform team to change. */
  readonly waiting: 'helps' | 'never' | 'policy' | undefined
}

/** Every code Berth prints: reasons in counting order, the others as their tables list them. */
export const CODES: readonly CodeDoc[] = [
  ...ALL_FILTERS.flatMap(({ name, reasons }) =>
    Object.entries(reasons).map(([code, doc]) => reasonDoc(code, name, doc)),
  ),
  ...tableDocs('error', ERRORS),
  ...tableDocs('quarantine', QUARANTINES),
  ...tableDocs('repair', REPAIRS),
]

/** The code a user means, in any case and with dashes or spaces; undefined: there is no such code. */
export function findCode(text: string): CodeDoc | undefined {
  const wanted = text
    .trim()
    .replaceAll(/[-\s]+/g, '_')
    .toUpperCase()
  return CODES.find(({ code }) => code === wanted)
}

function reasonDoc(code: string, requirement: string, { summary, clears, why, fix }: ReasonDoc): CodeDoc {
  const title = summary({ code, wanted: '…', found: undefined })
  const waiting = clears === 'capacity' || clears === 'time' ? 'helps' : clears
  return { code, kind: 'reason', title, why, fix, requirement, waiting }
}

function tableDocs(kind: CodeKind, table: Readonly<Record<string, ErrorDoc>>): readonly CodeDoc[] {
  return Object.entries(table).map(([code, { title, why, fix }]) => {
    return { code, kind, title, why, fix, requirement: undefined, waiting: undefined }
  })
}
