import type { core } from 'zod'
import type { Problem } from '../base/problem.ts'
import type { DocNode, Path } from './document.ts'
import { missingKey, unknownKeys } from './keys.ts'
import { foundText, keyMarkAt, markAt, placeOf, printable } from './look-up.ts'
import { spotAt } from './spot.ts'
import type { KeyFinding, DocumentSpot } from './spot.ts'
import type { IssueParams } from './traits.ts'
import { choiceProblem, exampleHint, formProblem, rangeProblem, typeProblem } from './values.ts'

type Issue = core.$ZodIssue

/** Every issue that zod found, as a problem with its place, the text found there and a hint. */
export function problemsOf(
  issues: readonly Issue[],
  { schema, document }: Pick<DocumentSpot, 'schema' | 'document'>,
): Problem[] {
  const findings = issues.flatMap((issue) => findingsOf(issue, spotAt({ document, schema }, [])))
  // A misspelt key is one mistake, not two: the key that was meant is not reported as missing.
  const meant = new Set(findings.map((finding) => finding.meant))
  return findings.filter(({ missing }) => missing === undefined || !meant.has(missing)).map(({ problem }) => problem)
}

function findingsOf(issue: Issue, base: DocumentSpot): readonly KeyFinding[] {
  const spot = spotAt(base, [...base.path, ...stepsOf(issue)])
  if (spot.node === undefined) return [missingKey(spot)]
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownKeys(issue.keys, spot)
    case 'invalid_union':
      return unionFindings(issue, spot)
    case 'invalid_type':
      return [{ problem: typeProblem(spot, spot.node) }]
    case 'invalid_value':
      return [{ problem: choiceProblem(issue.values.map(String), spot, spot.node) }]
    case 'too_big':
      return [
        { problem: rangeProblem({ most: Number(issue.maximum), inclusive: issue.inclusive ?? true }, spot, spot.node) },
      ]
    case 'too_small':
      return [
        {
          problem: rangeProblem({ least: Number(issue.minimum), inclusive: issue.inclusive ?? true }, spot, spot.node),
        },
      ]
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_element':
      return [{ problem: formProblem(issue.message, spot, spot.node) }]
    case 'invalid_key':
      return [{ problem: keyFormProblem(issue, spot) }]
    case 'custom':
      return [{ problem: customProblem(issue, spot, spot.node) }]
  }
}

/** Documents have no symbols as keys, so the paths of issues have none either. */
function stepsOf(issue: Issue): Path {
  return issue.path.filter((step) => typeof step !== 'symbol')
}

/**
 * When no branch of a union fits, the user meant the branch that takes this type of value, and its issues are reported.
 * If there is none, the type itself is the problem.
 */
function unionFindings(issue: core.$ZodIssueInvalidUnion, spot: DocumentSpot): readonly KeyFinding[] {
  const { node } = spot
  if (node === undefined) return [missingKey(spot)]
  const meant = issue.errors
    .filter((branch) => branch.length > 0 && !branch.some((inner) => isTypeMismatch(inner, node)))
    .toSorted((one, two) => one.length - two.length)
    .at(0)
  if (meant === undefined) return [{ problem: typeProblem(spot, node) }]
  return meant.flatMap((inner) => findingsOf(inner, spot))
}

function isTypeMismatch(issue: Issue, node: DocNode): boolean {
  if (issue.path.length > 0) return false
  if (issue.code === 'invalid_type') return true
  if (issue.code === 'invalid_union')
    return issue.errors.every((branch) => branch.some((one) => isTypeMismatch(one, node)))
  return issue.code === 'invalid_value' && node.kind !== 'scalar'
}

function keyFormProblem(issue: core.$ZodIssueInvalidKey, spot: DocumentSpot): Problem {
  const key = printable(String(spot.path.at(-1)))
  const place = placeOf(spot.document, keyMarkAt(spot.document, spot.path))
  return { code: 'VALUE_INVALID', message: nameWords(issue), found: key, place }
}

function nameWords({ issues: [first], message }: core.$ZodIssueInvalidKey): string {
  return first?.code === 'too_big' ? `A name has at most ${first.maximum} characters.` : (first?.message ?? message)
}

function customProblem(issue: core.$ZodIssueCustom, spot: DocumentSpot, node: DocNode): Problem {
  const { code = 'VALUE_INVALID', at = 'value', hint = exampleHint(spot) } = paramsOf(issue)
  const mark = at === 'key' ? keyMarkAt(spot.document, spot.path) : markAt(spot.document, spot.path)
  const found = at === 'key' ? printable(String(spot.path.at(-1))) : foundText(node)
  return {
    code,
    message: issue.message,
    ...(hint !== undefined && { hint }),
    ...(found !== undefined && { found }),
    place: placeOf(spot.document, mark),
  }
}

function paramsOf(issue: core.$ZodIssueCustom): IssueParams {
  // Only our own schemas raise custom issues, and they set IssueParams.
  return (issue.params ?? {}) as IssueParams
}
