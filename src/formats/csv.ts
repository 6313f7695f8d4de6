/** A table in CSV: RFC 4180 quoting, LF or CRLF, with or without a byte order mark. */
export interface CsvTable {
  /** Column names of the first row; empty for an empty text. */
  readonly header: readonly string[]
  /** The rows below the header, read lazily. Blank lines are skipped. The rows can be iterated again. */
  rows(): Iterable<CsvRow>
}

export interface CsvRow {
  /** The line on which the row starts; the header is usually line 1. */
  readonly line: number
  readonly fields: readonly string[]
  /**
   * Set when the row cannot be trusted, which never stops the rows after it. `width`: more or fewer fields than the
   * header. `quote`: a quoted field is not closed or goes on after its closing quote; only this one line is given up.
   */
  readonly fault: 'width' | 'quote' | undefined
}

/** Reads a CSV text. Nothing is trimmed or converted: fields are exactly the text between the commas. */
export function readCsv(text: string): CsvTable {
  let header: readonly string[] = []
  for (const row of scan(text, undefined)) {
    header = row.fields
    break
  }
  return { header, rows: () => rowsBelow(text, header.length) }
}

function* rowsBelow(text: string, width: number): Generator<CsvRow> {
  let isHeader = true
  for (const row of scan(text, width)) {
    if (!isHeader) yield row
    isHeader = false
  }
}

/**
 * Most lines hold no quote at all and are split in one go; `quoteAt` remembers where the next quote stands, so that
 * finding this out costs one search for the whole stretch of plain lines.
 */
function* scan(text: string, width: number | undefined): Generator<CsvRow> {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  let quoteAt = indexOrEnd(text, '"', at)
  while (at < text.length) {
    const newline = indexOrEnd(text, '\n', at)
    const isPlain = quoteAt >= newline
    const row = isPlain ? undefined : quotedRow(text, at)
    const fields = row?.fields ?? splitLine(text, at, newline)
    const isBlank = fields.length === 1 && fields[0] === '' && isPlain
    const fault =
      !isPlain && row === undefined ? 'quote' : width === undefined || fields.length === width ? undefined : 'width'
    if (!isBlank) yield { line, fields, fault }
    const end = row?.end ?? newline
    line += row === undefined ? 1 : 1 + newlinesWithin(text, newline, end)
    at = end + 1
    if (quoteAt < at) quoteAt = indexOrEnd(text, '"', at)
  }
}

function indexOrEnd(text: string, sought: string, from: number): number {
  const index = text.indexOf(sought, from)
  return index === -1 ? text.length : index
}

function splitLine(text: string, start: number, newline: number): string[] {
  return text.slice(start, beforeReturn(text, start, newline)).split(',')
}

function beforeReturn(text: string, start: number, newline: number): number {
  return newline > start && text[newline - 1] === '\r' ? newline - 1 : newline
}

/** The row that starts at `start`, which has a quote somewhere; undefined when its quoting is broken. */
function quotedRow(text: string, start: number): { fields: string[]; end: number } | undefined {
  const fields: string[] = []
  let at = start
  for (;;) {
    const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at)
    if (field === undefined) return undefined
    fields.push(field.value)
    if (text[field.end] !== ',') return { fields, end: text[field.end] === '\r' ? field.end + 1 : field.end }
    at = field.end + 1
  }
}

interface Field {
  readonly value: string
  /** Index of the comma, carriage return or newline after it, or the end of the text. */
  readonly end: number
}

function plainField(text: string, start: number): Field {
  const newline = indexOrEnd(text, '\n', start)
  const comma = text.slice(start, newline).indexOf(',')
  const end = comma === -1 ? beforeReturn(text, start, newline) : start + comma
  return { value: text.slice(start, end), end }
}

function quotedField(text: string, start: number): Field | undefined {
  let quote = text.indexOf('"', start + 1)
  let isEscaped = false
  while (quote !== -1 && text[quote + 1] === '"') {
    isEscaped = true
    quote = text.indexOf('"', quote + 2)
  }
  if (quote === -1 || !endsField(text, quote + 1)) return undefined
  const inside = text.slice(start + 1, quote)
  return { value: isEscaped ? inside.replaceAll('""', '"') : inside, end: quote + 1 }
}

function endsField(text: string, index: number): boolean {
  const after = text[index] === '\r' ? (text[index + 1] ?? '\n') : text[index]
  return after === undefined || after === '\n' || text[index] === ','
}

function newlinesWithin(text: string, firstNewline: number, end: number): number {
  let count = 0
  for (let index = firstNewline; index < end && index !== -1; index = text.indexOf('\n', index + 1)) count++
  return count
}
