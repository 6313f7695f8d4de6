import type { IncomingMessage, RequestOptions } from 'node:http'
import type { Duplex } from 'node:stream'

/** Connections that become tunnels. */
export type Upgrading = (
  url: string,
  options: Pick<RequestOptions, 'method' | 'headers' | 'signal'>,
) => Promise<TunnelUpgrade>

export type TunnelUpgrade =
  | { readonly ok: true; readonly socket: Duplex; readonly head: Buffer }
  | { readonly ok: false; readonly response: Response }

/** Asks a control plane for a tunnel, with its known certificates if there are any. */
export function upgradeFrom(trusted: RequestOptions): Upgrading {
  return (url, options) => {
    // Loaded only when needed: few commands need it, and every command must start quickly.
    const { request } = process.getBuiltinModule(url.startsWith('https:') ? 'node:https' : 'node:http')
    return new Promise((resolve, reject) => {
      const asking = request(url, { ...trusted, ...options, agent: false })
      asking.once('upgrade', (_, socket: Duplex, head: Buffer) => resolve({ ok: true, socket, head }))
      asking.once('response', (incoming) => resolve({ ok: false, response: responseOf(incoming) }))
      asking.once('error', (cause) => reject(new TypeError('fetch failed', { cause })))
      asking.end()
    })
  }
}

function responseOf(incoming: IncomingMessage): Response {
  const { Readable } = process.getBuiltinModule('node:stream')
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array> // Node's and the web's type for the same stream.
  return new Response(body, { status: incoming.statusCode ?? 500 })
}
