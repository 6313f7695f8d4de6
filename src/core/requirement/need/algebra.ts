import { ANYTHING, chooses, meetChoices, type OneOf } from './choice.ts'
import { ANY_NUMBER, meetRanges, type Range } from './range.ts'

/** Sets of one kind, as a lattice: `any` admits everything, and `meet` only narrows. */
export interface SetAlgebra<S> {
  readonly any: S
  /** What both admit. */
  meet(one: S, two: S): S
  /** Whether `wide` admits whatever `narrow` admits. */
  covers(wide: S, narrow: S): boolean
}

export const RANGES: SetAlgebra<Range> = { any: ANY_NUMBER, meet: meetRanges, covers: rangeCovers }

export const CHOICES: SetAlgebra<OneOf> = { any: ANYTHING, meet: meetChoices, covers: choiceCovers }

function rangeCovers(wide: Range, narrow: Range): boolean {
  const low = wide.min === undefined || (narrow.min !== undefined && narrow.min >= wide.min)
  const high = wide.max === undefined || (narrow.max !== undefined && narrow.max <= wide.max)
  return low && high
}

function choiceCovers(wide: OneOf, narrow: OneOf): boolean {
  if (!narrow.not) return narrow.values.every((value) => chooses(wide, value))
  return wide.not && wide.values.every((value) => narrow.values.includes(value))
}
