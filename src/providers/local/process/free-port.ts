import { createServer } from 'node:net'
import type { NotedPort } from '../note.ts'

export interface PortRange {
  readonly from: number
  readonly to: number
}

/**
 * Port numbers on this host for a workload: the requested number if it is free, otherwise one of the range. Undefined: the
 * range is used up.
 */
export async function assignPorts(
  ports: readonly Omit<NotedPort, 'host'>[],
  range: PortRange,
  taken: ReadonlySet<number>,
): Promise<readonly NotedPort[] | undefined> {
  const used = new Set(taken)
  const assigned: NotedPort[] = []
  for (const { name, port, health } of ports) {
    const host = await firstFree(candidates(port, range), used)
    if (host === undefined) return undefined
    used.add(host)
    assigned.push({ name, port, health, host })
  }
  return assigned
}

async function firstFree(numbers: Iterable<number>, used: ReadonlySet<number>): Promise<number | undefined> {
  for (const number of numbers) {
    if (!used.has(number) && (await isFree(number))) return number
  }
  return undefined
}

function* candidates(own: number, { from, to }: PortRange): Generator<number> {
  yield own
  for (let number = from; number <= to; number++) yield number
}

/** On all addresses, because a workload may listen on any. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host: '0.0.0.0', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
