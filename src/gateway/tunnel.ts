import type { Duplex } from 'node:stream'

/** One end of a tunnel, and what came from it before there was one. */
interface End {
  readonly socket: Duplex
  readonly early: Buffer
  readonly isEnded?: boolean
}

/** Makes two connections one: each gets what the other sends, as fast as it can take it. */
export function joinTunnel(client: End, replica: End): void {
  pass(client, replica)
  pass(replica, client)
  for (const [one, other] of [
    [client.socket, replica.socket],
    [replica.socket, client.socket],
  ] as const) {
    one.on('error', () => other.destroy())
    one.on('close', () => other.destroy())
  }
}

function pass({ socket: from, early, isEnded = false }: End, { socket: to }: End): void {
  if (early.length > 0) to.write(early)
  if (isEnded) to.end()
  from.on('data', (bytes: Buffer) => {
    if (!to.write(bytes)) from.pause()
  })
  to.on('drain', () => from.resume())
  from.on('end', () => to.end())
  from.resume()
}
