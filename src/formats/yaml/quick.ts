import type { DocEntry, DocNode, SourceDocument } from '../../core/document/document.ts'
import { quickFlow, quickScalar, type TakenValue } from './quick-value.ts'
import { markOf, type Source } from '../source.ts'

/** Longer texts are rare, and the careful reader counts what is in them. */
const CHARACTERS_MAX = 16_384
const DEPTH_MAX = 16

/** A line that holds something, without its comment. */
interface Line {
  /** Offset of its first sign, and how far that stands from the line's start. */
  readonly from: number
  readonly indent: number
  readonly text: string
}

/** Goes down the lines. */
interface Walk {
  readonly source: Source
  readonly lines: Line[]
  at: number
  depth: number
}

/**
 * Reads the plain YAML that most manifests are, many times as fast as the careful reader: maps, lists, and values
 * that end on their line. Whatever else it meets it leaves to that one, and so does it with everything that is wrong: it
 * answers undefined. Where it answers, both answer the same.
 */
export function quickDocument(source: Source): SourceDocument | undefined {
  if (source.text.length > CHARACTERS_MAX || /[\t\r]/.test(source.text)) return undefined
  const lines = linesOf(source)
  const [first] = lines ?? []
  if (lines === undefined || first === undefined) return undefined
  const walk: Walk = { source, lines, at: 0, depth: 0 }
  const root = readMap(walk, first.indent)
  return root === undefined || walk.at < lines.length ? undefined : { file: source.file, lines: source.lines, root }
}

function linesOf({ lines, starts }: Source): Line[] | undefined {
  const found: Line[] = []
  for (const [at, whole] of lines.entries()) {
    const indent = whole.search(/[^ ]/)
    if (indent < 0 || whole[indent] === '#') continue
    const text = whole.slice(indent)
    if (/[^\x20-\x7e]/.test(text)) return undefined
    found.push({ from: (starts[at] ?? 0) + indent, indent, text })
  }
  return found
}

/** What stands deeper than its key, or a list right below it. */
function readBlock(walk: Walk, { above, mayAlign }: { readonly above: number; readonly mayAlign: boolean }) {
  const line = walk.lines[walk.at]
  if (line === undefined || walk.depth >= DEPTH_MAX) return undefined
  const isList = line.text.startsWith('- ')
  if (!(line.indent > above || (mayAlign && isList && line.indent === above))) return undefined
  walk.depth++
  const block = isList ? readList(walk, line.indent) : readMap(walk, line.indent)
  walk.depth--
  return block
}

const KEY = /^([A-Za-z_][A-Za-z0-9_.-]{0,100}):(?: +|$)/

function readMap(walk: Walk, indent: number): DocNode | undefined {
  const entries: DocEntry[] = []
  const keys = new Set<string>()
  for (let line = walk.lines[walk.at]; line !== undefined && line.indent >= indent; line = walk.lines[walk.at]) {
    const [start, key] = KEY.exec(line.text) ?? []
    if (line.indent !== indent || start === undefined || key === undefined || keys.has(key)) return undefined
    keys.add(key)
    const value = readValue(walk, line, { skip: start.length, mayAlign: true })
    if (value === undefined) return undefined
    entries.push({ key, keyAt: markOf(walk.source, line.from, line.from + key.length), value })
  }
  const [first] = entries
  return first === undefined ? undefined : { kind: 'map', at: first.keyAt, entries }
}

function readList(walk: Walk, indent: number): DocNode | undefined {
  const items: DocNode[] = []
  const from = walk.lines[walk.at]?.from ?? 0
  for (let line = walk.lines[walk.at]; line?.indent === indent; line = walk.lines[walk.at]) {
    const [start] = /^- +/.exec(line.text) ?? []
    if (start === undefined) break
    const item = readItem(walk, line, start.length)
    if (item === undefined) return undefined
    items.push(item)
  }
  const next = walk.lines[walk.at]
  if (next !== undefined && next.indent > indent) return undefined
  return { kind: 'list', at: { ...markOf(walk.source, from, from), length: 1 }, items }
}

/** A map that begins on the line of its dash is read as if the dash were a space. */
function readItem(walk: Walk, line: Line, skip: number): DocNode | undefined {
  const text = line.text.slice(skip)
  if (!KEY.test(text)) return readValue(walk, line, { skip, mayAlign: false })
  if (walk.depth >= DEPTH_MAX) return undefined
  walk.lines[walk.at] = { from: line.from + skip, indent: line.indent + skip, text }
  walk.depth++
  const map = readMap(walk, line.indent + skip)
  walk.depth--
  return map
}

/** A value on its line, or a block below it. */
function readValue(
  walk: Walk,
  line: Line,
  { skip, mayAlign }: { readonly skip: number; readonly mayAlign: boolean },
): DocNode | undefined {
  walk.at++
  const text = line.text.slice(skip)
  if (text === '' || text.startsWith('#')) return readBlock(walk, { above: line.indent, mayAlign })
  const taken: TakenValue | undefined =
    quickFlow(walk.source, text, { from: line.from + skip, depth: 0 }) ??
    quickScalar(walk.source, text, line.from + skip)
  if (taken === undefined || !/^(?: *| +#.*)$/.test(text.slice(taken.length))) return undefined
  const next = walk.lines[walk.at]
  // Deeper than the value's own line: it goes on there.
  return next !== undefined && next.indent > line.indent ? undefined : taken.node
}
