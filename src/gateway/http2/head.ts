import { headOf, isField, type RefusedHead, type RequestHead } from '../http/head.ts'

/** Fields of one connection, which HTTP/2 does not have. */
const OF_ONE_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'proxy-connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
])

/** What else is never said after a body: where a message ends and goes, and what concerns one connection. */
const NEVER_LAST: ReadonlySet<string> = new Set(['content-length', 'host', 'te', 'http2-settings'])

/** The head of a request from its fields, names and values in turn. `isWhole`: it has no body. */
export function readHttp2Request(raw: readonly string[], isWhole: boolean): RequestHead | RefusedHead {
  const pseudo = new Map<string, string>()
  const once = new Map<string, string>()
  const fields: string[] = []
  const cookies: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] ?? ''
    const value = raw[at + 1] ?? ''
    if (name.startsWith(':')) pseudo.set(name, value)
    else if (OF_ONE_CONNECTION.has(name)) return { refused: 400, why: `${name} is no field of HTTP/2` }
    else if (name === 'cookie') cookies.push(value)
    else {
      if (name === 'host' || name === 'content-length' || name === 'expect') {
        if (once.has(name)) return { refused: 400, why: `${name} is given twice` }
        once.set(name, value)
      }
      fields.push(name, value)
    }
  }
  // Clients send each cookie by itself, so that it is compressed well.
  if (cookies.length > 0) fields.push('cookie', cookies.join('; '))
  const [authority, host] = [pseudo.get(':authority'), once.get('host')]
  if (authority !== undefined && host !== undefined && authority.toLowerCase() !== host.toLowerCase())
    return { refused: 400, why: 'host and :authority differ' }
  return headOf({
    method: pseudo.get(':method') ?? '',
    target: pseudo.get(':path') ?? '',
    authority: authority ?? host,
    fields,
    length: once.get('content-length'),
    expect: once.get('expect')?.toLowerCase(),
    isWhole,
  })
}

export type Http2Fields = Record<string, string | string[]>

/** Fields as HTTP/2 has them: names in lower case, each of them once. */
export function http2Fields(fields: readonly string[]): Http2Fields {
  // Without a prototype, no name has a meaning of its own.
  const all: Http2Fields = Object.create(null)
  for (let at = 0; at < fields.length; at += 2) {
    const name = (fields[at] ?? '').toLowerCase()
    const value = fields[at + 1] ?? ''
    const before = all[name]
    if (before === undefined) all[name] = name === 'set-cookie' ? [value] : value
    else if (Array.isArray(before)) before.push(value)
    else all[name] = `${before}, ${value}`
  }
  return all
}

/** Trailers of a response, from lines of `name: value`. */
export function http2Trailers(lines: readonly string[]): Http2Fields {
  const pairs = lines.map(
    (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const,
  )
  return http2Fields(pairs.filter(([name]) => mayTrail(name)).flat())
}

/** The end of a body in chunks, with the trailers of a request, names and values in turn. */
export function lastChunk(trailers: readonly string[]): string {
  let text = '0\r\n'
  for (let at = 0; at < trailers.length; at += 2) {
    const name = trailers[at] ?? ''
    if (mayTrail(name) && isField(name, trailers[at + 1] ?? '')) text += `${name}: ${trailers[at + 1]}\r\n`
  }
  return `${text}\r\n`
}

function mayTrail(name: string): boolean {
  const low = name.toLowerCase()
  return !OF_ONE_CONNECTION.has(low) && !NEVER_LAST.has(low) && !low.startsWith(':')
}
