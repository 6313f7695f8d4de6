/** One column: what stands in its head, and whether it holds numbers. */
export interface Column {
  readonly head: string
  readonly align?: 'left' | 'right'
}

/**
 * Stands between the cells of a row, so that a page can be fitted to the terminal when it is shown (fit.ts). It takes no
 * room, and is gone from everything that is printed.
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

/** Cells as wide as they look: one column a character, none for combining marks and for what stands between cells. */
export function width(text: string): number {
  return [...text.replaceAll(/\p{M}/gu, '').replaceAll(CELL, '')].length
}

/** A text made as wide as its column. */
export function pad(text: string, to: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, to - width(text)))
  return align === 'left' ? text + space : space + text
}
