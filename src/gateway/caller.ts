import type { Duplex } from 'node:stream'
import type { ResponseHead } from './http/head.ts'

/** The side of a request that the client sees, whatever version of HTTP it speaks. */
export interface ClientSide {
  /** A response before the response: 103. */
  readonly inform: (head: ResponseHead) => void
  /** The head of the response. Says how its body is wanted: as it came, or without its framing. */
  readonly begin: (head: ResponseHead) => BodyForm
  /** A piece of the body, whose memory is used again after the call. False: more is taken after `continueReading`. */
  readonly write: (bytes: Buffer) => boolean
  /** Sends what was held back to be sent together. */
  readonly flush: () => void
  readonly finish: (trailers: readonly string[]) => void
  /** Answers instead of a replica. */
  readonly refuse: (status: number, why: string) => void
  /** The response broke off: the client must not take what it has for the whole. */
  readonly fail: () => void
  /** The body of the request may flow again. */
  readonly resume: () => void
  /** From now on the two connections are one. */
  readonly tunnel: (head: ResponseHead, rest: Buffer, to: Duplex) => void
}

export type BodyForm = 'raw' | 'content'

/** What a connection to a replica tells the request that it serves. */
export interface Served {
  readonly method: string
  readonly upgrade: string | undefined
  /** The connection is there, and what was written has gone out. */
  readonly onConnected: () => void
  readonly onInform: (head: ResponseHead) => void
  /** Undefined: this response is not wanted, another replica is asked. */
  readonly onResponse: (head: ResponseHead) => BodyForm | undefined
  readonly onBody: (bytes: Buffer) => boolean
  readonly onFlush: () => void
  readonly onEnd: (trailers: readonly string[]) => void
  readonly onBroken: (how: Breakage) => void
  /** The replica takes more of the body. */
  readonly onDrain: () => void
  readonly onTunnel: (head: ResponseHead, rest: Buffer, socket: Duplex) => void
}

/** How a connection to a replica failed. `refused`: nothing listens there. `never`: it was never established. */
export interface Breakage {
  readonly kind: 'refused' | 'never' | 'broken'
  readonly why: string
}
