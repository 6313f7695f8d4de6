import { width } from './table.ts'

/** Breaks text between words into lines of at most `columns` characters. A longer word gets a line of its own. */
export function wrap(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line === '') line = word
    else if (width(line) + 1 + width(word) <= columns) line += ` ${word}`
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}
