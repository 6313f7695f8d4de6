import { createServer, type IncomingMessage } from 'node:http'
import { connect, createServer as createPlain, type AddressInfo, type Server, type Socket } from 'node:net'
import type { ReplicaRoute } from '../core/route/route.ts'
import { Gateway } from './gateway.ts'

/** What a replica answers with, byte for byte, and whether it closes then. */
export interface RawAnswer {
  readonly bytes: string
  readonly isLast?: boolean
}

interface More {
  readonly health?: string
  readonly state?: ReplicaRoute['state']
  readonly affinity?: 'session' | 'prefix'
  readonly hedge?: number
}

/** A gateway in this process with real sockets, and replicas behind it. */
export class World {
  /** How far the gateway's clock is ahead: its limits are reached without waiting for them. */
  aheadMs = 0
  readonly gateway = new Gateway({ nowMs: () => performance.now() + this.aheadMs, random: Math.random, id: 'test' })
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()
  port = 0

  static async open(): Promise<World> {
    const world = new World()
    const server = createPlain({ allowHalfOpen: true }, (socket) => world.gateway.accept(socket, 'http'))
    world.port = await world.listen(server)
    return world
  }

  async listen(server: Server): Promise<number> {
    this.#servers.push(server)
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.on('close', () => this.#sockets.delete(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // A server that listens on a port has such an address.
    return (server.address() as AddressInfo).port
  }

  /** Makes a service of replicas at these ports. */
  serve(name: string, ports: readonly number[], more: More = {}): void {
    const { affinity, hedge, ...each } = more
    this.gateway.take({
      ...(affinity && { affinity }),
      ...(hedge !== undefined && { hedge }),
      project: 'default',
      name,
      replicas: ports.map((port, slot) => ({
        id: `${slot}.${port}`,
        address: `127.0.0.1:${port}`,
        provider: 'here',
        region: 'r',
        state: 'ready' as const,
        ...each,
      })),
    })
  }

  /** A replica that tells what it got. */
  async echo(): Promise<number> {
    return this.listen(
      createServer((request, response) => {
        void bodyOf(request).then((body) => {
          if (body === undefined) return
          const { method, url, headers, trailers } = request
          const text = JSON.stringify({ method, url, headers, trailers, length: body.length })
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
          response.end(text)
        })
      }),
    )
  }

  /** A replica that answers with exactly these bytes, by path. */
  async raw(answers: Readonly<Record<string, RawAnswer>>): Promise<number> {
    return this.listen(
      createPlain((socket) => {
        let text = ''
        socket.on('error', () => undefined)
        socket.on('data', (bytes) => {
          text += bytes.toString('latin1')
          if (!text.includes('\r\n\r\n')) return
          const [, path = ''] = /^\S+ (\S+)/.exec(text) ?? []
          text = ''
          const answer = answers[path]
          if (answer === undefined) return void socket.destroy()
          socket.write(answer.bytes, 'latin1')
          if (answer.isLast === true) socket.end()
        })
      }),
    )
  }

  /** Sends bytes and reads until the connection closes or the text is there. `end`: half-closes after sending. */
  talk(
    bytes: string,
    {
      until,
      end = false,
      port = this.port,
    }: { readonly until?: RegExp; readonly end?: boolean; readonly port?: number } = {},
  ): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      let text = ''
      socket.on('connect', () => (end ? socket.end(bytes, 'latin1') : socket.write(bytes, 'latin1')))
      socket.on('data', (piece) => {
        text += piece.toString('latin1')
        if (until?.test(text) === true) socket.destroy()
      })
      socket.on('end', () => socket.destroy())
      socket.on('error', () => undefined)
      socket.on('close', () => resolve(text))
    })
  }

  async close(): Promise<void> {
    this.gateway.close()
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))))
  }
}

/** Undefined: it broke off. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of request) pieces.push(Buffer.from(piece))
  } catch {
    return undefined
  }
  return Buffer.concat(pieces)
}
