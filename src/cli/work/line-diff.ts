/** A line of two texts that were compared. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** Which lines one text has and the other has not, in order: the longest common run of lines stays. */
export function diffLines(from: string, into: string): readonly DiffLine[] {
  const [before, after] = [linesOf(from), linesOf(into)]
  const common = commonLengths(before, after)
  const lines: DiffLine[] = []
  let [one, two] = [0, 0]
  while (one < before.length || two < after.length) {
    const [gone, fresh] = [before[one], after[two]]
    if (gone !== undefined && gone === fresh) {
      lines.push({ kind: 'same', text: gone })
      one++
      two++
    } else if (gone !== undefined && (fresh === undefined || at(common, one + 1, two) >= at(common, one, two + 1))) {
      lines.push({ kind: 'gone', text: gone })
      one++
    } else {
      lines.push({ kind: 'new', text: fresh ?? '' })
      two++
    }
  }
  return lines
}

/** Lines around a change that are shown with it. */
const AROUND = 3

/** The changes, as `- gone` and `+ new`, with some lines around each; what lies between is counted. */
export function diffText(lines: readonly DiffLine[]): readonly string[] {
  const shown = lines.map((_, index) =>
    lines.slice(Math.max(0, index - AROUND), index + AROUND + 1).some(({ kind }) => kind !== 'same'),
  )
  const texts: string[] = []
  let hidden = 0
  for (const [index, { kind, text }] of lines.entries()) {
    if (shown[index] !== true) hidden++
    else {
      if (hidden > 0) texts.push(`  ... ${hidden} the same`)
      hidden = 0
      texts.push(`${SIGNS[kind]} ${text}`.trimEnd())
    }
  }
  return hidden > 0 ? [...texts, `  ... ${hidden} the same`] : texts
}

const SIGNS = { same: ' ', gone: '-', new: '+' } as const

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, '').split('\n')
}

/** Length of the longest common run of what follows each pair of lines. A manifest has at most some thousand lines. */
function commonLengths(before: readonly string[], after: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  for (let one = before.length - 1; one >= 0; one--) {
    for (let two = after.length - 1; two >= 0; two--) {
      const length =
        before[one] === after[two]
          ? at(rows, one + 1, two + 1) + 1
          : Math.max(at(rows, one + 1, two), at(rows, one, two + 1))
      rows[one]?.fill(length, two, two + 1)
    }
  }
  return rows
}

function at(rows: readonly Uint32Array[], one: number, two: number): number {
  return rows[one]?.[two] ?? 0
}
