import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What answers at an address: a path in, a reply out. */
export type Answering = (path: string) => { readonly status: number; readonly text: string }

/** Where the machines of a pretended cloud can be reached. */
export interface Sockets {
  /** An address that no other machine has. */
  readonly address: (serial: number) => string
  /** Listens for as long as the cloud is there, and returns the port; port 0: any that is free. */
  readonly listen: (at: { readonly host: string; readonly port: number }, answer: Answering) => Promise<number>
  readonly close: () => Promise<void>
}

/** Sockets on the loopback addresses of this host. */
export class LoopbackSockets implements Sockets {
  /** Tells the addresses of this cloud's machines from those of other clouds on this host. */
  mark = 1
  readonly #servers: Server[] = []

  address(serial: number): string {
    return `127.${(this.mark >> 8) & 255}.${this.mark & 255}.${serial}`
  }

  async listen(at: { readonly host: string; readonly port: number }, answer: Answering): Promise<number> {
    const server = createServer(({ url = '/' }, response) => {
      const { status, text } = answer(url)
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
    })
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(at.port, at.host, resolve))
    this.#servers.push(server)
    // Proven: a server that listens on a port has such an address.
    return (server.address() as AddressInfo).port
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#servers.map((server) => {
        server.closeAllConnections()
        return new Promise((resolve) => server.close(resolve))
      }),
    )
  }
}
