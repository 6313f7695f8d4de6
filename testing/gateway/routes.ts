import { createServer, type ServerResponse } from 'node:http'
import type { ServiceRoute } from '../../src/core/route/route.ts'
import { freePort } from '../plane/plane.ts'

/** The part of a control plane that gateways follow: a stream of routes. It can be taken away and come back at the same address. */
export class RouteSource {
  readonly #routes = new Map<string, ServiceRoute>()
  readonly #followers = new Set<ServerResponse>()
  #server: ReturnType<typeof createServer> | undefined
  #port = 0

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async start(): Promise<void> {
    if (this.#server !== undefined) return
    if (this.#port === 0) this.#port = await freePort()
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      tell(response, { kind: 'start' })
      for (const route of this.#routes.values()) tell(response, { kind: 'route', route })
      tell(response, { kind: 'whole' })
      this.#followers.add(response)
      response.on('close', () => this.#followers.delete(response))
    })
    const beat = setInterval(() => this.#followers.forEach((response) => response.write(': beat\n\n')), 5000)
    server.on('close', () => clearInterval(beat))
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#server = server
  }

  /** Killed: connections break, and nothing listens there. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
  }

  set(route: ServiceRoute): void {
    this.#routes.set(route.name, route)
    for (const response of this.#followers) tell(response, { kind: 'route', route })
  }
}

function tell(response: ServerResponse, entry: unknown): void {
  response.write(`id: 1\ndata: ${JSON.stringify(entry)}\n\n`)
}
