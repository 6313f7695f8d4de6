import type { Fields, RequestHead, ResponseHead } from './head.ts'

/** What the gateway adds to a request. */
export interface Forwarded {
  /** The path that the service sees, and what was taken off its front. */
  readonly path: string
  readonly prefix: string
  readonly client: string
  readonly scheme: 'http' | 'https'
  readonly requestId: string
  /** The host to name; undefined: the one that the caller named. */
  readonly host: string | undefined
}

/** Fields of one connection, which are never passed on, and those that only the gateway may set. */
const DROPPED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'te',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-prefix',
  'x-request-id',
  'http2-settings',
])

/** Fields of a request that `connection` may not take away. */
const NOT_HOP: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'authorization',
  'cookie',
  'traceparent',
  'tracestate',
])

/** The head of a request as it goes to a replica. */
export function requestText(head: RequestHead, forwarded: Forwarded): string {
  const { method, fields, framing, upgrade, hop, authority } = head
  const { path, prefix, client, scheme, requestId, host } = forwarded
  let text = `${method} ${path} HTTP/1.1\r\nhost: ${host ?? (authority === '' ? 'berth' : authority)}\r\n`
  let chain = ''
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] ?? ''
    const value = fields[at + 1] ?? ''
    const low = name.toLowerCase()
    if (low === 'x-forwarded-for') chain = chain === '' ? value : `${chain}, ${value}`
    else if (low === 'te' && /\btrailers\b/i.test(value)) text += 'te: trailers\r\n'
    if (DROPPED.has(low) || (hop.length > 0 && hop.includes(low) && !NOT_HOP.has(low))) continue
    text += `${name}: ${value}\r\n`
  }
  text += `x-forwarded-for: ${chain === '' ? client : `${chain}, ${client}`}\r\nx-forwarded-proto: ${scheme}\r\n`
  if (authority !== '') text += `x-forwarded-host: ${authority}\r\n`
  if (prefix !== '') text += `x-forwarded-prefix: ${prefix}\r\n`
  text += `x-request-id: ${requestId}\r\n`
  if (framing.kind === 'chunked') text += 'transfer-encoding: chunked\r\n'
  text +=
    upgrade === undefined ? 'connection: keep-alive\r\n\r\n' : `connection: upgrade\r\nupgrade: ${upgrade}\r\n\r\n`
  return text
}

const DROPPED_OF_RESPONSE: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'te',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'x-request-id',
])

/** The fields of a response that are passed on, names and values in turn. */
export function responseFields({ status, fields, hop }: ResponseHead): Fields {
  const kept: string[] = []
  for (let at = 0; at < fields.length; at += 2) {
    const name = fields[at] ?? ''
    const low = name.toLowerCase()
    if (DROPPED_OF_RESPONSE.has(low) || (hop.length > 0 && hop.includes(low) && !NOT_HOP.has(low))) continue
    // Where nothing can follow, a length is one too many, and clients of HTTP/2 take it for an error.
    if (status === 204 && low === 'content-length') continue
    kept.push(name, fields[at + 1] ?? '')
  }
  return kept
}

/** A field of a request by its name in lower case; the first, if there are several. */
export function fieldOf(fields: Fields, name: string): string | undefined {
  for (let at = 0; at < fields.length; at += 2) {
    const given = fields[at] ?? ''
    if (given.length === name.length && given.toLowerCase() === name) return fields[at + 1]
  }
  return undefined
}

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's own id of a request, if it has one that can be used. */
export function givenRequestId(fields: Fields): string | undefined {
  const given = fieldOf(fields, 'x-request-id')
  return given !== undefined && REQUEST_ID.test(given) ? given : undefined
}
