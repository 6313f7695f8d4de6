import { CST, Lexer, Parser } from 'yaml'
import type { SourceDocument } from '../../core/document/document.ts'
import type { SourcedProblem } from '../../core/base/problem.ts'
import { readYaml } from './yaml.ts'

/** Problems that stop the reader, although the rest of the file can be read. */
const PASSABLE: ReadonlySet<string> = new Set(['YAML_ALIAS', 'YAML_MANY_DOCUMENTS'])

/** Only files of this size are read a second time; for larger ones, only the first problem is reported. */
const LENGTH_MAX = 64 * 1024

const PROBLEMS_MAX = 20

/**
 * Reads a text that was refused for anchors, aliases or a second document without them, so that all other problems can
 * be reported too. Undefined when there is nothing to remove, or when the text is wrong in other ways too. The result is
 * only checked, never used.
 */
export function readPast(
  text: string,
  file: string,
): { readonly document: SourceDocument; readonly problems: readonly SourcedProblem[] } | undefined {
  let rest = text
  const problems: SourcedProblem[] = []
  while (problems.length < PROBLEMS_MAX && text.length <= LENGTH_MAX) {
    const read = readYaml(rest, file)
    if ('document' in read) return problems.length === 0 ? undefined : { document: read.document, problems }
    const [problem] = read.problems
    if (problem === undefined || !PASSABLE.has(problem.code)) return undefined
    problems.push(withLine(problem, text))
    rest = problem.code === 'YAML_ALIAS' ? withoutAlias(rest) : firstDocument(rest)
  }
  return undefined
}

/** The line as the user wrote it, not as it was changed for the second reading. */
function withLine(problem: SourcedProblem, text: string): SourcedProblem {
  const line = text.split('\n')[(problem.place?.line ?? 1) - 1]
  return line === undefined ? problem : { ...problem, sourceLine: line.trimEnd() }
}

/** Blanks out the first anchor, or turns the first alias into text, without moving anything. */
function withoutAlias(text: string): string {
  let offset = 0
  let isText = false
  for (const lexeme of new Lexer().lex(text)) {
    const type: CST.TokenType | null = isText ? null : CST.tokenType(lexeme)
    isText = type === 'scalar'
    const isSign = type === 'doc-mode' || type === 'flow-error-end' || type === 'scalar'
    if (type === 'anchor' || type === 'alias') {
      const filler = type === 'anchor' ? ' ' : 'x'
      return text.slice(0, offset) + filler.repeat(lexeme.length) + text.slice(offset + lexeme.length)
    }
    if (!isSign) offset += lexeme.length
  }
  // What is left is a key that merges.
  return text.replace('<<', 'xx')
}

function firstDocument(text: string): string {
  const starts: number[] = []
  for (const token of new Parser().parse(text)) if (token.type === 'document') starts.push(token.offset)
  return starts[1] === undefined ? text : text.slice(0, starts[1])
}
