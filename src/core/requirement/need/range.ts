import { versionNumber } from '../../base/version.ts'

/** A closed interval of numbers; an undefined end is open. The wider the range, the more it admits. */
export interface Range {
  readonly min: number | undefined
  readonly max: number | undefined
}

/** Admits every number. */
export const ANY_NUMBER: Range = { min: undefined, max: undefined }

export function atLeast(min: number | undefined): Range {
  return { min, max: undefined }
}

/** At least this version, as a number; undefined admits every version. */
export function atLeastVersion(text: string | undefined): Range {
  return atLeast(text === undefined ? undefined : versionNumber(text))
}

export function atMost(max: number | undefined): Range {
  return { min: undefined, max }
}

/** What both ranges admit. */
export function meetRanges(one: Range, two: Range): Range {
  return { min: pick(one.min, two.min, Math.max), max: pick(one.max, two.max, Math.min) }
}

export function inRange(range: Range, value: number): boolean {
  return (range.min === undefined || value >= range.min) && (range.max === undefined || value <= range.max)
}

function pick(
  one: number | undefined,
  two: number | undefined,
  of: (a: number, b: number) => number,
): number | undefined {
  if (one === undefined) return two
  return two === undefined ? one : of(one, two)
}
