import type { DocNode, Path, SourceDocument } from '../../document/document.ts'
import { entryOf, nodeAt } from '../../document/look-up.ts'
import type { Problem } from '../../base/problem.ts'
import { listAt, mapAt, numberOf, problemAt, problemWith, scopesOf, textOf, textsOf } from './rule.ts'
import type { ManifestRule } from './rule.ts'

/** Entries of a list that share what identifies them. */
export const repeatedEntries: ManifestRule = (document) => [
  ...scopesOf(document).flatMap((scope) => [
    ...repeats(document, [...scope, 'ports'], 'name'),
    ...repeats(document, [...scope, 'ports'], 'port'),
  ]),
  ...repeats(document, ['storage'], 'mount'),
  ...repeats(document, ['secrets'], undefined),
]

/** With a key, compares the values of that key; without one, the entries themselves. */
function repeats(document: SourceDocument, path: Path, key: string | undefined): readonly Problem[] {
  const seen = new Map<string, DocNode>()
  return (listAt(document, path)?.items ?? []).flatMap((item) => {
    const node = key === undefined ? item : item.kind === 'map' ? entryOf(item, key)?.value : undefined
    const text = textOf(node)
    if (node === undefined || text === undefined) return []
    const before = seen.get(text)
    if (before === undefined) {
      seen.set(text, node)
      return []
    }
    const message = `The same ${key ?? 'name'} is already used on line ${before.at.line}.`
    return [problemWith(document, node, { code: 'KEY_REPEATED', message, hint: 'Change or remove one of the two.' })]
  })
}

/** A volume needs data or a size. */
export const emptyVolumes: ManifestRule = (document) =>
  (listAt(document, ['storage'])?.items ?? []).flatMap((item) => {
    if (item.kind !== 'map' || entryOf(item, 'from') !== undefined || entryOf(item, 'size') !== undefined) return []
    const message = 'A volume needs `from` or `size`.'
    const hint = 'Write size: 100Gi for an empty volume, or from: s3://bucket/path for data.'
    return [problemAt(document, item.at, { code: 'KEY_MISSING', message, hint })]
  })

/** What cannot be written to, and access to nothing. */
export const oddSources: ManifestRule = (document) =>
  (listAt(document, ['storage'])?.items ?? []).flatMap((item) => {
    if (item.kind !== 'map') return []
    const [from, mode, secret] = ['from', 'mode', 'secret'].map((key) => entryOf(item, key)?.value)
    if (mode !== undefined && textOf(mode) === 'rw' && /^(?:https|hf):/.test(textOf(from) ?? '')) {
      const message = 'What is at such an address can be read, but not written.'
      return [problemWith(document, mode, { code: 'VALUE_CONFLICT', message, hint: 'Write mode: ro.' })]
    }
    if (secret === undefined || from !== undefined) return []
    const hint = 'Remove it, or add from: s3://bucket/path.'
    return [problemWith(document, secret, { code: 'KEY_NEEDS', message: '`secret` gives access to `from`.', hint })]
  })

/** A minimum above the maximum, and a target with no metric or with several. */
export const replicaRanges: ManifestRule = (document) =>
  scopesOf(document).flatMap((scope) => [
    ...minAboveMax(document, [...scope, 'replicas']),
    ...targetCount(document, [...scope, 'replicas', 'target']),
  ])

function minAboveMax(document: SourceDocument, path: Path): readonly Problem[] {
  const node = nodeAt(document, [...path, 'min'])
  const min = numberOf(node)
  const max = numberOf(nodeAt(document, [...path, 'max']))
  if (node === undefined || min === undefined || max === undefined || min <= max) return []
  const message = `min is ${min}, but max is only ${max}.`
  return [
    problemWith(document, node, { code: 'VALUE_CONFLICT', message, hint: `Write min: ${max} or less, or raise max.` }),
  ]
}

function targetCount(document: SourceDocument, path: Path): readonly Problem[] {
  const target = mapAt(document, path)
  if (target === undefined || target.entries.length === 1) return []
  const message = 'A target must have exactly one of rps, concurrency and queue.'
  return [
    problemAt(document, target.at, {
      code: 'VALUE_CONFLICT',
      message,
      hint: 'For example: target: { concurrency: 32 }',
    }),
  ]
}

/** Moving on a lower price needs an amount, and the amount must not be zero. */
export const priceDrop: ManifestRule = (document) => {
  const node = nodeAt(document, ['migration', 'price_drop'])
  if (/^0+(?:\.0+)? ?%$/.test(textOf(node) ?? '') && node !== undefined) {
    const message = 'The saving must be more than 0%.'
    return [problemWith(document, node, { code: 'VALUE_RANGE', message, hint: 'For example: price_drop: 25%' })]
  }
  const on = listAt(document, ['migration', 'on'])
  if (node !== undefined || on === undefined || !textsOf(on).includes('price_drop')) return []
  const message = '`on: price_drop` needs the size of the drop.'
  return [
    problemAt(document, on.at, { code: 'KEY_NEEDS', message, hint: 'Add the size under migration: price_drop: 25%' }),
  ]
}
