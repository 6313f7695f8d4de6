import { createServer as createPlain, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecure } from 'node:https'
import type { Socket } from 'node:net'
import { problemAnswerOf } from '../api/problem.ts'
import { PROBLEM_TYPE } from './problem-reply.ts'

/** The certificate that a server presents. */
export interface Certified {
  /** The current chain and its key, both in PEM. */
  readonly pair: () => { readonly cert: string; readonly key: string }
  /** Whether the certificate names this host or address. */
  readonly isNamed: (host: string) => boolean
  /** Passes every later certificate to this server. */
  readonly attach: (server: Renewable) => void
}

/** A server that takes a new certificate without closing connections. */
export interface Renewable {
  readonly setSecureContext: (pair: { readonly cert: string; readonly key: string }) => void
}

const LEAST = { minVersion: 'TLSv1.2' } as const

/** An HTTP/1.1 server, over TLS when there is a certificate. */
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
 * Answers plain HTTP on the TLS port with an explanation in plain HTTP. A token in such a request is not used here, but
 * others on the network may have read it.
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

const MESSAGE = 'This port speaks TLS, and the request came in clear text: a token in it may have been read by others.'
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
