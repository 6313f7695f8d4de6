// The heads of HTTP/1.1 messages. Whatever two readers could understand in two ways is refused, because a difference between
// this gateway and the server behind it is what request smuggling is made of.

/** How long the body of a message is. */
export type Framing =
  | { readonly kind: 'none' }
  | { readonly kind: 'length'; readonly length: number }
  | { readonly kind: 'chunked' }
  /** Until the connection ends; only responses. */
  | { readonly kind: 'close' }

const NO_BODY: Framing = { kind: 'none' }
const CHUNKED: Framing = { kind: 'chunked' }
const UNTIL_CLOSE: Framing = { kind: 'close' }

/** Names and values in turn, in their order, as they came. */
export type Fields = readonly string[]

export interface RequestHead {
  readonly method: string
  /** The path and the query. */
  readonly path: string
  /** Lower case, with its port. */
  readonly authority: string
  readonly isOld: boolean
  readonly fields: Fields
  readonly framing: Framing
  readonly isKeptAlive: boolean
  readonly expectsContinue: boolean
  /** The protocol that it asks for; undefined: none. */
  readonly upgrade: string | undefined
  /** Fields that concern this connection alone, in lower case. */
  readonly hop: readonly string[]
}

export interface ResponseHead {
  readonly status: number
  readonly reason: string
  readonly fields: Fields
  readonly framing: Framing
  readonly isKeptAlive: boolean
  readonly hop: readonly string[]
}

/** Why a head is not accepted, and the status that says so. */
export interface RefusedHead {
  readonly refused: number
  readonly why: string
}

export const HEAD_BYTES_MAX = 32 * 1024
const TARGET_MAX = 16 * 1024
export const FIELDS_MAX = 128

const REQUEST_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,32}) ([\x21-\x7e\x80-\xff]+) HTTP\/1\.([01])$/
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Control characters, and line ends that are none. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const FORBIDDEN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/
/** In a value that stands alone, every line end is one too many. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const ANY_FORBIDDEN = /[\0-\x08\x0a-\x1f\x7f]/
const AUTHORITY = /^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._~%!$&'()*+,;=-]+)(?::\d{1,5})?$/
const ABSOLUTE = /^https?:\/\/([^/?#@]+)([/?].*)?$/i
const LENGTH = /^\d{1,15}$/

interface FieldsRead {
  readonly fields: string[]
  readonly length: string | undefined
  readonly coding: string | undefined
  readonly connection: string
  readonly host: string | undefined
  readonly expect: string | undefined
  readonly upgrade: string | undefined
}

/** Reads the lines after the first. */
function readFields(lines: readonly string[]): FieldsRead | RefusedHead {
  const fields: string[] = []
  let length: string | undefined
  let coding: string | undefined
  let connection = ''
  let host: string | undefined
  let expect: string | undefined
  let upgrade: string | undefined
  if (lines.length - 1 > FIELDS_MAX) return { refused: 431, why: `more than ${FIELDS_MAX} header fields` }
  for (let at = 1; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const colon = line.indexOf(':')
    const name = line.slice(0, colon)
    if (colon <= 0 || !TOKEN.test(name)) return { refused: 400, why: 'a header field is malformed' }
    const value = bare(line, colon + 1)
    fields.push(name, value)
    switch (name.toLowerCase()) {
      case 'content-length':
        if (length !== undefined) return { refused: 400, why: 'content-length is given twice' }
        length = value
        break
      case 'transfer-encoding':
        if (coding !== undefined) return { refused: 400, why: 'transfer-encoding is given twice' }
        coding = value
        break
      case 'connection':
        connection = connection === '' ? value.toLowerCase() : `${connection},${value.toLowerCase()}`
        break
      case 'host':
        if (host !== undefined) return { refused: 400, why: 'host is given twice' }
        host = value
        break
      case 'expect':
        expect = value.toLowerCase()
        break
      case 'upgrade':
        upgrade = value
        break
    }
  }
  return { fields, length, coding, connection, host, expect, upgrade }
}

/** A value without the blanks around it. */
function bare(line: string, from: number): string {
  let [first, last] = [from, line.length]
  while (first < last && isBlank(line.charCodeAt(first))) first++
  while (last > first && isBlank(line.charCodeAt(last - 1))) last--
  return line.slice(first, last)
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

function wordsOf(list: string): readonly string[] {
  return list === '' ? [] : list.split(',').map((word) => word.trim())
}

/** The head of a request, without the empty line at its end. */
export function readRequest(text: string): RequestHead | RefusedHead {
  if (FORBIDDEN.test(text)) return { refused: 400, why: 'a control character, or a line end that is none' }
  const lines = text.split('\r\n')
  const [, method, target = '', minor] = REQUEST_LINE.exec(lines[0] ?? '') ?? []
  if (method === undefined) return { refused: 400, why: 'the first line is malformed' }
  const isOld = minor === '0'
  const read = readFields(lines)
  if ('refused' in read) return read
  const { fields, expect, upgrade } = read
  const place = placeOf(target, read.host, isOld)
  if ('refused' in place) return place
  const framing = requestFraming(read, isOld)
  if ('refused' in framing) return framing
  const refused = unserved(method, expect)
  if (refused !== undefined) return refused
  const hop = wordsOf(read.connection)
  // A replica that is spoken to in HTTP/2 would read requests that nobody here has read.
  const isHttp2 = wordsOf(upgrade ?? '').some((word) => /^h2c?$/i.test(word))
  const isUpgrade = upgrade !== undefined && !isOld && hop.includes('upgrade') && !isHttp2
  return {
    method,
    ...place,
    isOld,
    fields,
    framing,
    isKeptAlive: isOld ? hop.includes('keep-alive') : !hop.includes('close'),
    expectsContinue: expect !== undefined && !isOld,
    upgrade: isUpgrade ? upgrade : undefined,
    hop,
  }
}

/** What no service gets. */
function unserved(method: string, expect: string | undefined): RefusedHead | undefined {
  if (method === 'CONNECT' || method === 'TRACE') return { refused: 405, why: `${method} is not served` }
  if (expect !== undefined && expect !== '100-continue') return { refused: 417, why: 'only 100-continue is known' }
  return undefined
}

export function isField(name: string, value: string): boolean {
  return TOKEN.test(name) && !ANY_FORBIDDEN.test(value)
}

/** What a request of HTTP/2 states in its fields, once they are read. */
export interface Http2Stated {
  readonly method: string
  readonly target: string
  readonly authority: string | undefined
  readonly fields: Fields
  readonly length: string | undefined
  readonly expect: string | undefined
  /** The request ends with its head. */
  readonly isWhole: boolean
}

/** The head of a request of HTTP/2, checked as those of HTTP/1.1 are: it goes on as one of them. */
export function headOf({
  method,
  target,
  authority,
  fields,
  length,
  expect,
  isWhole,
}: Http2Stated): RequestHead | RefusedHead {
  const line = `${method} ${target} HTTP/1.1`
  if (!REQUEST_LINE.test(line)) return { refused: 400, why: 'the method or the path is malformed' }
  for (let at = 0; at < fields.length; at += 2) {
    if (!isField(fields[at] ?? '', fields[at + 1] ?? '')) return { refused: 400, why: 'a header field is malformed' }
  }
  const refused = unserved(method, expect)
  if (refused !== undefined) return refused
  const place = placeOf(target, authority, false)
  if ('refused' in place) return place
  const stated = isWhole
    ? NO_BODY
    : requestFraming({ length, coding: length === undefined ? 'chunked' : undefined }, false)
  if ('refused' in stated) return stated
  const always = { isOld: false, isKeptAlive: true, upgrade: undefined, hop: [] }
  return { method, ...place, fields, framing: stated, expectsContinue: expect !== undefined, ...always }
}

/** The path and the host that a request is for. */
function placeOf(
  target: string,
  host: string | undefined,
  isOld: boolean,
): { readonly path: string; readonly authority: string } | RefusedHead {
  if (target.length > TARGET_MAX) return { refused: 414, why: 'the address is too long' }
  if (host === undefined && !isOld) return { refused: 400, why: 'host is missing' }
  if (host !== undefined && host !== '' && !AUTHORITY.test(host)) return { refused: 400, why: 'host is malformed' }
  if (target.startsWith('/')) return { path: target, authority: (host ?? '').toLowerCase() }
  const [, authority, path = '/'] = ABSOLUTE.exec(target) ?? []
  if (authority === undefined || !AUTHORITY.test(authority)) return { refused: 400, why: 'the address is malformed' }
  // The address itself says where it goes, whatever the field says.
  return { path: path.startsWith('/') ? path : `/${path}`, authority: authority.toLowerCase() }
}

function requestFraming(
  { length, coding }: Pick<FieldsRead, 'length' | 'coding'>,
  isOld: boolean,
): Framing | RefusedHead {
  if (coding !== undefined) {
    if (length !== undefined) return { refused: 400, why: 'both content-length and transfer-encoding' }
    if (isOld) return { refused: 400, why: 'transfer-encoding in HTTP/1.0' }
    if (coding.toLowerCase() !== 'chunked') return { refused: 501, why: 'a transfer-encoding other than chunked' }
    return CHUNKED
  }
  if (length === undefined) return NO_BODY
  if (!LENGTH.test(length)) return { refused: 400, why: 'content-length is malformed' }
  return length === '0' ? NO_BODY : { kind: 'length', length: Number(length) }
}

/** The head of the response to a request with this method, without the empty line at its end. */
export function readResponse(text: string, method: string): ResponseHead | RefusedHead {
  if (FORBIDDEN.test(text)) return { refused: 502, why: 'a control character in the response' }
  const lines = text.split('\r\n')
  const [, minor, digits, reason = ''] = STATUS_LINE.exec(lines[0] ?? '') ?? []
  if (digits === undefined) return { refused: 502, why: 'the status line is malformed' }
  const read = readFields(lines)
  if ('refused' in read) return { refused: 502, why: read.why }
  const status = Number(digits)
  const framing = responseFraming(read, { status, method, isOld: minor === '0' })
  if ('refused' in framing) return framing
  const hop = wordsOf(read.connection)
  const isKept = minor === '0' ? hop.includes('keep-alive') : !hop.includes('close')
  return { status, reason, fields: read.fields, framing, isKeptAlive: isKept && framing.kind !== 'close', hop }
}

interface Answered {
  readonly status: number
  readonly method: string
  readonly isOld: boolean
}

function responseFraming({ length, coding }: FieldsRead, { status, method, isOld }: Answered): Framing | RefusedHead {
  if (coding !== undefined && (length !== undefined || isOld)) return { refused: 502, why: 'two lengths of the body' }
  if (length !== undefined && !LENGTH.test(length)) return { refused: 502, why: 'content-length is malformed' }
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return NO_BODY
  if (coding !== undefined) {
    return coding.toLowerCase() === 'chunked' ? CHUNKED : { refused: 502, why: 'an unknown transfer-encoding' }
  }
  if (length === undefined) return UNTIL_CLOSE
  return length === '0' ? NO_BODY : { kind: 'length', length: Number(length) }
}
