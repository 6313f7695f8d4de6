import { createServer as createPlain, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { Socket } from 'node:net'
import { problemAnswerOf } from '../api/problem.ts'
import { PROBLEM_TYPE } from './problem-reply.ts'

/** The certificate that a server answers with. */
export interface Certified {
  /** The chain and its key, both in PEM, as they are now. */
  readonly pair: () => { readonly cert: string; readonly key: string }
  /** Whether the certificate names this host, or this address. */
  readonly isNamed: (host: string) => boolean
  /** From now on the server gets each certificate that follows. */
  readonly attach: (server: Renewable) => void
}

/** What takes another certificate without ending a connection. */
export interface Renewable {
  readonly setSecureContext: (pair: { readonly cert: string; readonly key: string }) => void
}

const LEAST = { minVersion: 'TLSv1.2' } as const

/** A server of HTTP/1.1, over TLS where there is a certificate. */
export function makeServer(handler: RequestListener, options: ServerOptions, tls: Certified | undefined): Server {
  if (tls === undefined) return createPlain(options, handler)
  const { headersTimeout: handshakeTimeout } = options
  const secured = { ...tls.pair(), ...LEAST, ALPNProtocols: ['http/1.1'] }
  const server = createSecure({ ...options, ...secured, ...(handshakeTimeout && { handshakeTimeout }) }, handler)
  tls.attach({ setSecureContext: (pair) => server.setSecureContext({ ...pair, ...LEAST }) })
  tellPlainCallers(server)
  return server
}

/**
 * A caller that speaks plain HTTP here is told so, in plain HTTP. A token that it sent went in the clear: it is not looked at
 * here, and others on the way may have read it.
 */
function tellPlainCallers(server: Server): void {
  const open = new Map<string, Socket>()
  const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    open.set(name, socket)
    socket.once('close', () => open.delete(name))
  })
  server.on('tlsClientError', (error: NodeJS.ErrnoException, secure: Socket) => {
    const isPlain = error.code === 'ERR_SSL_HTTP_REQUEST'
    const socket = open.get(nameOf(secure))
    if (isPlain && socket?.writable === true) socket.end(PLAIN_ANSWER)
    else socket?.destroy()
  })
}

const MESSAGE = 'This port speaks TLS, and the request came in the clear: a token that it carried may have been read.'
const PLAIN_ANSWER = plainAnswer()

function plainAnswer(): string {
  const problem = {
    code: 'TLS_REQUIRED' as const,
    message: MESSAGE,
    hint: 'Write https:// instead of http:// in the address.',
  }
  const body = JSON.stringify(problemAnswerOf([problem], 'none'))
  const head = [
    'HTTP/1.1 400 Bad Request',
    `content-type: ${PROBLEM_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
