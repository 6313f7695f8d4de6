import { createdBy, type Fault } from '../../core/life/call/fault.ts'
import type { FaultRow } from './fault-row.ts'
import { namesMade, saysBroken, saysMade, speaksOfOne } from './made.ts'
import { USUAL_ROWS, WRONG_FORM } from './usual-rows.ts'
import { waitHeader, waitIn } from './wait.ts'
import { spoken, usualWords, type RefusalWords, type RefusalText } from './words.ts'

/** How an API refuses. */
export interface ApiFaults {
  readonly rows: readonly FaultRow[]
  /** Where refusals have their code and their words; left out: in the usual places. */
  readonly said?: (body: unknown) => RefusalText | undefined
  /** Whether a reply with a success status is a refusal all the same. */
  readonly isRefusal?: (body: unknown) => boolean
  /** Statuses that are a plain refusal here, beside those that are everywhere: where its words are known, nothing was created. */
  readonly refusals?: readonly number[]
  /** What a refused create left behind, by its name; undefined: nothing is known of it. */
  readonly leftover?: (body: unknown) => string | undefined
}

/** A reply as it came. */
export interface RestReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

interface Asked {
  readonly creates: boolean
}

/** The fault that a reply means, whatever is in it. */
export function replyFault(reply: RestReply, faults: ApiFaults, asked: Asked): Fault {
  const { status, headers, text } = reply
  const body = bodyOf(reply)
  const words = body === undefined ? undefined : (faults.said ?? usualWords)(body.value)
  const isOdd = status < 300 && body !== undefined && faults.isRefusal?.(body.value) === true
  const isRefusal = isOdd || faults.refusals?.includes(status) === true
  const told = { ...waitHeader(body?.value), ...headers }
  const said = {
    code: words?.code,
    text: words?.text ?? text,
    status,
    headers: told,
    isOwn: words !== undefined,
    isRefusal,
  }
  const fault = faultOf(said, faults.rows, asked)
  const left = asked.creates && body !== undefined ? faults.leftover?.(body.value) : undefined
  // Cut off in the middle: what is missing may be the name of what was created.
  if (asked.creates && isCut(reply)) return { ...fault, class: 'AMBIGUOUS' }
  // A refusal that names a machine is no proof that there is none.
  const isNamed = asked.creates && body !== undefined && createdBy(fault) === 'no' && namesMade(body.value, words?.code)
  if (left === undefined) return isNamed ? { ...fault, created: 'maybe' } : fault
  // What is known to exist is no longer unknown: it is ended, and the order goes elsewhere.
  return { ...fault, class: fault.class === 'AMBIGUOUS' ? 'TRANSIENT' : fault.class, created: 'yes', instance: left }
}

/**
 * The fault that words mean. Code and text come first: a status is often wrong, and one code may have several meanings, so
 * rows with a text come before rows without, and words that mean the same everywhere come after the API's own. What no row knows is judged by its status, and never as sold out. Only words of
 * the API itself are looked up: a page of something in front of it says nothing about the credential or the order.
 */
export function faultOf(whole: RefusalWords, rows: readonly FaultRow[], asked: Asked): Fault {
  const said = { ...whole, text: bounded(whole.text) }
  const limit = limitRow(rows, asked)
  const row = said.isOwn ? rowFor(said, rows, asked) : said.status === 429 ? limit : undefined
  const isUnsaid = row === undefined || (row.text === undefined && row.code === undefined)
  const isMade =
    asked.creates &&
    said.isOwn &&
    (saysMade(said.text) || saysMade(spoken(said.code ?? '')) || (isUnsaid && speaksOfOne(said.text)))
  // A wrong order because its name is taken is an order that went through before.
  const isUnclear = isMade || (asked.creates && said.isOwn && isBroken(said, row))
  const known = row !== undefined && isUnclear && isAboutOrder(row) ? TAKEN : row
  const { code: _code, text: _text, status: _status, on: _on, seen: _seen, ...rule } = known ?? unknown(said, asked)
  const retryAfterMs =
    rule.class === 'RATE_LIMIT' ? (waitIn(said) ?? rule.retryAfterMs ?? limit?.retryAfterMs) : undefined
  const { retryAfterMs: _usual, ...kept } = rule
  return {
    ...kept,
    message: messageOf(said),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    // Only a refusal with a client's status, or one that is known, proves that nothing was created.
    ...(asked.creates && !isProof(said, known) && rule.created === undefined && { created: 'maybe' }),
    ...(isMade && createdBy({ ...kept, message: '' }) === 'no' && { created: 'maybe' }),
  }
}

function rowFor(said: RefusalWords, rows: readonly FaultRow[], { creates }: Asked): FaultRow | undefined {
  const fits = ({ on }: FaultRow): boolean => on === undefined || (on === 'create') === creates
  const fitting = rows.filter(fits)
  const usualRows = USUAL_ROWS.filter(fits)
  const byText = fitting.find((row) => row.text !== undefined && matches(row, said))
  if (byText !== undefined) return byText
  const byCode = fitting.find((row) => row.text === undefined && row.code !== undefined && matches(row, said))
  if (byCode !== undefined && !isVague(byCode, said)) return byCode
  const usual = usualRows.find((row) => matches(row, said))
  if (byCode !== undefined) return usual !== undefined && isSurer(usual, byCode, said) ? usual : byCode
  const inCodes = { ...said, text: spoken(`${said.code ?? ''} ${said.text}`) }
  return (
    usual ??
    usualRows.find((row) => matches(row, inCodes)) ??
    fitting.find((row) => row.text === undefined && row.code === undefined && matches(row, said))
  )
}

/** `forbidden` is said of much else than keys, and any code for wrong orders of much else than orders. */
function isVague({ class: name }: FaultRow, { code }: RefusalWords): boolean {
  if (name === 'BAD_REQUEST') return true
  return (
    name === 'AUTH' && /^(?:\w+[/.])*(?:forbidden|unauthori[sz]ed|(?:access|permission)[ _-]?denied)$/i.test(code ?? '')
  )
}

/** Whether the words say more than such a code does: money and stock are no matter of an order's form, nor of a key. */
function isSurer({ class: name }: FaultRow, byCode: FaultRow, { text }: RefusalWords): boolean {
  if (WRONG_FORM.test(text)) return false
  if (name === 'QUOTA')
    return byCode.class === 'AUTH' || /quota|\b(?:account|team|organi[sz]ation|project)s?\b/i.test(text)
  return name === 'BILLING' || (name === 'SOLD_OUT' && byCode.class === 'BAD_REQUEST')
}

/** What is known of a limit of calls, which is often told in plain text by something in front of the API. */
function limitRow(rows: readonly FaultRow[], { creates }: Asked): FaultRow | undefined {
  const isFor = ({ on }: FaultRow): boolean => on === undefined || (on === 'create') === creates
  return rows.find((row) => row.status === 429 && row.class === 'RATE_LIMIT' && isFor(row))
}

function matches({ code, text, status }: FaultRow, said: RefusalWords): boolean {
  if (status !== undefined && status !== said.status) return false
  if (text !== undefined && !text.test(said.text)) return false
  if (code === undefined) return true
  return typeof code === 'string' ? code === said.code : said.code !== undefined && code.test(said.code)
}

function unknown(said: RefusalWords, { creates }: Asked): FaultRow {
  return { class: classOf(said, creates), seen: '' }
}

function classOf(said: RefusalWords, creates: boolean): Fault['class'] {
  const { status, isOwn } = said
  if (status === 429) return 'RATE_LIMIT'
  // Nothing in front of an API asks for money.
  if (status === 402 && !/</.test(said.text)) return 'BILLING'
  if (creates && (!isRefused(said) || isTaken(said) || (isOwn && saysBroken(said.text)))) return 'AMBIGUOUS'
  if (!isOwn) return 'TRANSIENT'
  if (status === 401 || status === 403) return 'AUTH'
  return status === 402 ? 'BILLING' : 'TRANSIENT'
}

/** An API that refuses with the status of a success, or of a conflict, means what it says, where its words are known. */
function isProof(said: RefusalWords, row: FaultRow | undefined): boolean {
  return isRefused(said) || (said.isRefusal === true && row !== undefined)
}

/** Timeouts and conflicts have a client's status, and still something may exist. */
function isRefused({ status }: RefusalWords): boolean {
  return status >= 400 && status < 500 && ![408, 409, 423, 425, 444, 460, 499].includes(status)
}

/** What is said about a name or a token that exists already means that an earlier try went through. */
function isTaken(said: RefusalWords): boolean {
  const { code, text } = said
  if (saysMade(text) || (said.isOwn && speaksOfOne(text))) return true
  return /already (?:exists?|in use|been used|taken|created|processed)|duplicate|idempoten/i.test(
    `${spoken(code ?? '')} ${text}`,
  )
}

const TAKEN: FaultRow = { class: 'AMBIGUOUS', seen: 'errors-notes 1: it was taken' }
/** Something broke, and only the status or a general code says that the order was wrong. */
function isBroken({ text }: RefusalWords, row: FaultRow | undefined): boolean {
  return row?.text === undefined && saysBroken(text) && !/\b(?:must|invalid|validation|required)\b/i.test(text)
}

function isAboutOrder(row: FaultRow): boolean {
  return ['BAD_REQUEST', 'NO_MATCHING_SHAPE', 'OFFER_GONE', 'TRANSIENT'].includes(row.class)
}

/** Undefined: it is not JSON. */
export function bodyOf({ headers, text }: Omit<RestReply, 'status'>): { readonly value: unknown } | undefined {
  if (/html/i.test(headers['content-type'] ?? '')) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** It begins as JSON does, and is none: its end is missing. */
export function isCut(reply: Omit<RestReply, 'status'>): boolean {
  return /^\s*[[{]/.test(reply.text) && bodyOf(reply) === undefined
}

const HEAD_MOST = 16_000
const TAIL_MOST = 4000

/** What a reply says is at its beginning or at its end, however much is between: nobody waits for megabytes to be looked through. */
function bounded(text: string): string {
  const part = text.length <= HEAD_MOST + TAIL_MOST ? text : `${text.slice(0, HEAD_MOST)} ${text.slice(-TAIL_MOST)}`
  // As it is typed, and not as it is set.
  return part.replaceAll('’', "'")
}

const MESSAGE_MOST = 500

function messageOf({ status, code, text }: RefusalWords): string {
  const words = text.trim() === '' ? 'it did not say why' : text.trim()
  const end = ` (status ${status})`
  return (
    `${code === undefined || words.startsWith(code) ? '' : `${code}: `}${words}`.slice(0, MESSAGE_MOST - end.length) +
    end
  )
}
