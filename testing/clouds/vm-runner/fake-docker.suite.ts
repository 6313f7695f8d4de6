import { createServer, type IncomingMessage, type Server } from 'node:http'

/** A docker that only takes notes, on a socket of its own. */
export class FakeDocker {
  readonly asked: string[] = []
  created: unknown
  replies: Readonly<Record<string, readonly [status: number, body: unknown]>> = {}
  readonly server: Server = createServer(
    (request, response) =>
      void this.#answer(request).then(([status, body]) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }),
  )

  async #answer(request: IncomingMessage): Promise<readonly [number, unknown]> {
    const parts: Buffer[] = []
    // Proven: without an encoding, a request comes in buffers.
    for await (const part of request) parts.push(part as Buffer)
    const asked = `${request.method} ${request.url}`
    this.asked.push(asked)
    if (asked.startsWith('POST /containers/create')) this.created = JSON.parse(Buffer.concat(parts).toString('utf8'))
    const known = Object.entries(this.replies).find(([start]) => asked.startsWith(start))
    return known?.[1] ?? [404, { message: 'no such container' }]
  }
}

/** Replies when everything goes well. */
export const GOOD = {
  'GET /_ping': [200, 'OK'],
  'POST /images/create': [200, { status: 'Pull complete' }],
  'POST /containers/create': [201, { Id: 'c1' }],
  'POST /containers/berth/start': [204, undefined],
  'POST /containers/berth/wait': [200, { StatusCode: 7 }],
} as const
