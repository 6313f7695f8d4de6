import type { Duplex } from 'node:stream'
import { problemAnswer, tunnelEnd } from '../api/answers.ts'
import { problemsOf } from '../api/problem.ts'
import type { Route } from '../api/route.ts'
import { dataFrames, FrameReader, frameOf, jsonFrame, jsonIn, TUNNEL_PROTOCOL, type Tunnel } from '../api/tunnel.ts'
import { UserError } from '../core/base/problem.ts'
import { refuse } from '../core/base/refuse.ts'
import { written } from '../ports/room.ts'
import type { TunnelUpgrade } from './upgrade.ts'
import { addressOf, refusalOf, unreachable, type ClientDeps, type Parts } from './send.ts'

/** How long it may take until the control plane has connected to what the tunnel leads to. */
const OPEN_MS = 45_000

/** Opens a tunnel. It is not retried: nobody can tell what was done with the first one. */
export async function openTunnel(
  deps: ClientDeps,
  route: Route,
  { params = {}, query = {}, signal }: Parts & { readonly signal: AbortSignal },
): Promise<Tunnel> {
  const headers = {
    connection: 'Upgrade',
    upgrade: TUNNEL_PROTOCOL,
    'content-length': '0',
    ...(deps.token !== undefined && { authorization: `Bearer ${deps.token.reveal()}` }),
  }
  if (deps.upgrade === undefined) throw unreachable(deps.url, undefined)
  const cut = new AbortController()
  const answered = new AbortController()
  void deps.timers.sleep(OPEN_MS, answered.signal).then(() => {
    if (!answered.signal.aborted) cut.abort(new DOMException('late', 'TimeoutError'))
  })
  try {
    const url = addressOf(deps.url, route, { params, query })
    const asked = { method: route.method, headers, signal: AbortSignal.any([signal, cut.signal]) }
    const reply = await deps.upgrade(url, asked).catch((error: unknown) => {
      throw unreachable(deps.url, error)
    })
    if (!reply.ok) throw await refusalOf(reply.response, deps.url)
    return tunnelOver(reply, deps.url, signal)
  } finally {
    answered.abort()
  }
}

function tunnelOver(
  { socket, head }: Extract<TunnelUpgrade, { readonly ok: true }>,
  url: string,
  signal: AbortSignal,
): Tunnel {
  const { promise: ended, resolve, reject } = Promise.withResolvers<{ readonly code?: number | undefined }>()
  // Whoever only reads the output need not look at how it ended.
  ended.catch(() => undefined)
  const stop = (): void => void socket.destroy()
  signal.addEventListener('abort', stop, { once: true })
  socket.on('error', () => socket.destroy())
  async function* output(): AsyncGenerator<Uint8Array> {
    const reader = new FrameReader()
    try {
      for await (const piece of pieces(socket, head)) {
        for (const frame of reader.read(piece)) {
          if (frame.kind === 'data') yield frame.data
          if (frame.kind !== 'over') continue
          settle(jsonIn(frame), { resolve, reject })
          return
        }
      }
    } catch {
      // The connection broke, which is said below.
    } finally {
      signal.removeEventListener('abort', stop)
      reject(refuse('CONTROL_PLANE_UNREACHABLE', `The connection to the control plane at ${url} ended.`, 'Try again.'))
      socket.destroy()
    }
  }
  const send = (bytes: Uint8Array): Promise<void> => written(socket, bytes)
  return {
    output: output(),
    write: async (bytes) => {
      for (const frame of dataFrames(bytes)) await send(frame)
    },
    end: () => void send(frameOf('end')),
    resize: (screen) => void send(jsonFrame('size', screen)),
    close: stop,
    ended,
  }
}

async function* pieces(socket: Duplex, head: Buffer): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head
  // Proven: a socket without an encoding gives buffers.
  for await (const piece of socket) yield piece as Buffer
}

interface Ends {
  readonly resolve: (end: { readonly code?: number | undefined }) => void
  readonly reject: (error: UserError) => void
}

function settle(value: unknown, { resolve, reject }: Ends): void {
  const problem = problemAnswer.safeParse(value)
  if (problem.success) return reject(new UserError(problemsOf(problem.data)))
  resolve(tunnelEnd.safeParse(value).data ?? {})
}
