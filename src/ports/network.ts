/** What is sent. */
export interface Outgoing {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Bounds {
  /** Left out: nothing but the deadline ends it. */
  readonly signal?: AbortSignal
  readonly deadlineMs: number
  /** No reply is read beyond this; 0: what comes after its head is not read at all. */
  readonly bytesMost: number
  /**
   * The reply is a stream that may never end: what came is the reply once nothing more came for so long, after five times as long, or
   * once the most was read.
   */
  readonly quietMs?: number
  /** Whether an address in a private network may be called. */
  readonly reach: 'public' | 'any'
}

/** What came back, as far as it was read. */
export interface Incoming {
  readonly status: number
  /** Names in lower case. */
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

/** The way of providers to the API of a cloud and to what they rented there. */
export interface Network {
  /** One request and its reply, within the bounds. It follows no redirect. It rejects with `Broken` only. */
  readonly send: (outgoing: Outgoing, bounds: Bounds) => Promise<Incoming>
}
