import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { Duplex } from 'node:stream'
import type { Fault } from '../../../core/life/call/fault.ts'
import type { Call } from '../../../ports/provider.ts'
import { wholeOf } from '../../rest/whole.ts'
import { faultFrom, replyOf } from '../read/faults.ts'
import { KubeconfigError } from './kubeconfig.ts'
import type { KubeUse, Ready, Session } from './session.ts'

export interface KubeRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** `/api/v1/namespaces/ml/pods`, with every part escaped. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  readonly body?: unknown
  /** Left out: JSON. */
  readonly type?: 'application/apply-patch+yaml' | 'application/merge-patch+json' | 'application/json-patch+json'
  /** After a call without an answer, something may exist. */
  readonly creates?: boolean
}

/** A reply, or why there is none that can be used. */
export type KubeReply =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: Fault; readonly reason: string; readonly status: number }

/** A reply that goes on. */
export type KubeStream =
  | { readonly ok: true; readonly stream: IncomingMessage }
  | Extract<KubeReply, { readonly ok: false }>

/** A connection that both sides write to. */
export type KubeUpgrade =
  | { readonly ok: true; readonly socket: Duplex; readonly head: Buffer; readonly protocol: string }
  | Extract<KubeReply, { readonly ok: false }>

const BYTES_MOST = 64 * 1024 * 1024

/**
 * Calls an API server. It does not retry, except once after a refused credential that can be had anew: then nothing was done. No
 * fault repeats a credential.
 */
export class KubeClient {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  close(): void {
    this.#session.close()
  }

  namespace(): Promise<string | undefined> {
    return this.#session.namespace()
  }

  async call(request: KubeRequest, { signal, requestId }: Pick<Call, 'signal' | 'requestId'>): Promise<KubeReply> {
    return this.#trying(request, signal, async (ready) => {
      const incoming = await this.#send(request, ready, { signal, requestId, use: useOf(request) })
      const text = await wholeOf(incoming, BYTES_MOST)
      return judged(request, incoming, text)
    })
  }

  /** Starts to read something that may never end. */
  async stream(request: KubeRequest, { signal, requestId }: Pick<Call, 'signal' | 'requestId'>): Promise<KubeStream> {
    return this.#trying(request, signal, async (ready) => {
      const incoming = await this.#send(request, ready, { signal, requestId, use: 'stream' })
      if (incoming.statusCode === 200) return { ok: true, stream: incoming }
      return refused(request, incoming, await wholeOf(incoming, BYTES_MOST))
    })
  }

  /** Opens a connection that both sides write to, by one of these protocols. */
  async upgrade(
    request: KubeRequest,
    protocols: readonly string[],
    call: Pick<Call, 'signal' | 'requestId'>,
  ): Promise<KubeUpgrade> {
    return this.#trying(request, call.signal, async (ready) => {
      const options = this.#options(request, ready, { ...call, use: 'stream' })
      const headers = {
        ...options.headers,
        // A node that is asked for JSON has no stream to offer.
        accept: '*/*',
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64'),
        'sec-websocket-protocol': protocols.join(', '),
      }
      return upgraded(urlOf(request, ready), { ...options, headers }, request)
    })
  }

  async #trying<T extends KubeReply | KubeStream | KubeUpgrade>(
    request: KubeRequest,
    signal: AbortSignal,
    attempt: (ready: Ready) => Promise<T>,
  ): Promise<T | Extract<KubeReply, { readonly ok: false }>> {
    const hidden: string[] = []
    try {
      signal.throwIfAborted()
      const ready = await this.#session.ready(signal)
      hidden.push(...ready.hidden)
      const reply = await attempt(ready)
      if (reply.ok || reply.status !== 401 || !this.#session.forget()) return cleaned(reply, hidden)
      const next = await this.#session.ready(signal)
      return cleaned(await attempt(next), [...hidden, ...next.hidden])
    } catch (error) {
      return cleaned(broken(request, error, signal), hidden)
    }
  }

  #options(request: KubeRequest, { agents, headers }: Ready, { signal, requestId, use }: UsingCall): RequestOptions {
    const { method, body, type = 'application/json' } = request
    return {
      method,
      signal,
      agent: agents[use],
      headers: {
        accept: 'application/json',
        'user-agent': 'berth',
        'audit-id': requestId,
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
      },
    }
  }

  #send(request: KubeRequest, ready: Ready, call: UsingCall): Promise<IncomingMessage> {
    const url = urlOf(request, ready)
    const body = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body))
    // Stated, because Node sends the body of a DELETE without its length: the rest of it would begin the next request.
    const length = body === undefined ? {} : { 'content-length': `${body.length}` }
    const { headers, ...rest } = this.#options(request, ready, call)
    const options = { ...rest, headers: { ...headers, ...length } }
    return new Promise((resolve, reject) => {
      const outgoing = url.protocol === 'https:' ? secureRequest(url, options) : plainRequest(url, options)
      outgoing.once('response', resolve)
      outgoing.once('error', (error) => reject(new Cut(error, isConnected(outgoing.socket))))
      outgoing.end(body)
    })
  }
}

type UsingCall = Pick<Call, 'signal' | 'requestId'> & { readonly use: KubeUse }

function useOf({ method }: KubeRequest): KubeUse {
  return method === 'POST' || method === 'PATCH' ? 'write' : 'read'
}

/** A request that got no reply, and whether it may have arrived. */
class Cut extends Error {
  readonly wasSent: boolean
  constructor(error: Error, wasSent: boolean) {
    super(error.message, { cause: error })
    this.wasSent = wasSent
  }
}

/** From the moment a connection stands, nobody can tell how much of a request arrived. */
function isConnected(socket: { readonly bytesWritten?: number; readonly connecting?: boolean } | null): boolean {
  return socket !== null && socket.connecting !== true && (socket.bytesWritten ?? 0) > 0
}

function urlOf({ path, query = {} }: KubeRequest, { server }: Ready): URL {
  const url = new URL(`${server.pathname.replace(/\/$/, '')}${path}`, server)
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined) url.searchParams.append(name, String(each))
    }
  }
  return url
}

function judged(request: KubeRequest, incoming: IncomingMessage, text: string): KubeReply {
  const { statusCode: status = 0 } = incoming
  if (status < 200 || status >= 300) return refused(request, incoming, text)
  try {
    return { ok: true, value: text === '' ? undefined : JSON.parse(text) }
  } catch {
    throw new Error('the reply is not JSON')
  }
}

function refused(
  request: KubeRequest,
  incoming: IncomingMessage,
  text: string,
): Extract<KubeReply, { readonly ok: false }> {
  const { statusCode: status = 0 } = incoming
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  )
  const fault = faultFrom({ status, headers, text }, { creates: request.creates === true })
  return { ok: false, fault, reason: replyOf({ text }).reason, status }
}

function broken(request: KubeRequest, error: unknown, signal: AbortSignal): Extract<KubeReply, { readonly ok: false }> {
  const isSetUp = error instanceof KubeconfigError
  const wasSent = !isSetUp && (error instanceof Cut ? error.wasSent : !signal.aborted || error !== signal.reason)
  const why = signal.aborted ? 'no answer in time' : error instanceof Error ? error.message : String(error)
  const name = isSetUp ? 'AUTH' : request.creates === true && wasSent ? 'AMBIGUOUS' : 'TRANSIENT'
  const message = isSetUp ? why : `The API server gives no usable answer: ${why}.`
  return { ok: false, fault: { class: name, message: message.slice(0, 500) }, reason: '', status: 0 }
}

function cleaned<T extends KubeReply | KubeStream | KubeUpgrade>(reply: T, hidden: readonly string[]): T {
  if (reply.ok) return reply
  const forms = hidden.flatMap((secret) => [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')])
  const message = forms.reduce((text, form) => text.replaceAll(form, '***'), reply.fault.message)
  return { ...reply, fault: { ...reply.fault, message } }
}

function upgraded(url: URL, options: RequestOptions, request: KubeRequest): Promise<KubeUpgrade> {
  return new Promise((resolve, reject) => {
    const outgoing = url.protocol === 'https:' ? secureRequest(url, options) : plainRequest(url, options)
    outgoing.once('upgrade', (incoming, socket, head) => {
      const protocol = incoming.headers['sec-websocket-protocol']
      resolve({ ok: true, socket, head, protocol: typeof protocol === 'string' ? protocol : '' })
    })
    outgoing.once('response', (incoming) => {
      wholeOf(incoming, BYTES_MOST).then((text) => resolve(refused(request, incoming, text)), reject)
    })
    outgoing.once('error', (error) => reject(new Cut(error, isConnected(outgoing.socket))))
    outgoing.end()
  })
}
