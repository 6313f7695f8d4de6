/**
 * A set of words: either exactly `values`, or everything except `values`. The meet of two sets is again such a set, so a
 * policy and a manifest combine whichever kind each is. Values are sorted and unique.
 */
export interface OneOf {
  readonly not: boolean
  readonly values: readonly string[]
}

/** Admits every word. */
export const ANYTHING: OneOf = { not: true, values: [] }

export function oneOf(values: readonly string[]): OneOf {
  return { not: false, values: sortedUnique(values) }
}

export function noneOf(values: readonly string[]): OneOf {
  return { not: true, values: sortedUnique(values) }
}

/** What both choices admit. */
export function meetChoices(one: OneOf, two: OneOf): OneOf {
  if (one.not && two.not) return noneOf([...one.values, ...two.values])
  const [inside, other] = one.not ? [two, one] : [one, two]
  return { not: false, values: inside.values.filter((value) => chooses(other, value)) }
}

export function chooses(choice: OneOf, value: string): boolean {
  return choice.values.includes(value) !== choice.not
}

export function isAnything(choice: OneOf): boolean {
  return choice.not && choice.values.length === 0
}

/** `hopper or blackwell`, `anything but aws`. */
export function printChoice(choice: OneOf): string {
  const words = choice.values.join(' or ')
  if (!choice.not) return words === '' ? 'nothing' : words
  return words === '' ? 'anything' : `anything but ${words}`
}

/** As users write it in a file: `[eu, us]`. A choice by exclusion is put in words. */
export function listChoice(choice: OneOf): string {
  return choice.not ? printChoice(choice) : `[${choice.values.join(', ')}]`
}

/** The choice with one more word admitted. */
export function admitting(choice: OneOf, word: string): OneOf {
  const values = choice.not ? choice.values.filter((value) => value !== word) : [...choice.values, word].sort()
  return { not: choice.not, values }
}

function sortedUnique(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort()
}
