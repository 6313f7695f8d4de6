import type { DocNode, Path, SourceDocument } from '../../document/document.ts'
import { entryOf, nodeAt } from '../../document/look-up.ts'
import type { Problem } from '../../base/problem.ts'
import { listAt, mapAt, numberOf, problemAt, problemWith, scopesOf, textOf, textsOf } from './rule.ts'
import type { ManifestRule } from './rule.ts'

/** Entries of a list that share what tells them apart. */
export const repeatedEntries: ManifestRule = (document) => [
  ...scopesOf(document).flatMap((scope) => [
    ...repeats(document, [...scope, 'ports'], 'name'),
    ...repeats(document, [...scope, 'ports'], 'port'),
  ]),
  ...repeats(document, ['storage'], 'mount'),
  ...repeats(document, ['secrets'], undefined),
]

/** With a key, the entries' values of it are compared; without, the entries themselves. */
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
    const message = `The same ${key ?? 'name'} is already given on line ${before.at.line}.`
    return [problemWith(document, node, { code: 'KEY_REPEATED', message, hint: 'Change or remove one of the two.' })]
  })
}

/** A volume without data and without size would be nothing. */
export const emptyVolumes: ManifestRule = (document) =>
  (listAt(document, ['storage'])?.items ?? []).flatMap((item) => {
    if (item.kind !== 'map' || entryOf(item, 'from') !== undefined || entryOf(item, 'size') !== undefined) return []
    const message = 'A volume needs `from` or `size`.'
    const hint = 'Write size: 100Gi for an empty volume, or from: s3://bucket/path for data.'
    return [problemAt(document, item.at, { code: 'KEY_MISSING', message, hint })]
  })

/** Fewest above most, and targets that are none or several. */
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
  const message = 'A target is exactly one of rps, concurrency and queue.'
  return [
    problemAt(document, target.at, {
      code: 'VALUE_CONFLICT',
      message,
      hint: 'For example: target: { concurrency: 32 }',
    }),
  ]
}

/** A price that moves work needs an amount, and the amount must be worth a move. */
export const priceDrop: ManifestRule = (document) => {
  const node = nodeAt(document, ['migration', 'price_drop'])
  if (/^0+(?:\.0+)? ?%$/.test(textOf(node) ?? '') && node !== undefined) {
    const message = 'A move must save something.'
    return [problemWith(document, node, { code: 'VALUE_RANGE', message, hint: 'For example: price_drop: 25%' })]
  }
  const on = listAt(document, ['migration', 'on'])
  if (node !== undefined || on === undefined || !textsOf(on).includes('price_drop')) return []
  const message = 'Moving on a price drop needs to know how large a drop.'
  return [problemAt(document, on.at, { code: 'KEY_NEEDS', message, hint: 'Add to migration: price_drop: 25%' })]
}
