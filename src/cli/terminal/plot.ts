/** Values over time, one for each step; undefined: there is none. */
export type Steps = readonly (number | undefined)[]

const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const

/** One character for each value, from the lowest to the highest; a dot where there is none. */
export function spark(values: Steps): string {
  const { low, high } = rangeOf(values)
  return values.map((value) => (value === undefined ? '·' : BARS[levelOf(value, { low, high }, BARS.length)])).join('')
}

/** A small plot with the highest and the lowest value beside it, and what its left end is. Empty without a value. */
export function plot(
  values: Steps,
  { rows, label, from }: { readonly rows: number; readonly label: (value: number) => string; readonly from: string },
): readonly string[] {
  const { low, high } = rangeOf(values)
  if (low === undefined || high === undefined) return []
  const levels = values.map((value) =>
    value === undefined ? undefined : levelOf(value, { low, high }, rows * BARS.length) + 1,
  )
  const top = low === high ? Math.floor(rows / 2) : 0
  const wide = Math.max(label(low).length, label(high).length)
  const lines = Array.from({ length: rows }, (_, index) => {
    const below = (rows - 1 - index) * BARS.length
    const bars = levels.map((level) => (level === undefined ? (below === 0 ? '·' : ' ') : barAt(level - below)))
    const text = index === top ? label(high) : index === rows - 1 && low !== high ? label(low) : ''
    return `  ${text.padStart(wide)} │${bars.join('')}`.trimEnd()
  })
  const axis = `  ${' '.repeat(wide)} └${'─'.repeat(values.length)}`
  const ends = `  ${' '.repeat(wide)}  ${from}${'now'.padStart(Math.max(4, values.length - from.length))}`
  return [...lines, axis, ends]
}

function barAt(level: number): string {
  if (level <= 0) return ' '
  return BARS[Math.min(level, BARS.length) - 1] ?? ' '
}

interface Span {
  readonly low: number | undefined
  readonly high: number | undefined
}

function rangeOf(values: Steps): Span {
  const known = values.filter((value) => value !== undefined)
  if (known.length === 0) return { low: undefined, high: undefined }
  return { low: Math.min(...known), high: Math.max(...known) }
}

/** Where a value lies between the lowest and the highest. Values that are all the same lie in the middle. */
function levelOf(value: number, { low = value, high = value }: Span, levels: number): number {
  if (low === high) return Math.floor(levels / 2) - 1
  return Math.round(((value - low) / (high - low)) * (levels - 1))
}
