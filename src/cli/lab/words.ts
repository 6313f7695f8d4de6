import type { Leftover, RefusalKind, Stuck } from '../../lab/simulate/room.ts'
import { table, type Column } from '../terminal/table.ts'
import { number } from '../../core/base/words.ts'

/** `96.27`, `?`. */
export function percent(value: number | undefined): string {
  return value === undefined ? '?' : value.toFixed(2)
}

/** `0`, `40 s`, `12 min`, `3.5 h`, `2.1 d`. */
export function duration(seconds: number): string {
  if (seconds < 0.5) return '0'
  if (seconds < 90) return `${Math.round(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  return seconds < 36 * 3600 ? `${(seconds / 3600).toFixed(1)} h` : `${(seconds / 86_400).toFixed(1)} d`
}

/** Rounded to a useful precision, so that every machine prints the same digits. */
export function rounded(value: number, digits = 4): number {
  return Number(value.toFixed(digits))
}

export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length
}

/** Why something has no place. */
export const REFUSAL_TEXTS: Readonly<Record<RefusalKind, string>> = {
  'no-such-card': 'no node has a suitable card, or one that can be divided this way',
  'too-large': 'larger than any node, even an empty one',
  full: 'less is free on all suitable cards than it asks for',
  'in-pieces': 'enough is free in total, but in pieces: too few cards have that much free',
  apart: 'enough cards have that much free, but not on one node',
  cpu: 'cards are free, but their nodes are short of CPU',
  memory: 'cards are free, but their nodes are short of memory',
  disk: 'cards are free, but their nodes are short of disk',
  several: 'cards are free, but their nodes are short of more than one of CPU, memory and disk',
}

/** Why free capacity stays unused. */
const STUCK_TEXTS: Readonly<Record<Stuck, string>> = {
  usable: 'usual work would still fit',
  rare: 'fits only work that rarely arrives',
  cpu: 'its node is short of CPU',
  memory: 'its node is short of memory',
  several: 'its node is short of CPU and memory',
  elsewhere: 'wanted only by work that needs other models or more cards',
  'too-small': 'smaller than any request',
}

/** What is free, in cards: a row for each reason, a column for each size of piece. */
export function leftoverTable(leftovers: readonly Leftover[]): readonly string[] {
  const whys = [...new Set(leftovers.map(({ why }) => why))]
  const sum = (of: readonly Leftover[]): string => cards(of.reduce((total, { milli }) => total + milli, 0))
  const columns: readonly Column[] = [
    { head: 'CARDS', align: 'right' },
    ...PIECES.map(([, head]) => ({ head, align: 'right' as const })),
    { head: 'WHY IT IS FREE' },
  ]
  const rows = whys.map((why) => {
    const own = leftovers.filter((piece) => piece.why === why)
    const sizes = PIECES.map(([from]) => sum(own.filter((piece) => piece.from === from)))
    return { milli: own.reduce((total, { milli }) => total + milli, 0), cells: [sum(own), ...sizes, STUCK_TEXTS[why]] }
  })
  return table(
    columns,
    rows.toSorted((one, two) => two.milli - one.milli).map(({ cells }) => cells),
  )
}

const PIECES = [
  [1000, 'WHOLE'],
  [500, '50-99 %'],
  [250, '25-49 %'],
  [100, '10-24 %'],
  [1, 'UNDER 10 %'],
] as const

/** Thousandths as cards, `-` for none. */
export function cards(milli: number): string {
  if (milli === 0) return '-'
  return milli < 10_000 ? (milli / 1000).toFixed(1) : number(Math.round(milli / 1000))
}
