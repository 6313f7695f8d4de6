import type { Problem } from '../base/problem.ts'

/** More problems than this do not help the user, and a hostile file could have a hundred thousand. */
const PROBLEMS_MAX = 100

/** Sorts by line, then column, then code. A long list is cut, and its last entry says how many are left. */
export function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const sorted = [...problems].sort(byPlace)
  if (sorted.length <= PROBLEMS_MAX) return sorted
  const left = sorted.length - PROBLEMS_MAX
  const message = `There are ${left} more problems after these.`
  const hint = 'Fix these first, and run the command again.'
  return [...sorted.slice(0, PROBLEMS_MAX), { code: 'PROBLEMS_TOO_MANY', message, hint, ...lastPlace(sorted) }]
}

function byPlace(one: Problem, two: Problem): number {
  const lines = (one.place?.line ?? 0) - (two.place?.line ?? 0)
  const columns = (one.place?.column ?? 0) - (two.place?.column ?? 0)
  return lines || columns || (one.code < two.code ? -1 : one.code > two.code ? 1 : 0)
}

function lastPlace(sorted: readonly Problem[]): Pick<Problem, 'place'> {
  const place = sorted[PROBLEMS_MAX]?.place
  return place === undefined ? {} : { place }
}
