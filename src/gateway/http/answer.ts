import type { ResponseHead } from './head.ts'
import { responseFields } from './rewrite.ts'

/** The text of a head, with further lines at its end, each with its line end. */
export function answerText(
  head: ResponseHead,
  { last, requestId = '' }: { readonly last: string; readonly requestId?: string },
): string {
  const fields = responseFields(head)
  let text = `HTTP/1.1 ${head.status} ${head.reason}\r\n`
  for (let at = 0; at < fields.length; at += 2) text += `${fields[at]}: ${fields[at + 1]}\r\n`
  if (requestId !== '') text += `x-request-id: ${requestId}\r\n`
  return `${text}${last}\r\n`
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  414: 'URI Too Long',
  417: 'Expectation Failed',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

function reasonOf(status: number): string {
  return REASONS[status] ?? 'Error'
}

interface Problem {
  readonly status: number
  readonly why: string
  readonly requestId: string
  readonly isLast: boolean
  readonly isHead: boolean
}

/** An answer of the gateway itself: its fields and its body. */
export function problemOf({ status, why, requestId }: Pick<Problem, 'status' | 'why' | 'requestId'>): {
  readonly fields: Readonly<Record<string, string>>
  readonly body: string
} {
  const id = requestId === '' ? {} : { request_id: requestId }
  const body = `${JSON.stringify({ title: reasonOf(status), status, detail: why, ...id, from: 'berth gateway' })}\n`
  const fields = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    ...(requestId !== '' && { 'x-request-id': requestId }),
    ...(status === 503 && { 'retry-after': '1' }),
  }
  return { fields, body }
}

/** The same as text of HTTP/1.1. */
export function problemText({ isLast, isHead, ...problem }: Problem): string {
  const { fields, body } = problemOf(problem)
  const lines = [
    `HTTP/1.1 ${problem.status} ${reasonOf(problem.status)}`,
    ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`),
    ...(isLast ? ['connection: close'] : []),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${isHead ? '' : body}`
}
