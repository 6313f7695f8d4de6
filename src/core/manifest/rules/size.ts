import type { Path, SourceDocument } from '../../document/document.ts'
import { nodeAt } from '../../document/look-up.ts'
import type { Problem } from '../../base/problem.ts'
import { ROLES_MAX, SLOTS_MAX, VARIABLES_CHARS_MAX, VARIABLES_MAX } from '../limits.ts'
import { mapAt, numberOf, problemAt, scopesOf, textOf } from './rule.ts'
import type { ManifestRule } from './rule.ts'

/** More roles or slots than one workload may have. They are counted before anything is built from them. */
export const tooManySlots: ManifestRule = (document) => {
  const roles = mapAt(document, ['roles'])
  const entries = roles?.entries ?? []
  const nodes = countAt(document, ['nodes']) ?? 1
  const shared = replicasAt(document, ['replicas']) ?? 1
  const replicas =
    entries.length === 0
      ? shared
      : entries.reduce((sum, { key }) => sum + (replicasAt(document, ['roles', key, 'replicas']) ?? shared), 0)
  if (roles !== undefined && entries.length > ROLES_MAX) {
    const message = `This workload has ${entries.length} roles; the limit is ${ROLES_MAX}.`
    const hint =
      'Merge parts with the same needs into one role with more replicas, or split the file into several workloads.'
    return [problemAt(document, roles.at, { code: 'VALUE_RANGE', message, hint })]
  }
  if (replicas * nodes <= SLOTS_MAX) return []
  const at = (roles ?? nodeAt(document, ['replicas']) ?? nodeAt(document, ['nodes']) ?? document.root).at
  const message = `This asks for ${replicas * nodes} machines in total; the limit for one workload is ${SLOTS_MAX}.`
  const hint = 'Ask for fewer replicas, or split it into several workloads.'
  return [problemAt(document, at, { code: 'VALUE_RANGE', message, hint })]
}

/** More variables than an operating system passes to a program. */
export const tooManyVariables: ManifestRule = (document) =>
  scopesOf(document)
    .slice(0, ROLES_MAX + 1)
    .flatMap((scope) => variablesIn(document, [...scope, 'env']))

function variablesIn(document: SourceDocument, path: Path): readonly Problem[] {
  const env = mapAt(document, path)
  if (env === undefined) return []
  const chars = env.entries.reduce((sum, { key, value }) => sum + key.length + (textOf(value)?.length ?? 0) + 2, 0)
  const isMany = env.entries.length > VARIABLES_MAX
  if (!isMany && chars <= VARIABLES_CHARS_MAX) return []
  const message = isMany
    ? `There are ${env.entries.length} variables here; the limit is ${VARIABLES_MAX}.`
    : `These variables have ${chars} characters in total; the limit is ${VARIABLES_CHARS_MAX}.`
  const hint = 'Put large settings into the image or into storage, and pass the path to the program.'
  return [problemAt(document, env.at, { code: 'VALUE_RANGE', message, hint })]
}

/** The minimum of replicas, which Berth keeps running. Undefined when it is missing or not a number. */
function replicasAt(document: SourceDocument, path: Path): number | undefined {
  return countAt(document, path) ?? countAt(document, [...path, 'min'])
}

function countAt(document: SourceDocument, path: Path): number | undefined {
  const number = numberOf(nodeAt(document, path))
  return number === undefined || !Number.isFinite(number) || number < 0 ? undefined : number
}
