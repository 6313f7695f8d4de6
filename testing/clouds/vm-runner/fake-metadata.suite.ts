import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The metadata service of a machine of EC2, which answers only to those who have fetched a token. */
export class FakeMetadata {
  readonly #server: Server
  says: Readonly<Record<string, string>> = {}
  /** Questions without the token. */
  withoutToken = 0
  /** Called with the number of questions so far. */
  onAsked: ((count: number) => void) | undefined
  #asked = 0

  private constructor() {
    this.#server = createServer((request, response) => {
      if (request.method === 'PUT' && request.url === '/latest/api/token') return void response.end('token')
      this.onAsked?.(++this.#asked)
      const isKnown = request.headers['x-aws-ec2-metadata-token'] === 'token'
      if (!isKnown) this.withoutToken++
      const said = isKnown ? this.says[(request.url ?? '').replace('/latest/meta-data/', '')] : undefined
      response.writeHead(said === undefined ? 404 : 200).end(said)
    })
  }

  static async start(): Promise<FakeMetadata> {
    const made = new FakeMetadata()
    made.#server.listen(0, '127.0.0.1')
    await once(made.#server, 'listening')
    return made
  }

  get address(): string {
    // Proven: a server that listens on a port has such an address.
    const { port } = this.#server.address() as AddressInfo
    return `127.0.0.1:${port}`
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
