import { Agent, request as requestPlain } from 'node:http'
import { connect as connectHttp2, constants, type ClientHttp2Session } from 'node:http2'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import { connect, type Socket } from 'node:net'

/** What all clients together have seen. */
export interface Tally {
  /** By kind of client. */
  readonly asked: Record<string, number>
  /** What went wrong and when; the first of them in words. */
  failed: number
  readonly failures: string[]
  /** A connection that was kept was closed by the gateway while a request was on its way; it was sent once more. */
  repeated: number
}

/** Where clients go, and until when. */
export interface Going {
  readonly port: number
  readonly isSecure: boolean
  readonly tally: Tally
  readonly signal: AbortSignal
}

const FAILURES_TOLD = 20
/** What a client waits for an answer. */
const PATIENCE_MS = 30_000

/** Clients of every kind, until the signal aborts: each asks, looks at the answer, rests, and asks again. */
export async function clients(going: Going): Promise<void> {
  const kept = going.isSecure
    ? new SecureAgent({ keepAlive: true, rejectUnauthorized: false })
    : new Agent({ keepAlive: true })
  const http2 = new Http2Client(going)
  const path = '/default/churn/x'
  const get = (agent: Agent | undefined): Promise<string> => ask(going, { path, agent })
  const put = (bytes: number, agent: Agent | undefined): Promise<string> => ask(going, { path, agent, bytes })
  const working = [
    ...Array.from({ length: 3 }, () => again(going, { kind: 'kept', restMs: 30, act: () => get(kept) })),
    again(going, { kind: 'fresh', restMs: 30, act: () => get(undefined) }),
    again(going, { kind: '20 kB', restMs: 100, act: () => put(20_000, kept) }),
    again(going, { kind: '4 MB', restMs: 2500, act: () => put(4_000_000, undefined) }),
    ...Array.from({ length: 2 }, () => again(going, { kind: 'http2', restMs: 30, act: () => http2.get(path) })),
    ...Array.from({ length: 5 }, () => again(going, { kind: 'stream', restMs: 300, act: () => stream(going) })),
    again(going, { kind: 'slow head', restMs: 500, act: () => slowHead(going) }),
    ...(going.isSecure ? [] : [again(going, { kind: 'upgrade', restMs: 500, act: () => upgrade(going) })]),
  ]
  await Promise.all(working)
  kept.destroy()
  http2.close()
}

interface Turn {
  readonly kind: string
  readonly restMs: number
  /** Answers what went wrong; empty: nothing. */
  readonly act: () => Promise<string>
}

async function again({ tally, signal, port }: Going, { kind, restMs, act }: Turn): Promise<void> {
  while (!signal.aborted) {
    tally.asked[kind] = (tally.asked[kind] ?? 0) + 1
    const why = await act()
    if (why !== '') {
      tally.failed++
      if (tally.failures.length < FAILURES_TOLD)
        tally.failures.push(`${new Date().toISOString()} ${kind} :${port} ${why}`)
    }
    await rest(restMs * (0.5 + Math.random()))
  }
}

function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

interface Asked {
  readonly path: string
  readonly agent: Agent | undefined
  readonly bytes?: number
}

/** One idempotent request. Sent a second time if a kept connection turned out to be closed, as every client of HTTP/1.1 does. */
async function ask(going: Going, asked: Asked): Promise<string> {
  const first = await once(going, asked)
  if (first !== REUSED) return first
  going.tally.repeated++
  const second = await once(going, { ...asked, agent: undefined })
  return second === REUSED ? 'broke twice' : second
}

const REUSED = 'a kept connection was closed'
const NOT_BEGUN = 'said to be not begun'

function once({ port, isSecure }: Going, { path, agent, bytes }: Asked): Promise<string> {
  return new Promise((resolve) => {
    const send = isSecure ? requestSecure : requestPlain
    const method = bytes === undefined ? 'GET' : 'PUT'
    const from = { port, host: '127.0.0.1', path, method, agent: agent ?? false, rejectUnauthorized: false }
    const asking = send({ ...from, headers: { 'content-length': bytes ?? 0 } })
    asking.setTimeout(PATIENCE_MS, () => asking.destroy(new Error('no answer in time')))
    asking.on('error', (error: NodeJS.ErrnoException) => {
      const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE'
      resolve(asking.reusedSocket && isClosed ? REUSED : (error.code ?? error.message))
    })
    asking.on('response', (response) => {
      let text = ''
      response.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
      response.on('error', () => undefined)
      response.on('close', () => {
        const isWell =
          response.complete && response.statusCode === 200 && text === JSON.stringify({ length: bytes ?? 0 })
        resolve(isWell ? '' : `${response.statusCode} ${response.complete ? '' : 'broken off'} ${text.slice(0, 200)}`)
      })
    })
    asking.end(bytes === undefined ? undefined : Buffer.alloc(bytes, 'a'))
  })
}

/** One connection for many requests; a new one when the gateway says that it ends. */
class Http2Client {
  readonly #going: Going
  #session: ClientHttp2Session | undefined

  constructor(going: Going) {
    this.#going = going
  }

  async get(path: string): Promise<string> {
    for (let at = 0; at < 3; at++) {
      const found = await this.#once(path)
      if (found !== NOT_BEGUN) return found
      // Said to be not begun: sent again on a new connection.
      this.#going.tally.repeated++
    }
    return 'refused three times'
  }

  close(): void {
    this.#session?.destroy()
  }

  #open(): ClientHttp2Session {
    const current = this.#session
    if (current !== undefined && !current.closed && !current.destroyed) return current
    const { port, isSecure } = this.#going
    const session = connectHttp2(`${isSecure ? 'https' : 'http'}://127.0.0.1:${port}`, { rejectUnauthorized: false })
    session.on('error', () => undefined)
    session.on('goaway', () => session.close())
    return (this.#session = session)
  }

  /** What went wrong, or that it was refused as not begun. */
  #once(path: string): Promise<string> {
    return new Promise((resolve) => {
      const stream = this.#open().request({ ':path': path })
      stream.setTimeout(PATIENCE_MS, () => stream.close(constants.NGHTTP2_CANCEL))
      let text = ''
      let status = 0
      stream.on('response', (headers) => (status = Number(headers[':status'])))
      stream.on('data', (piece: Buffer) => (text += piece.toString('latin1')))
      stream.on('error', () => undefined)
      stream.on('close', () => {
        const { rstCode } = stream
        if (rstCode === constants.NGHTTP2_REFUSED_STREAM) return resolve(NOT_BEGUN)
        resolve(status === 200 && rstCode === 0 ? '' : `${status}, reset with ${rstCode} ${text.slice(0, 200)}`)
      })
    })
  }
}

/** Reads events for a while and leaves. That its replica is killed meanwhile is no failure: a stream cannot be repeated. */
function stream({ port, isSecure, signal }: Going): Promise<string> {
  return new Promise((resolve) => {
    const send = isSecure ? requestSecure : requestPlain
    const from = { port, host: '127.0.0.1', path: '/default/churn/stream', agent: false, rejectUnauthorized: false }
    const asking = send(from, (response) => {
      if (response.statusCode !== 200) resolve(`${response.statusCode}`)
      response.resume()
      response.on('error', () => undefined)
    })
    const leave = (): unknown => asking.destroy()
    const timer = setTimeout(leave, 1000 + Math.random() * 4000)
    signal.addEventListener('abort', leave, { once: true })
    asking.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? 'refused' : ''))
    asking.on('close', () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', leave)
      resolve('')
    })
    asking.end()
  })
}

/** Begins a request and never ends it. */
async function slowHead(going: Going): Promise<string> {
  const socket = open(going, 'GET /default/churn/x HTTP/1.1\r\nhost: h\r\nx-a')
  await rest(1000)
  socket.destroy()
  return ''
}

/** An upgraded connection that says something and gets it back. */
function upgrade(going: Going): Promise<string> {
  return new Promise((resolve) => {
    const lines = 'host: h\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n'
    const socket = open(going, `GET /default/churn/echo HTTP/1.1\r\n${lines}`)
    let text = ''
    socket.on('data', (piece) => {
      if (text === '') socket.write('well')
      text += piece.toString('latin1')
      if (text.endsWith('well')) socket.destroy()
    })
    // A replica that is killed meanwhile takes the connection with it.
    socket.on('close', () => resolve(''))
    socket.setTimeout(PATIENCE_MS, () => {
      resolve('no echo in time')
      socket.destroy()
    })
  })
}

function open({ port }: Going, text: string): Socket {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.on('error', () => undefined)
  socket.write(text)
  return socket
}
