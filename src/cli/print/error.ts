import { CommanderError } from 'commander'
import { UserError, type SourcedProblem } from '../../core/base/problem.ts'
import { EXIT } from '../cli.ts'
import { many } from '../../core/base/words.ts'

/** An error as the user sees it, and the exit code of the process. */
export interface PrintedError {
  readonly text: string
  /** The same for `-o json`. */
  readonly problems: readonly SourcedProblem[]
  readonly exitCode: number
}

/** Says what is wrong, where, and how to go on. A bug is reported as one. */
export function printError(error: unknown): PrintedError {
  if (error instanceof CommanderError) {
    const problem = { code: 'COMMAND_LINE', message: error.message.replace(/^error: /, '') } as const
    return { text: error.message, problems: [problem], exitCode: EXIT.usage }
  }
  if (!(error instanceof UserError)) {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    const problems = [{ code: 'BUG', message: stack } as const]
    return { text: `bug in berth, please report:\n${stack}`, problems, exitCode: EXIT.bug }
  }
  const codes = error.problems.map((problem): string => problem.code)
  const exitCode = codes.flatMap((code) => EXIT_BY_CODE[code] ?? [])[0] ?? EXIT.invalid
  return { text: printProblems(error.problems), problems: error.problems, exitCode }
}

/** Errors that scripts can tell from invalid input by the exit code. */
const EXIT_BY_CODE: Readonly<Record<string, number>> = {
  CONTROL_PLANE_UNREACHABLE: EXIT.unreachable,
  TLS_REQUIRED: EXIT.unreachable,
  CONTROL_PLANE_FAILED: EXIT.unreachable,
  STREAMS_FULL: EXIT.unreachable,
  EXEC_FULL: EXIT.unreachable,
  CONTROL_PLANE_UNKNOWN: EXIT.unreachable,
  NOT_FOUND: EXIT.notFound,
  PROJECT_UNKNOWN: EXIT.notFound,
  CONTEXT_UNKNOWN: EXIT.notFound,
  CODE_UNKNOWN: EXIT.notFound,
  FORBIDDEN: EXIT.forbidden,
  UNAUTHENTICATED: EXIT.unauthenticated,
  CONFIRMATION_MISSING: EXIT.unconfirmed,
  PLAN_STALE: EXIT.doesNotFit,
  PRICE_TOO_HIGH: EXIT.doesNotFit,
  SYNC_FAILED: EXIT.notDone,
  PORT_CLOSED: EXIT.notDone,
  COMMAND_LINE: EXIT.usage,
  LISTEN_INVALID: EXIT.usage,
}

/** Every problem with its line, and where to read more. */
export function printProblems(problems: readonly SourcedProblem[]): string {
  const [first] = problems
  const files = [...new Set(problems.flatMap((problem) => problem.place?.file ?? []))]
  const head =
    files.length === 0
      ? []
      : [`${files.join(', ')} ${files.length === 1 ? 'has' : 'have'} ${many(problems.length, 'problem')}`, '']
  const more = first === undefined ? [] : [`More about a code:  berth explain ${first.code}`]
  return [...head, ...problems.flatMap((problem) => [...printProblem(problem), '']), ...more].join('\n')
}

/** Warnings as text, in the form of problems. */
export function printWarnings(warnings: readonly SourcedProblem[]): string {
  const files = [...new Set(warnings.flatMap((warning) => warning.place?.file ?? []))]
  const count = many(warnings.length, 'warning')
  const head = files.length === 0 ? count : `${files.join(', ')} ${files.length === 1 ? 'has' : 'have'} ${count}`
  return [head, '', ...warnings.flatMap((warning) => [...printProblem(warning), ''])].join('\n').trimEnd()
}

/** Problems and warnings as data. */
export function problemData(problems: readonly SourcedProblem[]): readonly unknown[] {
  return problems.map(({ code, place, found, message, hint }) => {
    return { code, line: place?.line, column: place?.column, found, message, hint }
  })
}

/** The warnings of a manifest as part of an answer; empty when there are none. */
export function warned(warnings: readonly SourcedProblem[]): { readonly warnings?: readonly unknown[] } {
  return warnings.length === 0 ? {} : { warnings: problemData(warnings) }
}

function printProblem(problem: SourcedProblem): readonly string[] {
  const { code, place, message, hint } = problem
  const where = place === undefined ? '' : ` at ${place.file}:${place.line}:${place.column}`
  const hints = (hint ?? '').split('\n').filter((line) => line !== '')
  return [`  ${code}${where}`, ...sourceLines(problem), `    ${message}`, ...hints.map((line) => `    ${line}`)]
}

function sourceLines({ place, sourceLine }: SourcedProblem): readonly string[] {
  if (place === undefined || sourceLine === undefined) return []
  const number = String(place.line)
  const under =
    ' '.repeat(Math.max(0, place.column - 1)) +
    '^'.repeat(Math.max(1, Math.min(place.length, sourceLine.length - place.column + 1)))
  return [`    ${number.padStart(5)} | ${sourceLine}`, `    ${' '.repeat(5)} | ${under}`]
}
