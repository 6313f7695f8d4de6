import type { Answering, Sockets } from '../../clouds/sockets.ts'

const FIRST_PORT = 20_000

/** Addresses that exist in one simulated world only. */
export class MemorySockets {
  readonly #answering = new Map<string, Answering>()
  #ports = FIRST_PORT

  /** What is at `host:port`; undefined: nothing. */
  at(host: string): Answering | undefined {
    return this.#answering.get(host)
  }

  /** The part of one cloud. */
  of(cloud: number): Sockets {
    return {
      address: (serial) => `10.${cloud}.${serial >> 8}.${serial & 255}`,
      listen: async ({ host, port }, answer) => {
        const taken = port === 0 ? this.#ports++ : port
        this.#answering.set(`${host}:${taken}`, answer)
        return taken
      },
      close: async () => undefined,
    }
  }
}
