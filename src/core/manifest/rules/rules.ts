import type { SourceDocument } from '../../document/document.ts'
import { entryAt, keyMarkAt, nodeAt, printable } from '../../document/look-up.ts'
import type { Problem } from '../../base/problem.ts'
import { mapAt, problemAt, problemWith, textOf } from './rule.ts'
import type { ManifestRule } from './rule.ts'
import { gpuConflicts } from './gpu.ts'
import { foreignSentences } from './foreign.ts'
import {
  foreignKeys,
  frameworkWithoutCommand,
  frameworkWithoutData,
  frameworkWithoutServe,
  topologyOfOne,
  trainingService,
} from './kind.ts'
import { emptyVolumes, oddSources, priceDrop, repeatedEntries, replicaRanges } from './lists.ts'
import { tooManySlots, tooManyVariables } from './size.ts'
import { secretAddresses, secretTwice, secretValues } from './secrets.ts'

/** Every check of a manifest that involves more than one field. */
export function brokenRules(document: SourceDocument): readonly Problem[] {
  return RULES.flatMap((rule) => rule(document))
}

const otherVersion: ManifestRule = (document) => {
  const node = nodeAt(document, ['berth'])
  if (node === undefined || textOf(node) === undefined || textOf(node) === 'v1') return []
  const message = 'This version of the manifest format is not supported.'
  return [problemWith(document, node, { code: 'VERSION_UNSUPPORTED', message, hint: 'Write berth: v1' })]
}

/** Keys that are part of the format but that nothing acts on yet. */
const reservedKeys: ManifestRule = (document) =>
  ['model', 'slo'].flatMap((key) => {
    const entry = entryAt(document, [key])
    if (entry === undefined) return []
    const message = `\`${key}\` is reserved: Berth cannot derive requirements from it yet.`
    const hint = 'Remove it, and state what the workload needs under resources.'
    return [problemAt(document, entry.keyAt, { code: 'NOT_YET', message, hint, found: key })]
  })

const RESOURCES_HINT =
  'For example: resources: { cpu: 4, memory: 16Gi, gpu: { count: 1, min_vram: 24Gi } }, or resources: {} for any machine.'

/** Resources must be stated: by the workload, or by each of its roles. */
const noResources: ManifestRule = (document) => {
  if (entryAt(document, ['resources']) !== undefined) return []
  const roles = mapAt(document, ['roles'])?.entries ?? []
  if (roles.length === 0) {
    const message = '`resources` is missing.'
    return [problemAt(document, document.root.at, { code: 'KEY_MISSING', message, hint: RESOURCES_HINT })]
  }
  return roles
    .filter(({ key }) => entryAt(document, ['roles', key, 'resources']) === undefined)
    .map(({ key }) => {
      const message = `\`resources\` is missing in \`${printable(key)}\`, and the workload has none that it could inherit.`
      const at = keyMarkAt(document, ['roles', key])
      return problemAt(document, at, { code: 'KEY_MISSING', message, hint: RESOURCES_HINT })
    })
}

const RULES: readonly ManifestRule[] = [
  otherVersion,
  reservedKeys,
  noResources,
  foreignKeys,
  foreignSentences,
  trainingService,
  topologyOfOne,
  frameworkWithoutCommand,
  frameworkWithoutServe,
  frameworkWithoutData,
  replicaRanges,
  tooManySlots,
  tooManyVariables,
  repeatedEntries,
  emptyVolumes,
  oddSources,
  priceDrop,
  secretValues,
  secretAddresses,
  secretTwice,
  gpuConflicts,
]
