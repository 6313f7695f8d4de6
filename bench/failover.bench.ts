import { Agent, get } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { Gateway } from '../src/gateway/gateway.ts'
import { flag, round, type Bench } from './bench.ts'
import { measureReplaced } from './failover/replaced.ts'
import { started } from './gateway/child.ts'

const REPLICAS = 8
const CLIENTS = 40

/** What callers notice when replicas fail in four ways, one after the other. */
export const failover: Bench = {
  name: 'failover',
  about: 'four kinds of failure of a replica under load, and how soon a control plane replaces one (--requests N)',
  async run(argv) {
    const wanted = Number(flag(argv, 'requests', '100000'))
    const replicas = await Promise.all(Array.from({ length: REPLICAS }, () => started('replica')))
    const gateway = new Gateway({ nowMs: () => performance.now(), random: Math.random, id: 'bench' })
    gateway.take({
      project: 'default',
      name: 'web',
      replicas: replicas.map(({ port }, slot) => replica(slot, port)),
    })
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => gateway.accept(socket, 'http'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // A server that listens on a port has such an address.
    const { port } = server.address() as AddressInfo
    const count = { requests: 0, failed: 0, longestMs: 0 }
    const clients = Array.from({ length: CLIENTS }, () => client({ port, wanted, count }))
    const reached = (share: number) => until(() => count.requests >= wanted * share)
    await reached(0.2)
    replicas[0]?.child.kill('SIGKILL')
    const outMs = await until(() => isOut(gateway, 0))
    await reached(0.4)
    replicas[1]?.child.kill('SIGSTOP')
    await reached(0.6)
    replicas[2]?.child.send('reset')
    await reached(0.8)
    replicas[3]?.child.send('5xx')
    await Promise.all(clients)
    gateway.close()
    server.close()
    for (const { child } of replicas) child.kill('SIGKILL')
    const replaced = await measureReplaced()
    const longest = replaced.replacements.toSorted((one, two) => two.replacedMs - one.replacedMs)[0]
    return {
      requests: count.requests,
      failed: count.failed,
      longest_ms: round(count.longestMs),
      out_after_ms: round(outMs),
      // The slowest of those that a real control plane replaced, and how long the provider took to start it.
      replaced_after_ms: longest?.replacedMs,
      replaced_start_ms: longest?.startMs,
      replaced: replaced.replacements.map(({ replacedMs, startMs }) => ({ after_ms: replacedMs, start_ms: startMs })),
      replaced_requests: replaced.requests,
      replaced_failed: replaced.failed,
      retries: gateway.services.get('default/web')?.retries,
      floor: { failed: 0, longest_ms: 1000, out_after_ms: 1000, replaced_after_ms: (longest?.startMs ?? 0) + 1000 },
    }
  },
}

function replica(slot: number, port: number) {
  const place = { provider: `provider-${slot % 3}`, region: 'r', health: '/health' }
  return { id: `${slot}.a`, address: `127.0.0.1:${port}`, ...place, state: 'ready' as const }
}

function isOut(gateway: Gateway, slot: number): boolean {
  return gateway.services.get('default/web')?.usable.some(({ id }) => id === `${slot}.a`) === false
}

/** How long it took until this held. */
async function until(isSo: () => boolean): Promise<number> {
  const beganMs = performance.now()
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1))
  return performance.now() - beganMs
}

interface Calling {
  readonly port: number
  readonly wanted: number
  readonly count: { requests: number; failed: number; longestMs: number }
}

/** Asks again and again until all of them together have asked often enough. */
async function client({ port, wanted, count }: Calling): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  while (count.requests < wanted) {
    count.requests++
    const beganMs = performance.now()
    const isWell = await new Promise<boolean>((resolve) => {
      const asked = get({ port, host: '127.0.0.1', path: '/default/web/', agent }, (response) => {
        response.resume()
        response.on('close', () => resolve(response.complete && response.statusCode === 200))
      })
      asked.on('error', () => resolve(false))
    })
    if (!isWell) count.failed++
    count.longestMs = Math.max(count.longestMs, performance.now() - beganMs)
  }
  agent.destroy()
}
