import type { Mark } from '../core/document/document.ts'
import type { TextPlace } from '../core/base/problem.ts'

/** A text split into lines, which converts an offset to a place. */
export interface Source {
  readonly file: string
  readonly text: string
  readonly lines: readonly string[]
  /** Offset of each line's first character. */
  readonly starts: readonly number[]
}

export function sourceOf(text: string, file: string): Source {
  const lines: string[] = []
  const starts: number[] = []
  let start = 0
  for (const line of text.split('\n')) {
    starts.push(start)
    lines.push(line.endsWith('\r') ? line.slice(0, -1) : line)
    start += line.length + 1
  }
  return { file, text, lines, starts }
}

/** The range between two offsets, cut at the end of its first line; at least one character long. */
export function markOf({ lines, starts }: Source, from: number, to: number): Mark {
  const index = lineIndex(starts, from)
  const start = starts[index] ?? 0
  const lineEnd = start + (lines[index] ?? '').trimEnd().length
  return { line: index + 1, column: from - start + 1, length: Math.max(1, Math.min(to, lineEnd) - from) }
}

export function placeAt(source: Source, from: number, to: number): TextPlace {
  return { file: source.file, ...markOf(source, from, to) }
}

/** The last line that starts at or before the offset. */
function lineIndex(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}
