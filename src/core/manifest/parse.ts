import { checkUncut, inOrder } from '../document/check.ts'
import type { SourceDocument } from '../document/document.ts'
import { sourced } from '../document/look-up.ts'
import type { Problem, SourcedProblem } from '../base/problem.ts'
import { unclaimed, unspoken } from './claims.ts'
import { findCouplings } from './coupling/coupling.ts'
import type { Manifest } from './manifest.ts'
import { normalise } from './normalise.ts'
import { foreignFile } from './rules/foreign.ts'
import { brokenRules } from './rules/rules.ts'
import { manifestSchema } from './schema.ts'
import { idleStatements } from './without-effect.ts'

/** A valid manifest, and warnings about keys that have no effect yet. */
export interface ReadManifest {
  readonly manifest: Manifest
  readonly warnings: readonly SourcedProblem[]
}

export type ParsedManifest = ReadManifest | { readonly problems: readonly SourcedProblem[] }

/**
 * A manifest with every default filled in, or all problems of the document at once, by line. Where several checks find
 * a problem in one place, the most specific one reports it: couplings, then rules, then the schema.
 */
export function parseManifest(
  document: SourceDocument,
  extraChecks: (document: SourceDocument) => readonly Problem[] = findCouplings,
): ParsedManifest {
  const checked = checkUncut(manifestSchema, document)
  const couplings = extraChecks(document)
  const rules = unclaimed(brokenRules(document), couplings, document)
  const types = 'problems' in checked ? unclaimed(checked.problems, couplings, document) : []
  const foreign = foreignFile(document)
  const known = foreign.length === 0 ? types : types.filter(({ found }) => found !== 'apiVersion')
  const problems = [...foreign, ...couplings, ...unspoken(known, rules), ...rules]
  if ('value' in checked && problems.length === 0)
    return { manifest: normalise(checked.value), warnings: sourced(inOrder(idleStatements(document)), document) }
  return { problems: sourced(inOrder(problems), document) }
}
