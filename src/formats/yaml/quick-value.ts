import type { DocEntry, DocNode, DocScalar } from '../../core/document/document.ts'
import { markOf, type Source } from '../source.ts'

/** A value, and how many characters it takes. */
export interface TakenValue<N extends DocNode = DocNode> {
  readonly node: N
  readonly length: number
}

const DEPTH_MAX = 8

/** Words that mean themselves wherever they stand; between them single spaces. No word ends with a colon. */
const WORD = String.raw`(?:[A-Za-z0-9_./@+%~=$()-]|:(?=[A-Za-z0-9_./]))+`
const PLAIN = new RegExp(String.raw`^(?=[A-Za-z0-9_./]|--?[A-Za-z])${WORD}(?: ${WORD})*`)
const QUOTED = /^(?:"([^"\\]*)"|'([^']*)')/

/** Text that YAML may take for something else: left to the careful reader. */
const SPECIAL = /^(?:null|Null|NULL|True|TRUE|False|FALSE|[0-9]+|0o.*|0x.*|\..*|[0-9.]+[eE].*|[0-9]+\.[0-9]*)$/

/** A value that is no list and no map. */
export function quickScalar(source: Source, text: string, from: number): TakenValue<DocScalar> | undefined {
  const [quoted, double, single] = QUOTED.exec(text) ?? []
  if (quoted !== undefined) {
    const inside = double ?? single ?? ''
    // An odd quote right behind the end is a quote that was written twice.
    if (inside === '' || text[quoted.length] === "'" || text[quoted.length] === '"') return undefined
    const at = markOf(source, from, from + quoted.length)
    return { node: { kind: 'scalar', at, value: inside, text: inside }, length: quoted.length }
  }
  const [plain] = PLAIN.exec(text) ?? []
  const value = plain === undefined ? undefined : valueOf(plain)
  if (plain === undefined || value === undefined) return undefined
  return {
    node: { kind: 'scalar', at: markOf(source, from, from + plain.length), value, text: plain },
    length: plain.length,
  }
}

function valueOf(plain: string): string | number | boolean | undefined {
  if (plain === 'true' || plain === 'false') return plain === 'true'
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(plain)) return Number(plain)
  return SPECIAL.test(plain) ? undefined : plain
}

/** Where in the whole text a value stands, and inside how many others. */
interface ValueSpot {
  readonly from: number
  readonly depth: number
}

/** A list in brackets or a map in braces, on one line. */
export function quickFlow(source: Source, text: string, { from, depth }: ValueSpot): TakenValue | undefined {
  const open = text[0]
  if ((open !== '{' && open !== '[') || depth > DEPTH_MAX) return undefined
  const close = open === '{' ? '}' : ']'
  const entries: DocEntry[] = []
  const items: DocNode[] = []
  const keys = new Set<string>()
  let at = skip(text, 1)
  while (text[at] !== close) {
    if (entries.length + items.length > 0) {
      if (text[at] !== ',') return undefined
      at = skip(text, at + 1)
    }
    const [start = '', key = ''] = open === '{' ? (FLOW_KEY.exec(text.slice(at)) ?? []) : []
    if (open === '{' && (key === '' || keys.has(key))) return undefined
    keys.add(key)
    const rest = text.slice(at + start.length)
    const offset = from + at + start.length
    const value = quickFlow(source, rest, { from: offset, depth: depth + 1 }) ?? quickScalar(source, rest, offset)
    if (value === undefined) return undefined
    if (open === '{') entries.push({ key, keyAt: markOf(source, from + at, from + at + key.length), value: value.node })
    else items.push(value.node)
    at = skip(text, at + start.length + value.length)
  }
  const mark = markOf(source, from, from + at + 1)
  const node: DocNode = open === '{' ? { kind: 'map', at: mark, entries } : { kind: 'list', at: mark, items }
  return { node, length: at + 1 }
}

const FLOW_KEY = /^([A-Za-z_][A-Za-z0-9_.-]{0,100}): +/

function skip(text: string, from: number): number {
  let at = from
  while (text[at] === ' ') at++
  return at
}
