import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import * as z from 'zod'
import { dataFrames, FrameReader, jsonFrame, jsonIn, TUNNEL_PROTOCOL, type TunnelFrame } from '../api/tunnel.ts'
import { refuse } from '../core/base/refuse.ts'
import { written } from '../ports/room.ts'
import type { TunnelSource } from '../service/tunnels.ts'

/** A connection whose caller asked to write frames to it. */
interface Upgraded {
  readonly socket: Duplex
  /** What came after the request. */
  readonly head: Buffer
}

const UPGRADED = new WeakMap<IncomingMessage, Upgraded>()

/**
 * Requests for a tunnel take the same way as all others, through every check, until their handler takes over the connection. One
 * that is refused gets an ordinary reply, and the connection is closed.
 */
export function serveUpgrades(app: FastifyInstance): void {
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    UPGRADED.set(request, { socket, head })
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    // Proven: servers of this process speak over sockets.
    response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0])
    response.once('finish', () => socket.end())
    app.routing(request, response)
  })
}

/** The connection of a request for a tunnel. Throws if it is not one. */
export function upgradeOf(request: IncomingMessage): Upgraded {
  const upgraded = UPGRADED.get(request)
  if (upgraded !== undefined && request.headers.upgrade?.toLowerCase() === TUNNEL_PROTOCOL) return upgraded
  throw refuse('TUNNEL_REQUIRED', `This request needs a connection with \`Upgrade: ${TUNNEL_PROTOCOL}\`.`)
}

export interface TunnelDeps {
  /** Ends the source. */
  readonly stop: () => void
  readonly signal: AbortSignal
  /** Calls back again and again until the signal: it is time to check the token. */
  readonly every: (check: () => void, signal: AbortSignal) => void
  readonly mayStay: () => Promise<boolean>
  /** The problem answer for a failure. */
  readonly tell: (error: unknown) => object
}

/** Connects both ends until one of them has ended. Ends when nothing is left of it. */
export async function joinTunnel(upgraded: Upgraded, source: TunnelSource, deps: TunnelDeps): Promise<void> {
  const { socket } = upgraded
  const ending = new AbortController()
  const { promise: over, resolve, reject: fail } = Promise.withResolvers<number | undefined>()
  socket.once('close', () => resolve(undefined))
  watchOver(deps, ending.signal, fail)
  socket.write(`HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${TUNNEL_PROTOCOL}\r\n\r\n`)
  void takeIn(upgraded, source).catch(fail)
  void giveOut(socket, source)
    .then(() => source.ended)
    .then(resolve, fail)
  try {
    const code = await over
    if (socket.writable) socket.end(jsonFrame('over', code === undefined ? {} : { code }))
  } catch (error) {
    if (socket.writable) socket.end(jsonFrame('over', deps.tell(error)))
  } finally {
    deps.stop()
    ending.abort()
  }
}

/** Fails when the caller may no longer have it, or the server closes. */
function watchOver({ every, mayStay, signal }: TunnelDeps, until: AbortSignal, fail: (error: unknown) => void): void {
  const check = async (): Promise<void> => {
    if (!(await mayStay())) throw refuse('UNAUTHENTICATED', 'The token is no longer valid.')
  }
  every(() => void check().catch(fail), AbortSignal.any([until, signal]))
  const stopping = (): void => fail(refuse('CONTROL_PLANE_FAILED', 'The control plane is stopping.'))
  signal.addEventListener('abort', stopping, { once: true })
  until.addEventListener('abort', () => signal.removeEventListener('abort', stopping), { once: true })
}

async function giveOut(socket: Duplex, { output }: TunnelSource): Promise<void> {
  for await (const bytes of output) {
    for (const frame of dataFrames(bytes)) {
      if (!socket.writable) return
      await written(socket, frame)
    }
  }
}

async function takeIn({ socket, head }: Upgraded, source: TunnelSource): Promise<void> {
  const reader = new FrameReader()
  const pieces = async function* (): AsyncGenerator<Uint8Array> {
    if (head.length > 0) yield head
    // Proven: a socket without an encoding gives buffers.
    for await (const piece of socket.iterator({ destroyOnReturn: false })) yield piece as Buffer
  }
  try {
    for await (const piece of pieces()) {
      for (const frame of reader.read(piece)) await handle(frame, source)
    }
  } catch (error) {
    if (!socket.destroyed) throw error
  }
}

async function handle(frame: TunnelFrame, source: TunnelSource): Promise<void> {
  switch (frame.kind) {
    case 'data':
      return source.write(frame.data)
    case 'end':
      return source.end()
    case 'size': {
      const { data: screen } = screenForm.safeParse(jsonIn(frame))
      if (screen !== undefined) source.resize?.(screen)
      return
    }
    case 'over':
  }
}

const side = z.int().min(1).max(1000)
const screenForm = z.object({ rows: side, columns: side })
