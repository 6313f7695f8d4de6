import { ERRORS, type ErrorCode } from '../codes/errors.ts'
import { STORE_ERRORS } from '../codes/store-errors.ts'
import type { Problem, SourcedProblem } from '../core/base/problem.ts'
import type { ProblemAnswer } from './answers.ts'

/** Problems that a request had, as RFC 9457 wants them told. There is one at least. */
export function problemAnswerOf(problems: readonly SourcedProblem[], requestId: string): ProblemAnswer {
  const first = problems[0]?.code ?? ''
  const code = isCode(first) ? first : 'CONTROL_PLANE_FAILED'
  const detail = problems.map(({ message }) => message).join('\n')
  const status = statusOf(code)
  const type = `urn:berth:error:${code}`
  return { type, title: ERRORS[code].title, status, detail, code, request_id: requestId, problems: [...problems] }
}

/** What an answer says, as problems; what a newer control plane says in a code of its own is kept as its text. */
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

/** The status that HTTP has for a code: its own, or that of a text that cannot be used as it is. A store that fails may be back soon. */
function statusOf(code: ErrorCode): number {
  if (code === 'STORE_FULL') return 507
  if (Object.hasOwn(STORE_ERRORS, code)) return 503
  // Most often it is a state of work that was accepted; a request that is refused for it conflicts with what there is now.
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
