import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { configFrom } from '../../src/cli/inputs.ts'
import { must } from '../../src/core/base/assert.ts'
import { RANDOM, TIMERS } from '../../src/entry/outside.ts'
import type { Commit, Store } from '../../src/ports/store.ts'
import { PROVIDER_KINDS } from '../../src/providers/registry.ts'
import { createToken } from '../../src/service/tokens.ts'
import { memoryStore } from '../../src/store/memory.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts'
import { composePlane, type ControlPlane } from '../../src/up/compose.ts'
import { openVault } from '../../src/vault/vault.ts'
import { percentile, round } from '../bench.ts'
import { configOf, manifestOf, workloadsFor } from './work.ts'

// One case of `npm run bench -- bind`: the real control plane on one store and one fleet. Prints its figures as JSON.

// As in src/entry/start.ts.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=150')

const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '100' },
    store: { type: 'string', default: 'sqlite' },
    workloads: { type: 'string', default: '' },
    callers: { type: 'string', default: '64' },
  },
})
const CLOCK = { nowMs: () => Date.now(), tickMs: () => performance.now(), cpuMs: () => process.cpuUsage().user / 1000 }
const GIVE_UP_MS = 600_000

const nodes = Number(values.nodes)
const count = values.workloads === '' ? workloadsFor(nodes) : Number(values.workloads)
const folder = mkdtempSync(join(tmpdir(), 'berth-bind-'))
try {
  console.log(JSON.stringify(await measure()))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)

async function measure(): Promise<object> {
  const bare =
    values.store === 'memory'
      ? memoryStore({ nowMs: Date.now })
      : await openSqliteStore(join(folder, 'berth.db'), { nowMs: Date.now })
  const seen = watched(bare)
  const decidedUs: number[] = []
  const plane = planeOver(seen.store, (tookMs) => decidedUs.push(tookMs * 1000))
  const actor = { name: 'system', role: 'admin', projects: ['*'] } as const
  const { token } = await createToken(plane.service, actor, { ...actor, name: 'bench', ttl_ms: 3_600_000 })
  await plane.platform.refresh()
  const stop = new AbortController()
  const running = plane.controller.run(stop.signal)
  await until(() => plane.controller.offersOf('own') > 0)
  const beganMs = performance.now()
  await acceptAll(plane, token)
  const acceptedMs = performance.now()
  const early = seen.bound()
  const beganCpu = process.cpuUsage()
  await until(() => seen.bound() >= count)
  const boundMs = performance.now()
  const cpu = process.cpuUsage(beganCpu)
  const rss = process.memoryUsage().rss
  await until(() => seen.launched() >= count)
  const launchedMs = performance.now()
  stop.abort()
  await running
  decidedUs.sort((one, two) => one - two)
  return {
    store: values.store,
    nodes,
    workloads: count,
    accepted_per_s: Math.round((count * 1000) / (acceptedMs - beganMs)),
    bound_per_s: Math.round(((count - early) * 1000) / (boundMs - acceptedMs)),
    bound_per_cpu_s: Math.round(((count - early) * 1e6) / (cpu.user + cpu.system)),
    launched_per_s: Math.round((count * 1000) / (launchedMs - acceptedMs)),
    decisions: decidedUs.length,
    decide_us_p50: round(percentile(decidedUs, 0.5)),
    decide_us_p99: round(percentile(decidedUs, 0.99)),
    rss_mb: Math.round(rss / 2 ** 20),
  }
}

function planeOver(store: Store, decided: (tookMs: number) => void): ControlPlane {
  const silent = (): void => undefined
  return composePlane({
    store,
    storeKind: 'sqlite',
    vault: openVault({ keyFile: join(folder, 'vault.key') }),
    log: { info: silent, warn: silent, error: (message, fields) => console.error(message, fields) },
    clock: CLOCK,
    timers: TIMERS,
    random: RANDOM,
    owner: 'bench',
    config: configFrom({ file: 'bench.yaml', text: configOf(nodes) }),
    isPrivate: true,
    kinds: PROVIDER_KINDS,
    folder: join(folder, 'providers'),
    holder: 'bench',
    mode: { open: false, hosts: [] },
    paper: () => undefined,
    whyNot: () => undefined,
    decided,
  })
}

/** Every workload by its own request, so many at a time. */
async function acceptAll({ app }: ControlPlane, token: string): Promise<void> {
  let next = 0
  const caller = async (): Promise<void> => {
    while (next < count) {
      const number = next++
      const name = `w${number}`
      const reply = await app.inject({
        method: 'POST',
        url: '/v1/projects/default/workloads',
        headers: { authorization: `Bearer ${token}`, host: 'localhost', 'idempotency-key': name },
        payload: { text: manifestOf(name, number), file: `${name}.yaml` },
      })
      if (reply.statusCode >= 300) throw new Error(`${reply.statusCode} ${reply.payload.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: Number(values.callers) }, caller))
}

/** Counts what is durable: workloads with a place that is written down, and those whose provider has taken the order. */
function watched(store: Store): { store: Store; bound: () => number; launched: () => number } {
  const bound = new Set<string>()
  const launched = new Set<string>()
  const note = ({ writes }: Commit): void => {
    for (const write of writes) {
      if (write.kind !== 'placement' || write.body === undefined) continue
      bound.add(write.key)
      if (write.body.instance !== undefined) launched.add(write.key)
    }
  }
  const commit: Store['commit'] = async (asked) => {
    const answer = await store.commit(asked)
    if (answer.kind === 'done') note(asked)
    return answer
  }
  return { store: { ...store, commit }, bound: () => bound.size, launched: () => launched.size }
}

async function until(holds: () => boolean): Promise<void> {
  const endMs = performance.now() + GIVE_UP_MS
  while (!holds()) {
    must(performance.now() < endMs ? true : undefined, 'it does not take that long')
    await TIMERS.sleep(1)
  }
}
