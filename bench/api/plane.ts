import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { configFrom } from '../../src/cli/inputs.ts'
import { RANDOM, TIMERS } from '../../src/entry/outside.ts'
import { PROVIDER_KINDS } from '../../src/providers/registry.ts'
import { createToken } from '../../src/service/tokens.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts'
import { composePlane } from '../../src/up/compose.ts'
import { openVault } from '../../src/vault/vault.ts'
import { configOf } from '../bind/work.ts'
import { fill } from './fill.ts'

// The control plane of `npm run bench -- streams` and `-- list`: real, on SQLite, in a process of its own, so that its
// processor time is its own. It does what its parent tells it and answers each message with one.

setFlagsFromString('--max-inlined-bytecode-size-cumulative=150')

const CLOCK = { nowMs: () => Date.now(), tickMs: () => performance.now(), cpuMs: () => process.cpuUsage().user / 1000 }
const ACTOR = { name: 'system', role: 'admin', projects: ['*'] } as const

/** What the parent asks for. */
export type Order =
  /** So many tokens of administrators. */
  | { readonly kind: 'tokens'; readonly count: number }
  | { readonly kind: 'cpu' }
  /** Commits an event, and answers with the time just before. */
  | { readonly kind: 'event'; readonly slot: string }
  /** Writes so many workloads with a status and a placement each. */
  | { readonly kind: 'fill'; readonly count: number }
  /** What a start does in the background: how long it takes, and how long it keeps other work waiting at most. */
  | { readonly kind: 'keep-listed' }

/** How long the index of lists took, and its longest turn: by the clock, and of processor time, which other load does not change. */
export interface Kept {
  readonly buildMs: number
  readonly longestTurnMs: number
  readonly longestCpuMs: number
}

const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'))
const store = await openSqliteStore(join(folder, 'berth.db'), { nowMs: Date.now })
const silent = (): void => undefined
const plane = composePlane({
  store,
  storeKind: 'sqlite',
  vault: openVault({ keyFile: join(folder, 'vault.key') }),
  log: { info: silent, warn: silent, error: (message, fields) => console.error(message, fields) },
  clock: CLOCK,
  timers: TIMERS,
  random: RANDOM,
  owner: 'bench',
  config: configFrom({ file: 'bench.yaml', text: configOf(10) }),
  isPrivate: true,
  kinds: PROVIDER_KINDS,
  folder: join(folder, 'providers'),
  holder: 'bench',
  mode: { open: false, hosts: [] },
  paper: () => undefined,
  whyNot: () => undefined,
})
await plane.platform.refresh()
await plane.app.listen({ host: '127.0.0.1', port: 0 })
process.on('message', (order: Order) => void answer(order))
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
})
// A server that listens on a port has an address.
process.send?.({ port: (plane.app.server.address() as AddressInfo).port })

async function answer(order: Order): Promise<void> {
  process.send?.({ value: await valueOf(order) })
}

async function valueOf(order: Order): Promise<unknown> {
  switch (order.kind) {
    case 'tokens':
      return Promise.all(Array.from({ length: order.count }, (_, at) => tokenOf(`bench-${at}`)))
    case 'cpu': {
      const { user, system } = process.cpuUsage()
      return { cpuMs: (user + system) / 1000, atMs: performance.now(), rssMb: process.memoryUsage().rss / 2 ** 20 }
    }
    case 'event': {
      const atMs = Date.now()
      const facts = { slot: order.slot, epoch: 1 }
      await store.commit({
        writes: [],
        events: [{ atMs, project: 'default', subject: 'workload/a', kind: 'healthy', facts }],
      })
      return atMs
    }
    case 'fill':
      return fill(store, order.count)
    case 'keep-listed':
      return keptListed()
  }
}

async function keptListed(): Promise<Kept> {
  let longestTurnMs = 0
  let longestCpuMs = 0
  const cpuMs = (): number => process.cpuUsage().user / 1000
  let lastCpuMs = cpuMs()
  let isDone = false
  let lastMs = performance.now()
  const turn = (): void => {
    longestTurnMs = Math.max(longestTurnMs, performance.now() - lastMs)
    lastMs = performance.now()
    longestCpuMs = Math.max(longestCpuMs, cpuMs() - lastCpuMs)
    lastCpuMs = cpuMs()
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  const beganMs = performance.now()
  await plane.keepListed()
  const buildMs = performance.now() - beganMs
  isDone = true
  await new Promise((resolve) => setImmediate(resolve))
  return { buildMs, longestTurnMs, longestCpuMs }
}

async function tokenOf(name: string): Promise<string> {
  return (await createToken(plane.service, ACTOR, { ...ACTOR, name, ttl_ms: 3_600_000 })).token
}
