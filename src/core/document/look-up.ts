import type { TextPlace, Problem, SourcedProblem } from '../base/problem.ts'
import { isSecretLine, withoutFound } from './secret-line.ts'
import type { DocEntry, DocMap, DocNode, Mark, Path, SourceDocument } from './document.ts'

/** Longer texts are cut in messages: a file may contain one of 256 KB. */
const FOUND_MAX = 60
const LINE_MAX = 240

/** The node at a path; undefined where the document has none. */
export function nodeAt(document: SourceDocument, path: Path): DocNode | undefined {
  let node: DocNode | undefined = document.root
  for (const step of path) {
    if (node === undefined) return undefined
    node = childOf(node, step)
  }
  return node
}

/** The key and value at the end of a path; undefined when the path ends in a list or does not exist. */
export function entryAt(document: SourceDocument, path: Path): DocEntry | undefined {
  const key = path.at(-1)
  const parent = nodeAt(document, path.slice(0, -1))
  if (typeof key !== 'string' || parent?.kind !== 'map') return undefined
  return entryOf(parent, key)
}

/** The entry of a map with this key. */
export function entryOf(map: DocMap, key: string): DocEntry | undefined {
  if (map.entries.length <= INDEXED_FROM) return map.entries.find((entry) => entry.key === key)
  const index = INDEXES.get(map) ?? new Map(map.entries.map((entry) => [entry.key, entry]))
  INDEXES.set(map, index)
  return index.get(key)
}

/** A hostile map may have ten thousand keys with a problem each. Documents never change, so an index is kept. */
const INDEXES = new WeakMap<DocMap, ReadonlyMap<string, DocEntry>>()
const INDEXED_FROM = 16

/** The place of the value at a path; where it is missing, the place of the nearest node around it. */
export function markAt(document: SourceDocument, path: Path): Mark {
  const node = nodeAt(document, path)
  return node === undefined ? keyMarkAt(document, path.slice(0, -1)) : node.at
}

/** The place of the key at the end of a path; for list items and the whole document, that of the value. */
export function keyMarkAt(document: SourceDocument, path: Path): Mark {
  for (let length = path.length; length > 0; length--) {
    const upTo = path.slice(0, length)
    const mark = entryAt(document, upTo)?.keyAt ?? nodeAt(document, upTo)?.at
    if (mark !== undefined) return mark
  }
  return document.root.at
}

/** A mark together with the file it is in. */
export function placeOf(document: SourceDocument, mark: Mark): TextPlace {
  return { file: document.file, line: mark.line, column: mark.column, length: mark.length }
}

/**
 * Adds its source line to each problem, unless the line is too long, would reveal a secret or could disturb a terminal.
 */
export function sourced(problems: readonly Problem[], { lines }: Pick<SourceDocument, 'lines'>): SourcedProblem[] {
  return problems.map((problem) => {
    if (problem.code === 'SECRET_VALUE' || problem.code === 'YAML_ENCODING') return problem
    const sourceLine = problem.place && lines[problem.place.line - 1]
    if (problem.place !== undefined && sourceLine !== undefined && isSecretLine(lines, problem.place.line))
      return withoutFound(problem, sourceLine)
    return sourceLine === undefined || sourceLine.length > LINE_MAX ? problem : { ...problem, sourceLine }
  })
}

/** A scalar as written, short and safe to print; undefined for maps and lists. */
export function foundText(node: DocNode): string | undefined {
  return node.kind === 'scalar' ? printable(node.text) : undefined
}

/** Cuts long texts and spells out characters that would disturb a terminal. */
export function printable(text: string): string {
  const cut = text.length > FOUND_MAX ? `${text.slice(0, FOUND_MAX)}…` : text
  return cut.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, spellOut)
}

function spellOut(character: string): string {
  return character === '\n' ? '\\n' : `\\u{${character.codePointAt(0)?.toString(16)}}`
}

function childOf(node: DocNode, step: string | number): DocNode | undefined {
  if (node.kind === 'map') return typeof step === 'string' ? entryOf(node, step)?.value : undefined
  if (node.kind === 'list') return typeof step === 'number' ? node.items[step] : undefined
  return undefined
}
