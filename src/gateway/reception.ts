import type { Socket } from 'node:net'
import type { ClientSide } from './caller.ts'
import type { Exchange } from './exchange.ts'
import type { RequestHead } from './http/head.ts'

/** What a connection of a client needs of the gateway, whatever version of HTTP it speaks. */
export interface Reception {
  readonly nowMs: () => number
  /** Finds the service of a request and begins; a text instead: there is none. */
  readonly receive: (head: RequestHead, caller: ClientSide & Identified, from: Origin) => Exchange | string
  readonly isDraining: () => boolean
  readonly closed: (connection: ClientConnection) => void
  readonly refused: (status: number) => void
  /** The client began in HTTP/2, with these bytes. */
  readonly speaksHttp2: (from: ClientConnection, socket: Socket, first: Buffer) => void
}

/** Gets the id of its request. */
export interface Identified {
  requestId: string
}

export interface Origin {
  readonly client: string
  readonly scheme: 'http' | 'https'
}

/** One connection of a client. */
export interface ClientConnection {
  /** Ends it if the client takes too long for something. */
  readonly expire: (nowMs: number) => void
  /** Nothing new is taken; what is under way is finished. */
  readonly drain: () => void
}

/** How long a client may be silent: between requests, and within the body of one; and not read what it is sent. */
export const IDLE_MS = 75_000
export const BODY_MS = 60_000
export const WRITE_MS = 60_000

/** The address of a client, in one form whatever the socket listens on. */
export function clientOf(socket: Socket): string {
  return socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'
}
