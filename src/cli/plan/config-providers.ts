import { keyMarkAt, placeOf, sourced } from '../../core/document/look-up.ts'
import { nearest } from '../../core/document/nearest.ts'
import type { SourceDocument } from '../../core/document/document.ts'
import type { Problem, SourcedProblem } from '../../core/base/problem.ts'
import type { Config } from '../../core/policy/policy.ts'
import { PROVIDER_KINDS } from '../../providers/registry.ts'
import { problemText, readSettings } from '../../providers/settings.ts'

/** What is wrong with the kinds and the settings of providers: `berth up` would start without them. */
export function providerProblems(
  { providers }: Pick<Config, 'providers'>,
  document: SourceDocument,
): readonly SourcedProblem[] {
  const problems = providers.flatMap(({ name, kind, settings }): readonly Problem[] => {
    if (kind === undefined) return []
    const at = (path: readonly (string | number)[]) =>
      placeOf(document, keyMarkAt(document, ['providers', name, ...path]))
    const known = PROVIDER_KINDS.find((one) => one.kind === kind)
    if (known === undefined) {
      const message = `There is no provider kind ${kind}.`
      return [{ code: 'PROVIDER_KIND_UNKNOWN', message, found: kind, hint: hintFor(kind), place: at(['kind']) }]
    }
    const read = readSettings(known, settings)
    if (read.ok) return []
    return read.problems.map((problem) => ({
      code: 'PROVIDER_SETTINGS',
      message: `${name}: ${problemText(problem)}`,
      hint: `The settings of kind ${kind} are in docs/providers.md.`,
      place: at(['settings', ...problem.path]),
    }))
  })
  return sourced(problems, document)
}

function hintFor(kind: string): string {
  const kinds = PROVIDER_KINDS.map((one) => one.kind)
  const meant = nearest(kind, kinds)
  const listed = `Known kinds: ${kinds.join(', ')}.`
  return meant === undefined ? listed : `Did you mean ${meant}? ${listed}`
}
