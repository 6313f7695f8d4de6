/** One column: its head and its alignment. */
export interface Column {
  readonly head: string
  readonly align?: 'left' | 'right'
}

/**
 * Separates the cells of a row, so that a page can be fitted to the terminal when it is shown (fit.ts). It has no width
 * and is removed before anything is printed.
 */
export const CELL = '\u001f'

/** Aligned columns, two spaces apart and indented by two. The last column is not padded. */
export function table(columns: readonly Column[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [columns.map((column) => column.head), ...rows]
  const widths = columns.map((_, index) => Math.max(...all.map((row) => width(row[index] ?? ''))))
  return all.map((row) => {
    const cells = columns.map((column, index) => pad(row[index] ?? '', widths[index] ?? 0, column.align ?? 'left'))
    return `  ${cells.join(`  ${CELL}`)}`.trimEnd()
  })
}

/** The width as displayed: one column per character, none for combining marks and the cell separator. */
export function width(text: string): number {
  return [...text.replaceAll(/\p{M}/gu, '').replaceAll(CELL, '')].length
}

/** Text padded to the width of its column. */
export function pad(text: string, to: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, to - width(text)))
  return align === 'left' ? text + space : space + text
}
