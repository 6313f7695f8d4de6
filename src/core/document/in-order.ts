import type { Problem } from '../base/problem.ts'

/** More than this many problems help nobody, and a hostile file could hold a hundred thousand. */
const PROBLEMS_MAX = 100

/** By line, then column, then code; cut where a list stops being of use, and then it says so. */
export function inOrder(problems: readonly Problem[]): readonly Problem[] {
  const sorted = [...problems].sort(byPlace)
  if (sorted.length <= PROBLEMS_MAX) return sorted
  const left = sorted.length - PROBLEMS_MAX
  const message = `There are ${left} more problems after these.`
  const hint = 'Fix these first and run the command again.'
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
