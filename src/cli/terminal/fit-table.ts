import { glued, unglued } from './figures.ts'
import { CELL, pad, width } from './table.ts'
import { wrap } from './wrap.ts'

/** One line of a fitted table. */
interface Line {
  /** Padded, including the space between columns. */
  readonly cells: readonly string[]
  readonly isHead: boolean
  /** Whether it is the first line of its row; the others hold wrapped text. */
  readonly isFirst: boolean
}

export interface Fitted {
  readonly rows: readonly Line[]
  /** The heads of the columns; empty for a table without heads. */
  readonly heads: readonly string[]
}

/** A printed table, parsed back into cells. */
interface Grid {
  readonly rows: readonly (readonly string[])[]
  readonly aligns: readonly ('left' | 'right')[]
  readonly heads: readonly string[]
}

const GAP = '  '
const BELOW = ' '.repeat(6)

/**
 * Fits a table into the columns of a terminal. Text wraps between words, the widest column first. If that is not enough,
 * a last column of text moves below its row, and then long identifiers lose their middle. Words and figures stay whole.
 */
export function fitTable(lines: readonly string[], columns: number | undefined): Fitted {
  const grid = gridOf(lines)
  const natural = widthsOf(grid.rows)
  if (columns === undefined || total(natural) <= columns) return laidOut(grid, natural)
  const wrapped = shrunk(
    natural,
    grid.aligns.map((_, at) => wordsMin(grid, at)),
    columns,
  )
  if (total(wrapped) <= columns) return laidOut(grid, wrapped)
  if (grid.rows.some((row) => isSentence(row.at(-1) ?? ''))) return withLastBelow(grid, columns)
  const shortened = shrunk(
    wrapped,
    grid.aligns.map((_, at) => shortMin(grid, at)),
    columns,
  )
  return total(shortened) <= columns ? laidOut(grid, shortened) : withLastBelow(grid, columns)
}

/** Shorter cells never move below their row. */
const SENTENCE_MIN = 18

function isSentence(cell: string): boolean {
  return width(cell) >= SENTENCE_MIN && cell.includes(' ')
}

function gridOf(lines: readonly string[]): Grid {
  const rows = lines.map((line) => line.slice(GAP.length).split(CELL))
  const [first = []] = rows
  const padded = first.map((_, at) => rows.map((row) => row[at] ?? ''))
  const aligns = padded.map((cells, at) => alignOf(cells, at === first.length - 1))
  const heads = first.map((cell) => cell.trim())
  const isHeaded = heads.every((head) => HEAD.test(head)) && heads.some((head) => head !== '')
  return {
    rows: rows.map((row) => row.map((cell, at) => (aligns[at] === 'right' ? cell.trim() : cell.trimEnd()))),
    aligns,
    heads: isHeaded ? heads : [],
  }
}

/** A right-aligned column: every cell ends at the right edge. Indented text starts late but ends anywhere. */
function alignOf(padded: readonly string[], isLast: boolean): 'left' | 'right' {
  const cells = isLast ? padded : padded.map((cell) => cell.slice(0, -GAP.length))
  const isFlush = cells.every(
    (cell) => cell.trim() === '' || (!cell.endsWith(' ') && width(cell) === width(cells[0] ?? '')),
  )
  return isFlush && cells.some((cell) => /^\s+\S/.test(cell)) ? 'right' : 'left'
}

/** Heads are in capitals, except `$/h`. */
const HEAD = /^(?:[A-Z0-9%/ -]*|.*\$\/h)$/

function widthsOf(rows: Grid['rows']): readonly number[] {
  const [first = []] = rows
  return first.map((_, at) => Math.max(...rows.map((row) => width(row[at] ?? ''))))
}

function total(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + GAP.length, 0)
}

/** Shrinks the widest column that may still shrink, one character at a time. */
function shrunk(from: readonly number[], mins: readonly number[], columns: number): readonly number[] {
  const widths = [...from]
  for (let over = total(widths) - columns; over > 0; over--) {
    const may = widths.map((one, at) => (one > (mins[at] ?? one) ? one : 0))
    const widest = Math.max(...may)
    if (widest === 0) break
    const at = may.indexOf(widest)
    widths[at] = widest - 1
  }
  return widths
}

const TEXT_MIN = 12

/** The narrowest that a column of text can be without a break inside a word or a figure. */
function wordsMin({ rows, aligns }: Grid, at: number): number {
  const cells = rows.map((row) => row[at] ?? '')
  const whole = Math.max(...cells.map(width))
  const words = Math.max(...cells.flatMap((cell) => glued(cell).split(' ').map(width)))
  return Math.max(words, Math.min(whole, aligns[at] === 'right' ? 0 : TEXT_MIN))
}

const SHORT_MIN = 14

/** Columns whose cells users paste into the next command. */
const PASTED: ReadonlySet<string> = new Set(['NAME', 'SLOT', 'ADDRESS', 'CODE', 'PROJECT'])

/** The narrowest that a column can be when identifiers may lose their middle. */
function shortMin(grid: Grid, at: number): number {
  const words = grid.rows.flatMap((row) => glued(row[at] ?? '').split(' '))
  const least = wordsMin(grid, at)
  if (PASTED.has(grid.heads[at] ?? '') || grid.aligns[at] === 'right') return least
  return Math.max(...words.map((word) => (isIdentifier(word) ? Math.min(width(word), SHORT_MIN) : width(word))))
}

function isIdentifier(word: string): boolean {
  return /[a-z]/i.test(word) && /[\d/._-]/.test(word) && !word.includes('://') && !word.includes('\u00a0')
}

/** `0mwivy…2dd9bfad` */
function shortened(word: string, to: number): string {
  if (width(word) <= to || !isIdentifier(word)) return word
  const letters = [...word]
  const front = Math.ceil((to - 1) / 2)
  return `${letters.slice(0, front).join('')}…${letters.slice(letters.length - (to - 1 - front)).join('')}`
}

function laidOut({ rows, aligns, heads }: Grid, widths: readonly number[]): Fitted {
  const last = widths.length - 1
  const lines = rows.flatMap((row, index) => {
    const cells = row.map((cell, at) => folded(cell, widths[at] ?? 0))
    const height = Math.max(...cells.map((one) => one.length))
    return Array.from({ length: height }, (_, line): Line => {
      const texts = cells.map((one, at) => {
        const text = one[line] ?? ''
        return GAP + (at === last && aligns[at] !== 'right' ? text : pad(text, widths[at] ?? 0, aligns[at] ?? 'left'))
      })
      return { cells: texts, isHead: index === 0 && heads.length > 0, isFirst: line === 0 }
    })
  })
  return { rows: lines, heads }
}

function folded(cell: string, to: number): readonly string[] {
  if (width(cell) <= to) return [cell]
  return wrap(glued(cell), to).map((line) => unglued(shortened(line, to)))
}

/** Moves the last column, which usually has the longest text, to lines of its own below each row. */
function withLastBelow(grid: Grid, columns: number): Fitted {
  const front: Grid = {
    rows: grid.rows.map((row) => row.slice(0, -1)),
    aligns: grid.aligns.slice(0, -1),
    heads: grid.heads.slice(0, -1),
  }
  const natural = widthsOf(front.rows)
  const wrapped = shrunk(
    natural,
    front.aligns.map((_, at) => wordsMin(front, at)),
    columns,
  )
  const widths = shrunk(
    wrapped,
    front.aligns.map((_, at) => shortMin(front, at)),
    columns,
  )
  const isTone = grid.heads.length > 0
  const rows = grid.rows.flatMap((row, index) => {
    const above = laidOut({ ...front, rows: [row.slice(0, -1)] }, widths).rows
    const isHead = index === 0 && isTone
    const text = row.at(-1) ?? ''
    const below = text === '' ? [] : folded(text, columns - BELOW.length)
    return [
      ...above.map((line) => ({ ...line, isHead })),
      ...below.map((line, at): Line => ({
        cells: [...front.aligns.map(() => ''), BELOW + line],
        isHead,
        isFirst: at === 0,
      })),
    ]
  })
  return { rows, heads: grid.heads }
}
