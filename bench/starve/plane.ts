import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { configFrom } from '../../src/cli/inputs.ts'
import { RANDOM, TIMERS } from '../../src/entry/outside.ts'
import { PROVIDER_KINDS } from '../../src/providers/registry.ts'
import { createToken } from '../../src/service/tokens.ts'
import { openSqliteStore } from '../../src/store/sqlite/sqlite.ts'
import { composePlane } from '../../src/up/compose.ts'
import { openVault } from '../../src/vault/vault.ts'
import { percentile, round } from '../bench.ts'

// The control plane of `npm run bench -- starve`, on SQLite and a simulated cloud, with its address for others. Says how
// late the turns of its controller were whenever its parent asks, and forgets it then.

// As in src/entry/start.ts.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=150')

const { values } = parseArgs({ options: { config: { type: 'string', default: '' } } })
const CLOCK = { nowMs: () => Date.now(), tickMs: () => performance.now(), cpuMs: () => process.cpuUsage().user / 1000 }
const ACTOR = { name: 'system', role: 'admin', projects: ['*'] } as const

const folder = mkdtempSync(join(tmpdir(), 'berth-starve-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
let lateMs: number[] = []
let began = spent()
const silent = (): void => undefined
const plane = composePlane({
  store: await openSqliteStore(join(folder, 'berth.db'), { nowMs: Date.now }),
  storeKind: 'sqlite',
  vault: openVault({ keyFile: join(folder, 'vault.key') }),
  log: { info: silent, warn: silent, error: (message, fields) => console.error(message, fields) },
  clock: CLOCK,
  timers: TIMERS,
  random: RANDOM,
  owner: 'bench',
  config: configFrom({ file: 'bench.yaml', text: values.config }),
  isPrivate: true,
  kinds: PROVIDER_KINDS,
  folder: join(folder, 'providers'),
  holder: 'bench',
  mode: { open: false, hosts: [] },
  paper: () => undefined,
  whyNot: () => undefined,
  turned: (ms) => lateMs.push(ms),
})
const { token } = await createToken(plane.service, ACTOR, { ...ACTOR, name: 'bench', ttl_ms: 3_600_000 })
await plane.platform.refresh()
void plane.controller.run(new AbortController().signal)
const url = await plane.app.listen({ host: '127.0.0.1', port: 0 })

process.on('message', () => {
  const { placements = {} } = plane.controller.counts ?? {}
  process.send?.({
    placed: Object.values(placements).reduce((sum, count) => sum + count, 0),
    turns: lateMs.length,
    late_p50_ms: round(percentile(lateMs, 0.5)),
    late_p99_ms: round(percentile(lateMs, 0.99)),
    late_max_ms: round(percentile(lateMs, 1)),
    ...shares(began, spent()),
  })
  lateMs = []
  began = spent()
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url, token })

/** In ms: the time, the processor time of this process, and how long it was ready to run while others had the processor. */
function spent(): readonly [atMs: number, cpuMs: number, waitedMs: number] {
  const { user, system } = process.cpuUsage()
  return [performance.now(), (user + system) / 1000, waitedMs()]
}

/** Figures of a machine that others use at the same time are worth little: the second share says so. */
function shares(before: ReturnType<typeof spent>, after: ReturnType<typeof spent>) {
  const ms = after[0] - before[0]
  return { cpu_share: round((after[1] - before[1]) / ms), waited_for_cpu_share: round((after[2] - before[2]) / ms) }
}

/** 0 where the system does not tell. */
function waitedMs(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6
  } catch {
    return 0
  }
}
