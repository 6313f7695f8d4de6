import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export const ROOT = join(import.meta.dirname, '../..')

/** One of our source files, as the house rules look at it. */
export interface SourceFile {
  /** From the repository root: `src/core/place/plan.ts`. */
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
  /** The text with everything inside strings, regular expressions and comments replaced by spaces. */
  readonly code: string
  /** Tests, suites and fixtures may do what they need to. */
  readonly isTest: boolean
}

/** Every file below a folder of the repository whose name ends so. */
export function filesUnder(folder: string, ending: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort()
}

export function readSource(path: string): SourceFile {
  return sourceOf(path, readFileSync(join(ROOT, path), 'utf8'))
}

export function sourceOf(path: string, text: string): SourceFile {
  const isTest = /\.(test|suite|fixture)\.ts$/.test(path)
  return { path, text, lines: text.trimEnd().split('\n'), code: blanked(text), isTest }
}

/** The modules a file imports, as written. */
export function importsOf({ text }: SourceFile): readonly string[] {
  return [
    ...text.matchAll(/^(?:import|export)\b[^'"`;]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '')
}

/** A function with a body of its own. */
export interface FunctionFound {
  readonly line: number
  readonly lines: number
}

/** Functions by their indentation, which the formatter keeps: a body ends with the first `}` as far left as it began. */
export function functionsOf({ code }: SourceFile): readonly FunctionFound[] {
  const lines = code.split('\n')
  return lines.flatMap((line, index) => {
    if (!startsFunction(line)) return []
    const indent = indentOf(line)
    const length = lines
      .slice(index + 1)
      .findIndex((next) => next.trimStart().startsWith('}') && indentOf(next) === indent)
    return length < 0 ? [] : [{ line: index + 1, lines: length + 2 }]
  })
}

/** How many parameters each function takes, by line. */
export function parametersOf({ code }: SourceFile): readonly { readonly line: number; readonly count: number }[] {
  const starts =
    /\bfunction\b[^(]*\(|^\s+(?:readonly )?[\w#]+(?=\([^)]*\)[^()]*\{$)\(|\((?=(?:[^()]|\([^()]*\))*\)(?:: [^=()]+)? =>)/gm
  return [...code.matchAll(starts)].map((match) => {
    const open = match.index + match[0].length
    return { line: code.slice(0, open).split('\n').length, count: countUntilClosed(code.slice(open)) }
  })
}

function startsFunction(line: string): boolean {
  if (/^\s*(?:if|for|while|switch|else|try|\}|do)\b/.test(line)) return false
  return /\bfunction\b/.test(line) || line.endsWith('=> {') || /^\s*(?:async )?[\w#]+\(.*\)(?:: .+)? \{$/.test(line)
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** Parts between commas up to the bracket that closes the list, whatever brackets stand in between. */
function countUntilClosed(rest: string): number {
  let depth = 0
  let commas = 0
  let last = ''
  for (const [at, letter] of [...rest].entries()) {
    const isArrow = letter === '>' && rest[at - 1] === '='
    if ('([{<'.includes(letter)) depth++
    else if (')]}>'.includes(letter) && !isArrow) depth--
    if (depth < 0) return last === '' ? 0 : last === ',' ? commas : commas + 1
    if (letter === ',' && depth === 0) commas++
    if (letter.trim() !== '') last = letter
  }
  return 0
}

/** Strings, templates, regular expressions and comments, in the order they are tried. */
const TOKENS =
  /\/\/[^\n]*|\/\*[^]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[(,=:[!&|?{};\n]\s*|return )\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g

function blanked(text: string): string {
  return text.replaceAll(TOKENS, (token) => token.replaceAll(/[^\n]/g, ' '))
}
