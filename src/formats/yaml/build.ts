import { isMap, isScalar, isSeq } from 'yaml'
import type { Pair, Scalar, YAMLMap, YAMLSeq } from 'yaml'
import type { DocEntry, DocNode, Mark, SourceDocument } from '../../core/document/document.ts'
import { printable } from '../../core/document/look-up.ts'
import type { Problem } from '../../core/base/problem.ts'
import { markOf } from '../source.ts'
import type { Source } from '../source.ts'

/** What is being built, and what was found wrong on the way. */
interface Building {
  readonly source: Source
  readonly problems: Problem[]
}

/** Turns what the YAML library composed into a document; finds keys given twice and merge keys. */
export function buildDocument(
  contents: unknown,
  source: Source,
): { readonly document: SourceDocument } | { readonly problems: readonly Problem[] } {
  const building: Building = { source, problems: [] }
  const root = buildNode(contents, { line: 1, column: 1, length: 1 }, building)
  if (building.problems.length > 0) return { problems: building.problems }
  const document = { file: source.file, lines: source.lines, root }
  if (root.kind === 'map') return { document }
  const message = `Expected a map of keys and values, found ${root.kind === 'list' ? 'a list' : 'text'}.`
  const place = { file: source.file, ...root.at }
  return { problems: [{ code: 'VALUE_TYPE', message, hint: 'A file starts with a key, such as: berth: v1', place }] }
}

/** `around` is the place of a missing value: that of its key. */
function buildNode(node: unknown, situation: Mark, building: Building): DocNode {
  if (isMap(node)) return buildMap(node, building)
  if (isSeq(node)) return buildList(node, building)
  if (isScalar(node)) return buildScalar(node, situation, building)
  return { kind: 'scalar', at: situation, value: null, text: '' }
}

function buildMap(map: YAMLMap, building: Building): DocNode {
  const seen = new Map<string, Mark>()
  const entries = map.items.map((pair) => {
    const entry = buildEntry(pair, building)
    checkKey(entry, seen.get(entry.key), building)
    seen.set(entry.key, entry.keyAt)
    return entry
  })
  const [first] = entries
  const at = map.flow === true || first === undefined ? markOfRange(map.range, building) : first.keyAt
  return { kind: 'map', at, entries }
}

function buildEntry(pair: Pair, building: Building): DocEntry {
  // The composer accepts only scalars as keys, because it runs with `stringKeys`.
  const key = isScalar(pair.key) ? pair.key : undefined
  const keyAt = markOfRange(key?.range, building)
  return { key: String(key?.source ?? ''), keyAt, value: buildNode(pair.value, keyAt, building) }
}

function checkKey({ key, keyAt }: DocEntry, before: Mark | undefined, { source, problems }: Building): void {
  const place = { file: source.file, ...keyAt }
  if (key === '<<') {
    const hint = 'Write the keys wherever they are needed.'
    problems.push({ code: 'YAML_ALIAS', message: 'Merge keys are not allowed.', found: key, hint, place })
  } else if (before !== undefined) {
    const message = `The key is already used on line ${before.line}.`
    problems.push({ code: 'KEY_DUPLICATE', message, found: printable(key), hint: 'Keep one of the two.', place })
  }
}

function buildList(list: YAMLSeq, building: Building): DocNode {
  const at = markOfRange(list.range, building)
  const items = list.items.map((item) => buildNode(item, at, building))
  return { kind: 'list', at: list.flow === true ? at : { ...at, length: 1 }, items }
}

function buildScalar(scalar: Scalar, situation: Mark, building: Building): DocNode {
  const text = scalar.source ?? ''
  const isWritten = scalar.range !== undefined && scalar.range !== null && scalar.range[1] > scalar.range[0]
  const at = isWritten ? markOfRange(scalar.range, building) : situation
  return { kind: 'scalar', at, value: exactValue(scalar.value, text), text }
}

/** Numbers that cannot be represented exactly stay text, so that nothing is rounded or becomes infinite unnoticed. */
function exactValue(value: unknown, text: string): string | number | boolean | null {
  if (typeof value === 'number')
    return Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? value : text
  return typeof value === 'string' || typeof value === 'boolean' || value === null ? value : text
}

function markOfRange(range: readonly number[] | null | undefined, { source }: Building): Mark {
  const [start = 0, end = start] = range ?? []
  return markOf(source, start, end)
}
