import type { FastifyInstance } from 'fastify'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceDeps } from '../service/deps.ts'
import { Pressure } from '../controller/pressure.ts'
import { createToken } from '../service/tokens.ts'
import type { RoleName } from '../core/life/rows.ts'
import { parseManifest } from '../core/manifest/parse.ts'
import { freeze } from '../core/offer/snapshot.ts'
import type { PlanReport } from '../core/place/explain/report.ts'
import { UserError } from '../core/base/problem.ts'
import { readYaml } from '../formats/yaml/yaml.ts'
import type { LogFields } from '../ports/log.ts'
import { memoryStore } from '../store/memory.ts'
import { openVault } from '../vault/vault.ts'
import type { ServerDeps, Mode } from './deps.ts'
import { nodeHashing } from './hashing.ts'
import { buildServer } from './server.ts'

export interface World {
  readonly app: FastifyInstance
  readonly deps: ServerDeps
  readonly logged: string[]
  /** Moves the wall clock on. */
  readonly pass: (ms: number) => void
  readonly token: (role: RoleName, projects: readonly string[], ttlMs?: number) => Promise<string>
}

const ADMIN = { name: 'test', role: 'admin', projects: ['*'] } as const

const PLAN: PlanReport = {
  workload: 'x',
  policy: { name: 'default', objective: 'cheapest', spot: 'never', fallback: false },
  fits: true,
  usd_per_hour: 0,
  offers: { looked_at: 0, version: 'v' },
  chosen: [],
  refused: {},
  relaxations: [],
  asks: [],
}

/** The real server over the memory store, with a clock that can be moved. */
export function world(more: Partial<ServiceDeps> = {}, mode: Partial<Mode> = {}): World {
  let aheadMs = 0
  const logged: string[] = []
  const note = (message: string, fields?: LogFields) => void logged.push(`${message} ${JSON.stringify(fields)}`)
  const deps: ServerDeps = {
    service: {
      store: memoryStore({ nowMs: Date.now, strict: true }),
      vault: openVault({ keyFile: join(FOLDER, randomBytes(8).toString('hex')) }),
      parse: manifestIn,
      read: documentIn,
      providers: {
        views: () => [],
        unwalled: () => [],
        kinds: () => [{ kind: 'sim', about: 'A simulated cloud.' }],
        problemsOf: (_, settings) => ('wrong' in settings ? ['wrong: is not known'] : []),
        test: () => undefined,
        logs: () => undefined,
      },
      config: () => undefined,
      whyNot: () => undefined,
      info: () => ({ version: '0', owner: 'o', leader: true, term: 1, store: 'memory' }),
      clock: { nowMs: () => Date.now() + aheadMs, tickMs: () => performance.now() + aheadMs, cpuMs: () => 0 },
      timers: { sleep: (ms, signal) => wait(ms, undefined, signal && { signal }).catch(() => {}) },
      random: { next: Math.random, id: () => randomBytes(12).toString('hex') },
      log: { info: note, warn: note, error: note },
      hashing: nodeHashing,
      decide: async () => PLAN,
      capacity: async () => ({ snapshot: freeze([]), config: undefined }),
      ...more,
    },
    measures: () => ({
      workloads: { serving: 2 },
      placements: { running: 3 },
      providers: [{ provider: 'somewhere', call: 'list', calls: 7, faults: 1 }],
      commits: 5,
      decisions: { count: 6, seconds: 0.5 },
      leader: true,
      ready: true,
      turnSecondsMax: 0.01,
      term: 4,
    }),
    mode: { open: false, hosts: [], ...mode },
    pressure: new Pressure(),
  }
  let tokens = 0
  const token: World['token'] = async (role, projects, ttlMs = 3_600_000) => {
    const name = `${role}-${++tokens}`
    return (await createToken(deps.service, ADMIN, { name, role, projects, ttl_ms: ttlMs })).token
  }
  const pass = (ms: number) => void (aheadMs += ms)
  return { app: buildServer(deps), deps, logged, pass, token }
}

const FOLDER = mkdtempSync(join(tmpdir(), 'berth-http-'))
process.once('exit', () => rmSync(FOLDER, { recursive: true, force: true }))

/** As the composition root reads manifests. */
function manifestIn(text: string, file: string) {
  const parsed = parseManifest(documentIn(text, file))
  if ('problems' in parsed) throw new UserError(parsed.problems)
  return parsed
}

function documentIn(text: string, file: string) {
  const yaml = readYaml(text, file)
  if ('problems' in yaml) throw new UserError(yaml.problems)
  return yaml.document
}

export function bearer(token: string): { readonly authorization: string } {
  return { authorization: `Bearer ${token}` }
}

/** A manifest that is always accepted. */
export function manifestNamed(name: string, more = ''): string {
  return `berth: v1\nkind: service\nname: ${name}\nimage: busybox\nreplicas: 2\nresources: { cpu: 1 }\n${more}`
}
