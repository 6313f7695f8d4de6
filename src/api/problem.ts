import { ERRORS, type ErrorCode } from '../codes/errors.ts'
import { STORE_ERRORS } from '../codes/store-errors.ts'
import type { Problem, SourcedProblem } from '../core/base/problem.ts'
import type { ProblemAnswer } from './answers.ts'

/** The RFC 9457 answer for the problems of a request. There must be at least one problem. */
export function problemAnswerOf(problems: readonly SourcedProblem[], requestId: string): ProblemAnswer {
  const first = problems[0]?.code ?? ''
  const code = isCode(first) ? first : 'CONTROL_PLANE_FAILED'
  const detail = problems.map(({ message }) => message).join('\n')
  const status = statusOf(code)
  const type = `urn:berth:error:${code}`
  return { type, title: ERRORS[code].title, status, detail, code, request_id: requestId, problems: [...problems] }
}

/** The problems in an answer. A code that only a newer control plane knows becomes `REQUEST_REFUSED`, with its text. */
export function problemsOf({ code, detail, problems }: ProblemAnswer): readonly SourcedProblem[] {
  const told = problems.map(({ code: each, ...problem }): SourcedProblem => ({ ...known(problem), code: codeOf(each) }))
  return told.length > 0 ? told : [{ code: codeOf(code), message: detail }]
}

function known({ message, hint, found, place, sourceLine }: Omit<ProblemAnswer['problems'][number], 'code'>) {
  return {
    message,
    ...(hint !== undefined && { hint }),
    ...(found !== undefined && { found }),
    ...(place !== undefined && { place }),
    ...(sourceLine !== undefined && { sourceLine }),
  } satisfies Omit<Problem, 'code'> & { readonly sourceLine?: string }
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
