import { ERRORS, type ErrorCode } from '../codes/errors.ts'
import { STORE_ERRORS } from '../codes/store-errors.ts'
import type { SourcedProblem } from '../core/base/problem.ts'
import type { ProblemAnswer } from './answers.ts'
import type { Wire } from './wire.ts'

/** The RFC 9457 answer for the problems of a request. There must be at least one problem. */
export function problemAnswerOf(problems: readonly SourcedProblem[], requestId: string): ProblemAnswer {
  const first = problems[0]?.code ?? ''
  const code = isCode(first) ? first : 'CONTROL_PLANE_FAILED'
  const detail = problems.map(({ message }) => message).join('\n')
  const status = statusOf(code)
  const type = `urn:berth:error:${code}`
  return { type, title: ERRORS[code].title, status, detail, code, request_id: requestId, problems: problems.map(told) }
}

/** A problem or a warning as the API tells it. */
export function told({ sourceLine, ...problem }: SourcedProblem): ProblemAnswer['problems'][number] {
  return { ...problem, ...(sourceLine !== undefined && { source_line: sourceLine }) }
}

/** The problems in an answer. A code that only a newer control plane knows becomes `REQUEST_REFUSED`, with its text. */
export function problemsOf({ code, detail, problems }: ProblemAnswer): readonly SourcedProblem[] {
  const sourced = problems.map((problem) => ({ ...untold(problem), code: codeOf(problem.code) }))
  return sourced.length > 0 ? sourced : [{ code: codeOf(code), message: detail }]
}

/** The other way round. */
export function untold(problem: Wire<ProblemAnswer['problems'][number]>): SourcedProblem {
  const { code, message, hint, found, place, source_line: sourceLine } = problem
  return {
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(found !== undefined && { found }),
    ...(place !== undefined && { place }),
    ...(sourceLine !== undefined && { sourceLine }),
  }
}

/** The HTTP status for a code: its own, else 422. Store failures are 503, because they may pass soon. */
function statusOf(code: ErrorCode): number {
  if (code === 'STORE_FULL') return 507
  if (Object.hasOwn(STORE_ERRORS, code)) return 503
  // Usually a reason why accepted work waits. A request refused for it conflicts with the current offers.
  if (code === 'PLAN_STALE') return 409
  const doc = ERRORS[code]
  return 'status' in doc ? doc.status : 422
}

function codeOf(text: string): ErrorCode {
  return isCode(text) ? text : 'REQUEST_REFUSED'
}

function isCode(text: string): text is ErrorCode {
  return Object.hasOwn(ERRORS, text)
}
