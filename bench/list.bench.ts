import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { httpBerth } from '../src/client/client.ts'
import { RANDOM, TIMERS } from '../src/entry/outside.ts'
import type { Berth, ListQuery } from '../src/ports/berth.ts'
import { Secret } from '../src/ports/secret.ts'
import { PlaneChild } from './api/child.ts'
import type { Kept } from './api/plane.ts'
import { flag, percentile, round, type Bench } from './bench.ts'

/** Lists as `berth ps` asks for them. */
const LISTS: Readonly<Record<string, ListQuery>> = {
  'all, by name': { limit: 100 },
  'state failed': { state: ['failed'], limit: 100 },
  'label team=ml, newest first': { label: 'team=ml', sort: 'age', limit: 100 },
  'project p2, state failed, dearest first': { project: 'p2', state: ['failed'], sort: 'cost', limit: 100 },
  'provider own': { provider: 'own', limit: 100 },
}
const ROUNDS = 50

/** How long the first page of a list takes, measured at the client, over HTTP, on SQLite: the control plane's very first request, too. */
export const list: Bench = {
  name: 'list',
  about: 'first page of filtered and sorted lists over 10,000 workloads, at the client (--workloads N)',
  async run(argv) {
    const workloads = Number(flag(argv, 'workloads', '10000'))
    const plane = await PlaneChild.start()
    try {
      await plane.ask({ kind: 'fill', count: workloads })
      const kept = await plane.ask<Kept>({ kind: 'keep-listed' })
      const [token = ''] = await plane.ask<readonly string[]>({ kind: 'tokens', count: 1 })
      const clientOf = (port: number): Berth =>
        httpBerth({ url: `http://127.0.0.1:${port}`, token: new Secret(token), fetch, timers: TIMERS, random: RANDOM })
      const clientMs = await loaded(clientOf)
      const berth = clientOf(plane.port)
      const rows: Record<string, unknown> = {}
      for (const [name, query] of Object.entries(LISTS)) {
        const tookMs: number[] = []
        let items = 0
        for (let round = 0; round < ROUNDS; round++) {
          const beganMs = performance.now()
          items = (await berth.workloads(query)).items.length
          tookMs.push(performance.now() - beganMs)
        }
        rows[name] = {
          items,
          first_ms: round(tookMs[0] ?? 0),
          p50_ms: round(percentile(tookMs.slice(1), 0.5)),
          p95_ms: round(percentile(tookMs.slice(1), 0.95)),
        }
      }
      const index = {
        build_ms: round(kept.buildMs),
        longest_turn_ms: round(kept.longestTurnMs),
        longest_turn_cpu_ms: round(kept.longestCpuMs),
      }
      return {
        workloads,
        index,
        client_load_ms: round(clientMs),
        lists: rows,
        floor: { first_ms: 20, p50_ms: 20, longest_turn_ms: 20 },
      }
    } finally {
      await plane.end()
    }
  },
}

/**
 * Loads the client by asking another server for an empty list, so that the first page of the control plane is measured, and
 * not what Node needs to load `fetch`. Returns how long that takes.
 */
async function loaded(clientOf: (port: number) => Berth): Promise<number> {
  const server = createServer((_, reply) => {
    reply.setHeader('content-type', 'application/json')
    reply.end(JSON.stringify({ items: [] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const beganMs = performance.now()
  // Proven: a server that listens on a port has an address.
  await clientOf((server.address() as AddressInfo).port).workloads({ limit: 1 })
  server.closeAllConnections()
  server.close()
  return performance.now() - beganMs
}
