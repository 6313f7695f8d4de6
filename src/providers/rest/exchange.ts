import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { isIP } from 'node:net'
import { isPrivateAddress, NOT_PUBLIC, publicLookup } from './address-guard.ts'

/** What is sent. */
export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Bounds {
  readonly signal: AbortSignal
  /** No reply is read beyond this. */
  readonly bytesMost: number
  /** The address may be in a private network, and need not use TLS. */
  readonly isInternal: boolean
}

/** What came back, as far as it was read. */
export interface Incoming {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Why nothing usable came back, and whether the request may have reached the other side. */
export class Broken extends Error {
  readonly wasSent: boolean

  constructor(message: string, wasSent: boolean) {
    super(message)
    this.wasSent = wasSent
  }
}

const REDIRECTS_MOST = 3

/** One request and its whole reply. Redirects are followed for reads only, and only to the same origin. */
export async function exchange(outgoing: Outgoing, bounds: Bounds): Promise<Incoming> {
  let at = outgoing
  for (let hops = 0; hops <= REDIRECTS_MOST; hops++) {
    const incoming = await once(at, bounds)
    const { location } = incoming.headers
    if (incoming.status < 300 || incoming.status >= 400 || location === undefined) return incoming
    const url = URL.parse(location, at.url.href)
    if (at.method !== 'GET' || url?.origin !== at.url.origin)
      throw new Broken(`it answered with a redirect to ${url?.host ?? 'nowhere'}, which is not followed`, true)
    at = { ...at, url }
  }
  throw new Broken(`it answered with more than ${REDIRECTS_MOST} redirects`, true)
}

function once({ method, url, headers, body }: Outgoing, { signal, bytesMost, isInternal }: Bounds): Promise<Incoming> {
  const refusal = isInternal ? undefined : refusalOf(url)
  if (refusal !== undefined) return Promise.reject(new Broken(refusal, false))
  const options: RequestOptions = {
    method,
    signal,
    agent: false,
    headers: { ...headers, ...(body !== undefined && { 'content-length': `${Buffer.byteLength(body)}` }) },
    ...(!isInternal && { lookup: publicLookup }),
  }
  return new Promise((resolve, reject) => {
    let wasSent = false
    const fail = (error: unknown): void => {
      const message = signal.aborted ? 'no answer in time' : error instanceof Error ? error.message : String(error)
      reject(new Broken(message, wasSent))
    }
    const request = url.protocol === 'https:' ? secureRequest(url, options) : plainRequest(url, options)
    // From here on nobody can tell how much of it arrived.
    request.once('socket', (socket) => {
      const connected = url.protocol === 'https:' ? 'secureConnect' : 'connect'
      socket.once(connected, () => (wasSent = true))
    })
    request.once('error', fail)
    request.once('response', (response) => {
      read(response, bytesMost).then((text) => {
        resolve({ status: response.statusCode ?? 0, headers: headersOf(response), text })
      }, fail)
    })
    request.end(body)
  })
}

/** Names are checked when they are resolved, addresses here. */
function refusalOf({ protocol, hostname }: URL): string | undefined {
  if (protocol !== 'https:') return `${protocol}// is not used; the address must begin with https://`
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) !== 0 && isPrivateAddress(host) ? `${host} ${NOT_PUBLIC}` : undefined
}

async function read(response: IncomingMessage, bytesMost: number): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of response) {
    // Proven: without an encoding, a reply comes in buffers.
    const buffer = part as Buffer
    bytes += buffer.length
    if (bytes > bytesMost) {
      response.destroy()
      throw new Error(`its reply is larger than ${bytesMost} bytes`)
    }
    parts.push(buffer)
  }
  if (!response.complete) throw new Error('its reply was cut off')
  return Buffer.concat(parts).toString('utf8')
}

function headersOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  const texts = Object.entries(headers).flatMap(([name, value]) => {
    return value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const]
  })
  return Object.fromEntries(texts)
}
