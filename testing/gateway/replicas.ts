import { createServer as createHttp, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { ReplicaRoute } from '../../src/core/route/route.ts'
import type { RouteSource } from './routes.ts'

const EVENT_MS = 200

interface Running {
  readonly route: ReplicaRoute
  readonly server: Server
  readonly sockets: Set<Socket>
}

/** The replicas of one service, which come and go. One of them resets every connection as soon as something of a body came. */
export class Replicas {
  readonly #name: string
  readonly #source: RouteSource
  #all: readonly Running[] = []
  #leaving: readonly Running[] = []
  #count = 0

  constructor(name: string, source: RouteSource) {
    this.#name = name
    this.#source = source
  }

  async begin(count: number): Promise<void> {
    const reset = createServer((socket) => {
      socket.on('error', () => undefined)
      let bytes = 0
      socket.on('data', (piece) => {
        bytes += piece.length
        if (bytes > 8192 || piece.length < 8192) socket.resetAndDestroy()
      })
    })
    this.#all = [await this.#run(reset)]
    for (let at = 0; at < count; at++) this.#all = [...this.#all, await this.#run(replica())]
    this.#tell()
  }

  /** One comes, and the oldest that works goes: it is told first and finishes what it has. */
  async exchange(): Promise<void> {
    const [, oldest] = this.#all
    this.#all = [...this.#all, await this.#run(replica())]
    if (oldest === undefined) return this.#tell()
    this.#all = this.#all.filter((one) => one !== oldest)
    this.#leaving = [...this.#leaving, oldest]
    this.#tell()
    setTimeout(() => {
      this.#leaving = this.#leaving.filter((one) => one !== oldest)
      this.#tell()
      oldest.server.close()
    }, 3000)
  }

  /** The oldest that works dies with all that it has, and the routes show it only when the control plane finds out. */
  async kill({ isKnown }: { readonly isKnown: boolean }): Promise<void> {
    const [, oldest] = this.#all
    if (oldest === undefined) return
    oldest.server.close()
    for (const socket of oldest.sockets) socket.resetAndDestroy()
    if (!isKnown) return
    const next = await this.#run(replica())
    await new Promise((resolve) => setTimeout(resolve, 500))
    this.#all = [...this.#all.filter((one) => one !== oldest), next]
    this.#tell()
  }

  end(): void {
    for (const { server, sockets } of [...this.#all, ...this.#leaving]) {
      server.close()
      for (const socket of sockets) socket.destroy()
    }
  }

  async #run(server: Server): Promise<Running> {
    const sockets = new Set<Socket>()
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // A server that listens on a port has such an address.
    const { port } = server.address() as AddressInfo
    const attempt = this.#count++
    const id = `${attempt % 8}.${attempt}`
    const place = { provider: `p${attempt % 3}`, region: 'r' }
    return { route: { id, address: `127.0.0.1:${port}`, ...place, state: 'ready' }, server, sockets }
  }

  #tell(): void {
    const leaving = this.#leaving.map(({ route }) => ({ ...route, state: 'leaving' as const }))
    const replicas = [...this.#all.map(({ route }) => route), ...leaving]
    this.#source.set({ project: 'default', name: this.#name, replicas })
  }
}

/** Tells how long the body was; streams events at /stream; echoes what an upgraded connection says. */
function replica(): Server {
  const server = createHttp((request, response) => void answer(request, response))
  server.on('upgrade', (_, socket: Socket) => {
    socket.on('error', () => undefined)
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n')
    socket.pipe(socket)
  })
  return server
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => undefined)
  if (request.url === '/stream') {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => response.write(`data: ${performance.now()}\n\n`), EVENT_MS)
    response.on('close', () => clearInterval(timer))
    return
  }
  let length = 0
  try {
    for await (const piece of request) length += Buffer.byteLength(piece)
  } catch {
    return
  }
  response.end(JSON.stringify({ length }))
}
