import { sourced } from '../core/document/look-up.ts'
import type { Problem, SourcedProblem } from '../core/base/problem.ts'
import { readTrace, type Arrival } from '../lab/simulate/trace.ts'
import { readCsv } from './csv.ts'

/** Reads a trace in our own format, a CSV text: arrivals by time, or every problem with its line. */
export function readTraceFile(
  text: string,
  file: string,
): { readonly arrivals: readonly Arrival[] } | { readonly problems: readonly SourcedProblem[] } {
  const read = readTrace(readCsv(text), file)
  if ('value' in read) return { arrivals: read.value }
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  return {
    problems: sourced(
      read.problems.map((problem) => aimed(problem, lines)),
      { lines },
    ),
  }
}

/** Quotes shift the text after them, so the mark is placed where the text is. */
function aimed(problem: Problem, lines: readonly string[]): Problem {
  const { place, found } = problem
  if (place === undefined || found === undefined) return problem
  const line = lines[place.line - 1] ?? ''
  if (line.startsWith(found, place.column - 1)) return problem
  return { ...problem, place: { ...place, column: Math.max(1, line.indexOf(found) + 1) } }
}
