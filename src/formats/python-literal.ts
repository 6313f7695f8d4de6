/** A value written as a Python or JSON literal. Maps, not objects, so that no key can reach a prototype. */
export type Literal = string | number | boolean | null | readonly Literal[] | ReadonlyMap<string, Literal>

/** Longer texts are refused: those in catalogues have a few hundred characters. */
export const LITERAL_CHARS_MAX = 65_536
export const LITERAL_DEPTH_MAX = 16

/**
 * Reads a literal: strings in either quote, numbers, lists, tuples (as lists), dicts, and the words of both languages
 * (`None`, `null`, `True`, `true`, ...), mixed as sources mix them. Nothing is ever evaluated. Undefined when the text is not a literal.
 */
export function parseLiteral(text: string): Literal | undefined {
  if (text.length > LITERAL_CHARS_MAX) return undefined
  const value = readValue(text, skipSpace(text, 0), 0)
  if (value === undefined || skipSpace(text, value.end) !== text.length) return undefined
  return value.value
}

interface Read<T> {
  readonly value: T
  /** Index after the last character read. */
  readonly end: number
}

const WORDS: ReadonlyMap<string, boolean | null> = new Map([
  ['None', null],
  ['null', null],
  ['True', true],
  ['true', true],
  ['False', false],
  ['false', false],
])

function readValue(text: string, at: number, depth: number): Read<Literal> | undefined {
  if (depth > LITERAL_DEPTH_MAX) return undefined
  const char = text[at]
  if (char === '{') return readDict(text, at + 1, depth)
  if (char === '[') return readList(text, { at: at + 1, close: ']', depth })
  if (char === '(') return readList(text, { at: at + 1, close: ')', depth })
  return char === "'" || char === '"' ? readString(text, at) : readWord(text, at)
}

function readDict(text: string, start: number, depth: number): Read<Literal> | undefined {
  const entries = new Map<string, Literal>()
  let at = skipSpace(text, start)
  while (text[at] !== '}') {
    const key = readValue(text, at, LITERAL_DEPTH_MAX)
    if (key === undefined || (typeof key.value !== 'string' && typeof key.value !== 'number')) return undefined
    const colon = skipSpace(text, key.end)
    if (text[colon] !== ':') return undefined
    const value = readValue(text, skipSpace(text, colon + 1), depth + 1)
    if (value === undefined) return undefined
    entries.set(String(key.value), value.value)
    const next = nextItem(text, value.end, '}')
    if (next === undefined) return undefined
    at = next
  }
  return { value: entries, end: at + 1 }
}

function readList(
  text: string,
  from: { readonly at: number; readonly close: string; readonly depth: number },
): Read<Literal> | undefined {
  const items: Literal[] = []
  let at = skipSpace(text, from.at)
  while (text[at] !== from.close) {
    const item = readValue(text, at, from.depth + 1)
    if (item === undefined) return undefined
    items.push(item.value)
    const next = nextItem(text, item.end, from.close)
    if (next === undefined) return undefined
    at = next
  }
  return { value: items, end: at + 1 }
}

/** The position of the next item or of the closing bracket; undefined when neither can follow. */
function nextItem(text: string, end: number, close: string): number | undefined {
  const at = skipSpace(text, end)
  if (text[at] === close) return at
  return text[at] === ',' ? skipSpace(text, at + 1) : undefined
}

function readString(text: string, start: number): Read<string> | undefined {
  const quote = text[start]
  let value = ''
  let at = start + 1
  while (at < text.length) {
    const char = text[at]
    if (char === quote) return { value, end: at + 1 }
    if (char === '\n') return undefined
    if (char === '\\') {
      const escape = readEscape(text, at + 1)
      if (escape === undefined) return undefined
      value += escape.value
      at = escape.end
    } else {
      value += char
      at++
    }
  }
  return undefined
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['/', '/'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
])

/** Digits of an escape that names its character by number. */
const ESCAPE_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

function readEscape(text: string, at: number): Read<string> | undefined {
  const char = text[at] ?? ''
  const plain = ESCAPES.get(char)
  if (plain !== undefined) return { value: plain, end: at + 1 }
  const digits = ESCAPE_DIGITS.get(char)
  if (digits === undefined) return undefined
  const end = at + 1 + digits
  const hex = text.slice(at + 1, end)
  if (hex.length !== digits || !/^[0-9a-fA-F]+$/.test(hex)) return undefined
  const code = Number.parseInt(hex, 16)
  return code > 0x10ffff ? undefined : { value: String.fromCodePoint(code), end }
}

const WORD = /[-+.0-9A-Za-z]+/y
const NUMBER = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/

function readWord(text: string, at: number): Read<number | boolean | null> | undefined {
  WORD.lastIndex = at
  const word = WORD.exec(text)?.[0]
  if (word === undefined) return undefined
  const end = at + word.length
  const named = WORDS.get(word)
  if (named !== undefined) return { value: named, end }
  if (!NUMBER.test(word)) return undefined
  const value = Number(word)
  return Number.isFinite(value) ? { value, end } : undefined
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && ' \t\r\n'.includes(text[at] ?? '')) at++
  return at
}
