import type { Path, SourceDocument } from '../../core/document/document.ts'
import { foundText, keyMarkAt, nodeAt, placeOf, printable } from '../../core/document/look-up.ts'
import type { ErrorCode } from '../../codes/errors.ts'
import type { Problem } from '../../core/base/problem.ts'

/** A problem before it has a place. */
export interface Complaint {
  readonly code: ErrorCode
  readonly message: string
  readonly hint: string
}

/** Collects what is wrong with a document while it is read. */
export interface Complaints {
  readonly document: SourceDocument
  readonly problems: Problem[]
}

/** Notes a problem with the value at a path. */
export function complain({ document, problems }: Complaints, path: Path, complaint: Complaint): void {
  const node = nodeAt(document, path)
  const found = node === undefined ? undefined : foundText(node)
  const place = placeOf(document, node?.at ?? keyMarkAt(document, path))
  problems.push({ ...complaint, ...(found !== undefined && found !== '' && { found }), place })
}

/** Notes a problem with the key that a path ends with. */
export function complainOfKey({ document, problems }: Complaints, path: Path, complaint: Complaint): void {
  const found = printable(String(path.at(-1)))
  problems.push({ ...complaint, found, place: placeOf(document, keyMarkAt(document, path)) })
}

/** The line of a path. */
export function lineOf(document: SourceDocument, path: Path): number {
  return (nodeAt(document, path)?.at ?? document.root.at).line
}
