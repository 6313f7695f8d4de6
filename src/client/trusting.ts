import type { Agent, RequestOptions } from 'node:https'
import type { PeerCertificate } from 'node:tls'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

/** The certificates by which a client recognises the control plane. */
export interface Trust {
  /** Certificates, in PEM: its own, or the only ones trusted to sign for it. */
  readonly ca: string
  /** The first certificate is its own: exactly that one is expected, whatever names it has. */
  readonly isOwn?: boolean
}

/** A `fetch` for a control plane, with its known certificates if there are any. */
export function fetchFrom({ url, ca, isOwn }: Partial<Trust> & { readonly url: string }): typeof fetch {
  const isKnown = ca !== undefined && url.startsWith('https:')
  return isKnown ? trustingFetch({ ca, isOwn: isOwn === true }) : (input, init) => fetch(input, init)
}

/** What a connection to a control plane needs to recognise it by these certificates. */
export function trustOf({ url, ca, isOwn = false }: Partial<Trust> & { readonly url: string }): RequestOptions {
  return ca !== undefined && url.startsWith('https:') ? trusted({ ca, isOwn }) : {}
}

/** A listed certificate is trusted by itself, without its issuer, whether it is self-signed or not. */
function trusted({ ca, isOwn = false }: Trust) {
  const by = { ca, allowPartialTrustChain: true, minVersion: 'TLSv1.2' } as const
  return { ...by, ...(isOwn && { checkServerIdentity: isThat(ca) }) }
}

/** A `fetch` over TLS that trusts these certificates and no others. */
export function trustingFetch(trust: Trust): typeof fetch {
  // Loaded only when needed: few commands need it, and every command must start quickly.
  const https = process.getBuiltinModule('node:https')
  const agent = new https.Agent({ keepAlive: true, ...trusted(trust) })
  return async (input, { method = 'GET', headers, body, signal } = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const options = { method, agent, headers: Object.fromEntries(new Headers(headers)) }
    const sent = typeof body === 'string' ? body : undefined
    const answer = await asked({ url, options: { ...options, ...(signal && { signal }) }, body: sent })
    const { statusCode: status = 0 } = answer
    if (status >= 300 && status < 400) throw failure(answer, new Error('redirected'))
    if (status === 204) answer.resume()
    const { Readable } = process.getBuiltinModule('node:stream')
    const stream = status === 204 ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>) // Node's and the web's type for the same stream.
    return new Response(stream, { status, headers: headersOf(answer.headers) })
  }
}

/** Checks that the certificate is exactly this one, instead of checking its names. */
function isThat(pem: string): (host: string, found: PeerCertificate) => Error | undefined {
  const { X509Certificate } = process.getBuiltinModule('node:crypto')
  return (_, { raw }) => {
    const isSame = new X509Certificate(pem).raw.equals(raw)
    return isSame ? undefined : Object.assign(new Error('another certificate'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' })
  }
}

interface Asking {
  readonly url: URL
  readonly options: RequestOptions & { readonly agent: Agent }
  readonly body: string | undefined
}

function asked({ url, options, body }: Asking): Promise<IncomingMessage> {
  const { request } = process.getBuiltinModule('node:https')
  return new Promise((resolve, reject) => {
    const sending = request(url, options, resolve)
    sending.on('error', (cause) => reject(options.signal?.aborted === true ? options.signal.reason : failed(cause)))
    sending.end(body)
  })
}

/** The error that `fetch` would throw. */
function failed(cause: Error): TypeError {
  return new TypeError('fetch failed', { cause })
}

function failure(answer: IncomingMessage, cause: Error): TypeError {
  answer.destroy()
  return failed(cause)
}

function headersOf(given: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one)
  }
  return headers
}
