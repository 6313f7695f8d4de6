import { CST, Lexer } from 'yaml'
import type { ErrorCode as YamlCode, YAMLParseError } from 'yaml'
import type { TextPlace, Problem } from '../../core/base/problem.ts'
import { placeAt } from '../source.ts'
import type { Source } from '../source.ts'

type Words = readonly [message: string, hint: string]

/** The first syntax error, in our own words. Later errors usually follow from the first. */
export function syntaxProblem(errors: readonly YAMLParseError[], source: Source): Problem {
  const error = errors.reduce((first, next) => (next.pos[0] < first.pos[0] ? next : first))
  const words = wordsFor(error)
  const deeper = words === INNER_KEY ? deeperBelow(error.pos[0], source) : undefined
  if (deeper !== undefined) return { code: 'YAML_SYNTAX', message: DEEPER[0], hint: DEEPER[1], place: deeper }
  const [from, to] = words === UNCLOSED ? openingBefore(error.pos, source) : error.pos
  // Errors about indentation point at the start of the line; the indented text is easier to see.
  const indent = words === INDENT ? (/^ */.exec(source.text.slice(from))?.[0].length ?? 0) : 0
  const place = placeAt(source, from + indent, Math.max(to, from + indent + 1))
  const isTab = /^ *\t/.test(source.lines[place.line - 1] ?? '')
  const [message, hint] = isTab ? TAB : (placeInFlow(source, place) ?? words)
  return { code: 'YAML_SYNTAX', message, hint, place }
}

/** `a: b` and an indented `c: 1` below it: the parser points at `b`, and the mistake is the indentation. */
function deeperBelow(at: number, source: Source): TextPlace | undefined {
  const [rest = ''] = source.text.slice(at).split('\n', 1)
  if (/:(?:\s|$)/.test(rest)) return undefined
  const below = /^\s*\n *(?=[^\s:#][^\n]*:(?:\s|$))/.exec(source.text.slice(at + rest.length))
  if (below === null) return undefined
  const from = at + rest.length + below[0].length
  const [line = ''] = source.text.slice(from).split('\n', 1)
  return placeAt(source, from, from + Math.max(1, line.trimEnd().length))
}

/** `{ count: ${gpus} }`: YAML takes the brace of a placeholder for its own. */
function placeInFlow({ lines }: Source, { line, column }: TextPlace): Words | undefined {
  const text = lines[line - 1] ?? ''
  const at = text.slice(0, column).lastIndexOf('${')
  if (at < 0 || !/[{[]/.test(text.slice(0, at))) return undefined
  const mended = text.replaceAll(/(?<!["'\w/.:-])\$\{[^{}"']*\}(?!["'\w/.:-])/g, (place) => `"${place}"`)
  if (mended === text) return undefined
  return ['Inside brackets, ${...} of a template needs quotes.', `Write ${mended.trim()}`]
}

const TAB: Words = ['The line is indented with a tab.', 'Indent with spaces.']
const UNCLOSED: Words = ['This is opened and never closed.', 'Add the closing quote or bracket.']
const NO_COLON: Words = ['A key must be followed by a colon and a space.', 'Write it as key: value']
const SEPARATOR: Words = [
  'A comma, a colon or a space is missing here.',
  'Put a comma between entries and a space after a colon.',
]
const INDENT: Words = [
  'The indentation does not match the lines around it.',
  'Start all entries of a map or list in the same column.',
]
const INNER_KEY: Words = [
  'There is a second key on this line.',
  'Put the value in quotes if it contains a colon, or move the inner key to its own line.',
]
const DEEPER: Words = [
  'This line is indented deeper than the key before it, and that key already has a value.',
  'Start both keys in the same column.',
]
const LONG_KEY: Words = ['A key must be on one line, followed by a colon.', 'Write it as key: value']
const UNEXPECTED: Words = ['This was not expected here.', 'Check brackets, quotes and indentation just before it.']

/** Aliases, tags and directives are refused earlier, so errors about them follow from something else. */
const WORDS: Readonly<Record<YamlCode, Words>> = {
  TAB_AS_INDENT: TAB,
  BAD_INDENT: INDENT,
  MISSING_CHAR: SEPARATOR,
  BLOCK_AS_IMPLICIT_KEY: INNER_KEY,
  MULTILINE_IMPLICIT_KEY: LONG_KEY,
  KEY_OVER_1024_CHARS: LONG_KEY,
  NON_STRING_KEY: ['A key must be text, not a list or a map.', 'Text that starts with [ or { needs quotes.'],
  BAD_SCALAR_START: ['Text cannot start with this character.', 'Put it in quotes.'],
  BAD_DQ_ESCAPE: ['This escape is not valid in double quotes.', 'Write \\\\ for a backslash, or use single quotes.'],
  BLOCK_IN_FLOW: [
    'A comma is missing, or there are indented entries inside brackets.',
    'Put a comma between entries. Inside brackets, use brackets for nested entries too.',
  ],
  UNEXPECTED_TOKEN: UNEXPECTED,
  ALIAS_PROPS: UNEXPECTED,
  BAD_ALIAS: UNEXPECTED,
  BAD_COLLECTION_TYPE: UNEXPECTED,
  BAD_DIRECTIVE: UNEXPECTED,
  BAD_PROP_ORDER: UNEXPECTED,
  DUPLICATE_KEY: UNEXPECTED,
  IMPOSSIBLE: UNEXPECTED,
  MULTIPLE_ANCHORS: UNEXPECTED,
  MULTIPLE_DOCS: UNEXPECTED,
  MULTIPLE_TAGS: UNEXPECTED,
  RESOURCE_EXHAUSTION: UNEXPECTED,
  TAG_RESOLVE_FAILED: UNEXPECTED,
}

function wordsFor({ code, message }: YAMLParseError): Words {
  if (/closing|must end with|and end with/.test(message)) return UNCLOSED
  if (message.includes('followed by map values')) return NO_COLON
  return WORDS[code]
}

/** Errors about something unclosed point at the end of the text; the user needs to see where it was opened. */
function openingBefore([end, after]: YAMLParseError['pos'], { text }: Source): readonly [number, number] {
  const open: number[] = []
  let offset = 0
  let isScalar = false
  for (const lexeme of new Lexer().lex(text)) {
    const type: CST.TokenType | null = isScalar ? null : CST.tokenType(lexeme)
    isScalar = type === 'scalar'
    // Control tokens of the lexer have no text.
    if (type === 'doc-mode' || type === 'flow-error-end' || type === 'scalar') continue
    const isQuoted = type === 'double-quoted-scalar' || type === 'single-quoted-scalar'
    if (isQuoted && offset + lexeme.length === end) return [offset, offset + 1]
    if (offset >= end) break
    if (type === 'flow-map-start' || type === 'flow-seq-start') open.push(offset)
    if (type === 'flow-map-end' || type === 'flow-seq-end') open.pop()
    offset += lexeme.length
  }
  const opening = open.at(-1)
  return opening === undefined ? [end, after] : [opening, opening + 1]
}
