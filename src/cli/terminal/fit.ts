import { tinted, tintedHeadline, tintedState } from './color.ts'
import { fitTable, type Fitted } from './fit-table.ts'
import { CELL, width } from './table.ts'
import { glued, unglued } from './figures.ts'
import { wrap } from './wrap.ts'

/** The terminal or pipe that shows a page. */
export interface Screen {
  /** Undefined: not a terminal, so nothing is wrapped or shortened. */
  readonly columns: number | undefined
  readonly color: boolean
}

/** Narrower terminals wrap the lines themselves. */
const COLUMNS_MIN = 40

/** Fits the tables and sentences of a page to the terminal and colours them. In a pipe the page stays as it is. */
export function fit(page: string, { columns, color }: Screen): string {
  const wide = columns === undefined ? undefined : Math.max(COLUMNS_MIN, columns)
  const parts = blocksOf(page.split('\n')).map((block, index) =>
    block.kind === 'table'
      ? tableText(fitTable(block.lines, wide), color)
      : block.lines.flatMap((line) => fitLine(line, wide)).map((line, at) => shade(line, index + at, color)),
  )
  return parts.flat().join('\n')
}

/** Fits problems to the terminal; lines quoted from the user's file stay as they are. */
export function fitProblems(text: string, { columns, color }: Screen): string {
  const wide = columns === undefined ? undefined : Math.max(COLUMNS_MIN, columns)
  const lines = text.split('\n').flatMap((line) => (SOURCE_LINE.test(line) ? [line] : fitLine(line, wide)))
  return (color ? lines.map(shadeProblem) : lines).join('\n')
}

const SOURCE_LINE = /^ {4} *\d* \| /

function shadeProblem(line: string): string {
  if (SOURCE_LINE.test(line)) return line.replace(/\^+$/, (marks) => tinted(marks, 'bad'))
  return line.replace(
    /^( {2})([A-Z][A-Z0-9_]+)(?= at |$)/,
    (_, space: string, code: string) => space + tinted(code, 'bad'),
  )
}

interface Block {
  readonly kind: 'table' | 'lines'
  readonly lines: string[]
  readonly cells: number
}

function blocksOf(lines: readonly string[]): readonly Block[] {
  const blocks: Block[] = []
  for (const line of lines) {
    const cells = line.split(CELL).length
    const last = blocks.at(-1)
    if (last !== undefined && last.cells === cells) last.lines.push(line)
    else blocks.push({ kind: cells > 1 ? 'table' : 'lines', lines: [line], cells })
  }
  return blocks
}

function tableText({ rows, heads }: Fitted, color: boolean): readonly string[] {
  return rows.map(({ cells, isHead, isFirst }) => {
    if (!color) return cells.join('').trimEnd()
    const shaded = cells.map((cell, at) => {
      if (isHead) return tinted(cell, 'head')
      return isFirst && STATES.has(heads[at] ?? '') ? tintedState(cell) : cell
    })
    return shaded.join('').trimEnd()
  })
}

/** Columns that hold states, which are coloured. */
const STATES: ReadonlySet<string> = new Set(['STATE', 'ANSWERS', 'RESULT'])

function shade(line: string, at: number, color: boolean): string {
  if (!color) return line
  if (at === 0) return tintedHeadline(line)
  return line.replace(/^(Next:)/, (word) => tinted(word, 'quiet'))
}

/** Drawings and commands to paste are not wrapped. */
const AS_IT_IS = /[\u2500-\u259f\u2800-\u28ff]|^\s+(?:berth|npm|npx|curl|source) /u

function fitLine(line: string, columns: number | undefined): readonly string[] {
  if (columns === undefined || width(line) <= columns || AS_IT_IS.test(line)) return [line]
  const steps = line.split(/ {4,}(?=berth )/)
  if (steps.length > 1 || line.startsWith('Next:')) return nextLines(line)
  const indent = hangOf(line)
  const [first = '', ...rest] = wrap(glued(line.slice(indent)), columns - indent).map(unglued)
  return [line.slice(0, indent) + first, ...rest.map((text) => ' '.repeat(indent) + text)]
}

/** The next steps, one command per line. */
function nextLines(line: string): readonly string[] {
  const head = /^(?:Next: +)?/.exec(line)?.[0] ?? ''
  const commands = line.slice(head.length).split(/ {4,}/)
  return commands.map((command, at) => (at === 0 ? head : ' '.repeat(head.length)) + command)
}

/** The indent of continuation lines: below the text of `  name      text`, or below the first word. */
function hangOf(line: string): number {
  const named = /^\s*(?:\S+ )*\S+ {2,}(?=\S)/.exec(line)?.[0].length ?? 0
  if (named > 0 && named <= NAME_MAX) return named
  return /^\s*/.exec(line)?.[0].length ?? 0
}

const NAME_MAX = 24
