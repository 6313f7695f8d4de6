import type { Fault } from '../../core/life/call/fault.ts'

/** What a refusal says, wherever its API puts it. */
export interface RefusalWords {
  readonly status: number
  readonly code: string | undefined
  readonly text: string
  /** It is in the form of the API, and not of something in front of it. */
  readonly isOwn: boolean
  readonly headers: Readonly<Record<string, string>>
}

/** A reply that an API is known to give. What is stated must match; a row names where it was seen. */
export interface FaultRow extends Omit<Fault, 'message' | 'retryAfterMs' | 'instance'> {
  readonly code?: string | RegExp
  readonly text?: RegExp
  readonly status?: number
}

/**
 * The fault that a reply means. Code and text come first: a status is often wrong, and one code may have several meanings, so
 * rows with a text come before rows without. What no row knows is judged by its status, and never as sold out.
 */
export function faultOf(said: RefusalWords, rows: readonly FaultRow[], call: { readonly creates: boolean }): Fault {
  const known =
    rows.find((row) => row.text !== undefined && matches(row, said)) ??
    rows.find((row) => row.text === undefined && row.code !== undefined && matches(row, said)) ??
    rows.find((row) => row.text === undefined && row.code === undefined && matches(row, said))
  const message = messageOf(said)
  const { code: _code, text: _text, status: _status, ...rule } = known ?? { class: classOf(said, call) }
  const retryAfterMs = rule.class === 'RATE_LIMIT' ? waitIn(said) : undefined
  return { ...rule, message, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

function matches({ code, text, status }: FaultRow, said: RefusalWords): boolean {
  if (status !== undefined && status !== said.status) return false
  if (text !== undefined && !text.test(said.text)) return false
  if (code === undefined) return true
  return typeof code === 'string' ? code === said.code : said.code !== undefined && code.test(said.code)
}

/** A page of something in front of the API says nothing about the credential or the order. */
function classOf({ status, isOwn }: RefusalWords, { creates }: { readonly creates: boolean }): Fault['class'] {
  if (status === 429) return 'RATE_LIMIT'
  if (status >= 500 || status < 400) return creates ? 'AMBIGUOUS' : 'TRANSIENT'
  if (!isOwn) return 'TRANSIENT'
  if (status === 401 || status === 403) return 'AUTH'
  if (status === 402) return 'BILLING'
  return status === 400 || status === 422 ? 'BAD_REQUEST' : 'TRANSIENT'
}

function messageOf({ status, code, text }: RefusalWords): string {
  const words = text.trim() === '' ? 'it did not say why' : text.trim()
  return `${code === undefined ? '' : `${code}: `}${words} (status ${status})`.slice(0, 500)
}

const WAIT_MOST_MS = 3_600_000

/** How long to wait, as the headers say, or the text: `try again in 6 seconds`. */
function waitIn({ headers, text }: RefusalWords): number | undefined {
  const spoken = /(?:again|retry|wait)[^.]{0,40}?(\d+(?:\.\d+)?)\s*s(?:ec|\b)/i.exec(text)?.[1]
  const stated = headers['retry-after'] ?? headers['ratelimit-reset'] ?? spoken
  if (stated === undefined || !/^\d+(?:\.\d+)?$/.test(stated.trim())) return undefined
  return Math.min(WAIT_MOST_MS, Math.ceil(Number(stated) * 1000))
}
