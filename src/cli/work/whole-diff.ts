import { diffLines, linesOf } from '../../core/place/explain/line-diff.ts'

/** A line of two compared texts. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** Every line of two texts in order, including those that both have. */
export function wholeDiff(from: string, into: string): readonly DiffLine[] {
  const after = linesOf(into)
  const lines: DiffLine[] = []
  let [one, two] = [0, 0]
  for (const { kind, line, text } of diffLines(from, into)) {
    const isGone = kind === 'removed'
    const common = line - 1 - (isGone ? one : two)
    lines.push(...sameLines(after, two, two + common), { kind: isGone ? 'gone' : 'new', text })
    one += common + (isGone ? 1 : 0)
    two += common + (isGone ? 0 : 1)
  }
  return [...lines, ...sameLines(after, two, after.length)]
}

function sameLines(lines: readonly string[], start: number, end: number): readonly DiffLine[] {
  return lines.slice(start, end).map((text) => ({ kind: 'same', text }))
}

/** How many lines of context to show around a change. */
const AROUND = 3

/** The changes, as `- gone` and `+ new`, with some lines of context; the lines in between are counted. */
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
