import { Composer, CST, isScalar, Lexer, Parser } from 'yaml'
import type { YAMLParseError } from 'yaml'
import type { SourceDocument } from '../../core/document/document.ts'
import type { ErrorCode } from '../../codes/errors.ts'
import { inOrder } from '../../core/document/in-order.ts'
import { sourced } from '../../core/document/look-up.ts'
import type { Problem, SourcedProblem } from '../../core/base/problem.ts'
import { placeAt, sourceOf } from '../source.ts'
import type { Source } from '../source.ts'
import { buildDocument } from './build.ts'
import { syntaxProblem } from './syntax.ts'

/** Problems include their source line. */
export type Read = { readonly document: SourceDocument } | { readonly problems: readonly SourcedProblem[] }

/** No real manifest or infrastructure file comes close; anything larger is data in the wrong place. */
const BYTES_MAX = 256 * 1024

/** The most tokens; the largest ordinary file has fewer. The limit keeps the time for the worst file short. */
const LEXEMES_MAX = 65_536

/** How deep lists and maps may be nested; the outermost map is the first level. */
const DEPTH_MAX = 32

/** YAML allows no control characters except tabs and line ends, and the lexer uses some of them as its own tokens. */
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]|\r(?!\n)/

/**
 * Reads YAML, which includes JSON, into a document that remembers where everything was. Whatever the input, it returns
 * in bounded time and does not throw: size, encoding, depth, aliases and tags are checked before any recursive or
 * expanding step sees the text.
 */
export function readYaml(input: string | Uint8Array, file: string): Read {
  if (byteLength(input) > BYTES_MAX) return refuse('YAML_TOO_LARGE', sourceOf('', file), [0])
  const { text, isClean } = decode(input)
  const source = sourceOf(text, file)
  const read = isClean ? readText(source) : refuse('YAML_ENCODING', source, [Math.max(0, text.indexOf(REPLACEMENT))])
  return 'document' in read ? read : { problems: sourced(inOrder(read.problems), source) }
}

function readText(source: Source): Read {
  const unprintable = UNPRINTABLE.exec(source.text)
  if (unprintable !== null) return refuse('YAML_ENCODING', source, [unprintable.index])
  const scanned = scan(source)
  return 'problems' in scanned ? scanned : compose(scanned.tokens, source)
}

function byteLength(input: string | Uint8Array): number {
  return typeof input === 'string' ? Buffer.byteLength(input) : input.byteLength
}

/** What decoders put in place of invalid bytes. */
const REPLACEMENT = '\ufffd'

/** The text without a byte order mark. It is not clean when it has bytes that are not UTF-8. */
function decode(input: string | Uint8Array): { readonly text: string; readonly isClean: boolean } {
  if (typeof input === 'string')
    return { text: input.toWellFormed().replace(/^\ufeff/, ''), isClean: input.isWellFormed() }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(input), isClean: true }
  } catch {
    return { text: new TextDecoder('utf-8').decode(input), isClean: false }
  }
}

/**
 * Lexes and parses without recursion, and stops at the first token that is not allowed. Composing, which recurses, sees
 * only what passed.
 */
function scan(source: Source): { readonly tokens: readonly CST.Token[] } | { readonly problems: readonly Problem[] } {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let isText = false
  let lexemes = 0
  for (const lexeme of new Lexer().lex(source.text)) {
    if (++lexemes > LEXEMES_MAX) return refuse('YAML_TOO_LARGE', source, [parser.offset])
    const type: CST.TokenType | null = isText ? null : CST.tokenType(lexeme)
    isText = type === 'scalar'
    const code = forbidden(type)
    if (code !== undefined) return refuse(code, source, [parser.offset, lexeme.length])
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (depthOf(parser.stack) > DEPTH_MAX) return refuse('YAML_TOO_DEEP', source, [parser.offset - lexeme.length])
    // The composer puts the first error into words; what comes after it is of no use.
    if (tokens.at(-1)?.type === 'error') break
  }
  for (const token of parser.end()) tokens.push(token)
  return { tokens }
}

function forbidden(type: CST.TokenType | null): Refusal | undefined {
  if (type === 'anchor' || type === 'alias') return 'YAML_ALIAS'
  if (type === 'tag' || type === 'directive-line') return 'YAML_TAG'
  return undefined
}

function depthOf(stack: readonly CST.Token[]): number {
  // Counting is left out as long as the whole stack is low enough.
  return stack.length <= DEPTH_MAX ? stack.length : stack.filter((token) => 'items' in token).length
}

function compose(tokens: readonly CST.Token[], source: Source): Read {
  const starts = tokens.filter((token) => token.type === 'document').map((token) => token.offset)
  if (starts[1] !== undefined) return refuse('YAML_MANY_DOCUMENTS', source, [starts[1]])
  const { contents, errors } = composeTokens(tokens)
  if (errors.length > 0) return { problems: [syntaxProblem(errors, source)] }
  // Comments alone make no document; `---` alone makes one with nothing in it.
  if (isNothing(contents)) return refuse('YAML_EMPTY', source, [0])
  return buildDocument(contents, source)
}

/** Keys are compared by yaml-build.ts: the composer would compare each with every other. */
function composeTokens(tokens: readonly CST.Token[]): { contents: unknown; errors: readonly YAMLParseError[] } {
  const composer = new Composer({ schema: 'core', stringKeys: true, uniqueKeys: false, prettyErrors: false })
  const stackTraceLimit = Error.stackTraceLimit
  try {
    // A bad file can have a hundred thousand errors, and their stacks are not used.
    Error.stackTraceLimit = 0
    const [composed] = composer.compose(tokens)
    return { contents: composed?.contents, errors: composed?.errors ?? composer.streamInfo().errors }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function isNothing(contents: unknown): boolean {
  return contents === undefined || contents === null || (isScalar(contents) && contents.source === '')
}

type Refusal = Exclude<Extract<ErrorCode, `YAML_${string}`>, 'YAML_SYNTAX'>

/** The message and the hint for each refusal. */
const REFUSALS: Readonly<Record<Refusal, readonly [message: string, hint: string]>> = {
  YAML_TOO_LARGE: [
    'The file is too large: over 256 KB, or over 65,536 tokens.',
    'Put models and data in storage, and scripts in the image.',
  ],
  YAML_TOO_DEEP: [
    'Lists and maps are nested more than 32 levels deep.',
    'Look for brackets that are opened repeatedly, or for indentation that keeps growing.',
  ],
  YAML_ENCODING: ['This is not valid UTF-8 text.', 'Save the file as UTF-8, without control characters.'],
  YAML_EMPTY: ['The file has no content.', 'A manifest starts with: berth: v1'],
  YAML_MANY_DOCUMENTS: ['A second document starts here.', 'Put each document into its own file.'],
  YAML_ALIAS: ['Anchors and aliases are not allowed.', 'Write the value itself. If it is text, put it in quotes.'],
  YAML_TAG: ['Tags and directives are not allowed.', 'Remove it. If it is text, put it in quotes.'],
}

function refuse(
  code: Refusal,
  source: Source,
  [offset, length = 1]: readonly [offset: number, length?: number],
): { readonly problems: readonly Problem[] } {
  const [message, hint] = REFUSALS[code]
  return { problems: [{ code, message, hint, place: placeAt(source, offset, offset + length) }] }
}
