import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { CloudEngine } from './engine.ts'
import { FakeApi, type FakeCall, type FakeVendor, type Mishap, type RawReply, type WireReply } from './fake-api.ts'
import type { Referee } from './referee/referee.ts'
import { LoopbackSockets } from './sockets.ts'

/** What tests do to a pretended cloud. */
export interface PretendedCloud {
  readonly engine: CloudEngine
  readonly referee: Referee | undefined
  readonly counts: ReadonlyMap<FakeCall, number>
  /** The key that is accepted. */
  key: string
  readonly next: (call: FakeCall, ...mishaps: readonly Mishap[]) => void
  readonly forget: () => void
}

/** A pretended cloud that listens on the loopback address. */
export class FakeCloud extends FakeApi implements PretendedCloud {
  readonly #sockets: LoopbackSockets
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  #url = ''
  /** Takes every request and says nothing, for as long as this is so. */
  isSilent = false
  /** What was asked meanwhile, and when. */
  readonly unanswered: { readonly call: FakeCall | undefined; readonly atMs: number }[] = []

  private constructor(vendor: FakeVendor, nowMs: () => number, referee: Referee | undefined) {
    const sockets = new LoopbackSockets()
    super(vendor, { nowMs, sockets, ...(referee !== undefined && { referee }) })
    this.#sockets = sockets
  }

  static async open(vendor: FakeVendor, nowMs: () => number, referee?: Referee): Promise<FakeCloud> {
    const cloud = new FakeCloud(vendor, nowMs, referee)
    await new Promise<void>((resolve) => cloud.#server.listen(0, '127.0.0.1', resolve))
    // Proven: a server that listens on a port has such an address.
    const { port } = cloud.#server.address() as AddressInfo
    cloud.#url = `http://127.0.0.1:${port}`
    cloud.#sockets.mark = port
    return cloud
  }

  get url(): string {
    return this.#url
  }

  async close(): Promise<void> {
    await this.engine.close()
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', headers, url = '/' } = incoming
    const text = await bodyOf(incoming)
    if (this.isSilent) {
      const call = this.callOf({ method, url: new URL(url, this.#url), headers, text })
      this.unanswered.push({ call, atMs: Date.now() })
      return
    }
    const reply = await this.answer({ method, url: new URL(url, this.#url), headers, text })
    if (reply === 'cut') incoming.socket.destroy()
    else if ('bytes' in reply) sendRaw(reply, response)
    else if (reply.isOpen === true) sendOpen(reply, response)
    else response.writeHead(reply.status, reply.headers).end(reply.text)
  }
}

/** The head and what there is, and then nothing more comes. */
function sendOpen({ status, headers, text }: WireReply, response: ServerResponse): void {
  response.writeHead(status, headers).flushHeaders()
  if (text !== '') response.write(text)
}

export function sendRaw({ status, type, bytes, headers, end }: RawReply, response: ServerResponse): void {
  if (end === 'hung') return
  const length = end !== undefined ? { 'content-length': String(bytes.length + 100) } : {}
  response.writeHead(status, { ...headers, ...length, ...(type !== undefined && { 'content-type': type }) })
  if (end === 'cut') response.write(bytes, () => response.destroy())
  else if (end === 'slow') drip(bytes, response)
  else response.end(bytes)
}

const DRIP_MS = 5

function drip(bytes: Uint8Array, response: ServerResponse): void {
  let at = 0
  response.flushHeaders()
  const timer = setInterval(() => response.write(bytes.subarray(at, ++at)), DRIP_MS)
  response.once('close', () => clearInterval(timer))
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  // Proven: without an encoding, a request comes in buffers.
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
