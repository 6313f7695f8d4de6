import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Berth } from '../../src/ports/berth.ts'
import type { Postgres } from '../../src/store/postgres/postgres.suite.ts'
import { check, type Checked } from './check.ts'
import { Load, type LoadCounts } from './load.ts'
import { LocalTruth } from './local.ts'
import { Others } from './others.ts'
import { RealPlane, sleep, until } from '../plane/plane.ts'
import { LOCAL } from '../plane/truth.ts'

export interface KillsSetup {
  /** An empty folder for everything. */
  readonly folder: string
  readonly kills: number
  /** A check follows after this many kills, and at the end. */
  readonly checkEvery: number
  /** Left out: SQLite. */
  readonly postgres?: Postgres
  readonly workloads?: number
  /** Whether some of the work goes to a cloud without idempotency tokens, where it takes a minute to be sure. Left out: yes. */
  readonly clouds?: Clouds
  /** Workloads beside those that are worked with: applied once, and never to be touched. Left out: none. */
  readonly others?: number
  /** Whether half of the work runs as processes of this host. Left out: no. */
  readonly processes?: boolean
  readonly progress?: (line: string) => void
}

export interface KillsReport {
  readonly store: 'sqlite' | 'postgres'
  readonly kills: Readonly<Record<KillMode, number>>
  readonly load: LoadCounts
  readonly checks: number
  readonly instances: number
  /** Attempts that ran as processes of this host. */
  readonly processes: number
  readonly others: number
  readonly slowestStartMs: number
  readonly slowestCalmMs: number
  readonly lost: readonly string[]
  readonly doubled: readonly string[]
  readonly leaked: readonly string[]
  /** Of the others: replaced, moved or not up. */
  readonly touched: readonly string[]
  /** Ended without being killed. */
  readonly crashed: readonly string[]
  readonly seconds: number
}

/** Whom it hits, and when. */
export type KillMode = 'at-random' | 'after-a-request' | 'while-starting' | 'backend' | 'postmaster'

/** `both`: a small cheap cloud without idempotency tokens, whose lists lag, beside a large one that loses answers. */
export type Clouds = 'both' | 'large'

const SMALL = `  small:
    kind: sim
    trust: community
    settings:
      tokens: false
      calls_per_second: 1000
      start_seconds: [0.1, 0.6]
      stop_seconds: [0, 0.3]
      settle_seconds: SETTLE
      lag_seconds: 0.5
      offers: [{ instance: plain, cpu: 8, memory: 32Gi, usd_per_hour: 0.1, stock: 8 }]
`

const LARGE = `  large:
    kind: sim
    trust: community
    settings:
      seed: 2
      calls_per_second: 1000
      start_seconds: [0.1, 0.6]
      stop_seconds: [0, 0.3]
      settle_seconds: SETTLE
      faults: { lost: 0.03, broken: 0.02, late: 0.02 }
      offers: [{ instance: plain, cpu: 8, memory: 32Gi, usd_per_hour: 0.2, stock: 100000 }]
`

const HERE = `  ${LOCAL}:
    kind: local
    trust: community
    settings: { runtime: process, gpus: [] }
`

const POLICY = `policies:
  at-home:
    objective: cheapest
    providers: { allow: [here] }
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
  pretend:
    objective: cheapest
    providers: { deny: [here] }
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
`

const BACKEND = `SELECT pid FROM pg_stat_activity
  WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`

/** A database that was killed is back when it answers. */
export async function answering(berth: Berth): Promise<void> {
  await until('the control plane answers', { withinMs: 60_000 }, () =>
    berth.workloads({ limit: 1 }).then(
      () => ({ found: true }),
      (error: unknown) => String(error),
    ),
  )
}

/**
 * Writes the configuration that kills and freezes are made with. `settleSeconds` is how long a request may be under way: in a
 * frozen process, for as long as that is frozen.
 */
export function writeConfig(folder: string, clouds: Clouds, settleSeconds = 2): string {
  const file = join(folder, 'berth.config.yaml')
  const written = (clouds === 'both' ? SMALL + LARGE : LARGE) + HERE
  const providers = written.replaceAll('SETTLE', String(settleSeconds))
  writeFileSync(file, `berth: v1\nkind: config\ndefault_policy: pretend\nproviders:\n${providers}${POLICY}`)
  return file
}

/** Kills the real control plane again and again while clients work with it, and looks whether anything came of it. */
export async function runKills(setup: KillsSetup): Promise<KillsReport> {
  const run = new KillRun(setup)
  try {
    return await run.all()
  } finally {
    await run.end()
  }
}

class KillRun {
  readonly #setup: KillsSetup
  readonly #data: string
  readonly #plane: RealPlane
  readonly #load: Load
  readonly #local: LocalTruth
  readonly #others: Others
  readonly #kills: Record<KillMode, number> = {
    'at-random': 0,
    'after-a-request': 0,
    'while-starting': 0,
    backend: 0,
    postmaster: 0,
  }
  readonly #checks: Checked[] = []
  readonly #crashed: string[] = []
  #slowestStartMs = 0
  #onSent: (() => void) | undefined

  constructor(setup: KillsSetup) {
    this.#setup = setup
    this.#data = join(setup.folder, 'data')
    const { postgres } = setup
    const config = writeConfig(setup.folder, setup.clouds ?? 'both')
    this.#plane = new RealPlane({ folder: this.#data, config, ...(postgres && { database: postgres.url }) })
    const client = () =>
      this.#plane.client({
        tries: Math.random() < 0.5 ? 'once' : 'several',
        timeoutMs: 10_000,
        sent: () => this.#onSent?.(),
      })
    const { workloads = 16, processes = false, others = 0 } = setup
    this.#load = new Load({ client, workloads, workers: 6, project: 'default', restMs: 20, processes })
    this.#local = new LocalTruth(this.#data, LOCAL)
    this.#others = new Others(others, 'default')
  }

  async all(): Promise<KillsReport> {
    const { kills, checkEvery, progress } = this.#setup
    const beganMs = Date.now()
    await this.#start()
    await this.#others.begin(this.#plane.client({ tries: 'several', timeoutMs: 30_000 }))
    this.#load.begin()
    for (let made = 1; made <= kills; made++) {
      await this.#kill(this.#draw(made))
      if (made % checkEvery !== 0 && made !== kills) continue
      await this.#check()
      progress?.(`${made} kills, ${JSON.stringify(this.#load.counts)}, ${JSON.stringify(this.#checks.at(-1))}`)
      this.#load.begin()
    }
    await this.#load.end()
    return this.#report(Date.now() - beganMs)
  }

  async end(): Promise<void> {
    await this.#load.end()
    this.#local.end()
    await this.#plane.kill()
    this.#local.endAll()
  }

  #draw(made: number): KillMode {
    if (this.#setup.postgres !== undefined && made % 4 === 0) return made % 8 === 0 ? 'postmaster' : 'backend'
    if (made % 2 === 1) return 'after-a-request'
    return made % 5 === 0 ? 'while-starting' : 'at-random'
  }

  async #kill(mode: KillMode): Promise<void> {
    this.#kills[mode]++
    switch (mode) {
      case 'at-random':
        await this.#atWork()
        await sleep(50 + Math.random() * 1500)
        return this.#again()
      case 'after-a-request':
        await this.#atWork()
        await sleep(Math.random() * 1000)
        await this.#aRequest()
        await sleep(Math.random() * 12)
        return this.#again()
      case 'while-starting': {
        await sleep(Math.random() * 300)
        await this.#plane.kill()
        const starting = this.#plane.start()
        await sleep(100 + Math.random() * 900)
        return this.#again(starting)
      }
      case 'backend':
        await sleep(Math.random() * 1000)
        return this.#killBackend()
      case 'postmaster':
        await sleep(Math.random() * 1000)
        await this.#setup.postgres?.kill()
        await sleep(Math.random() * 500)
        return this.#setup.postgres?.start()
    }
  }

  /** A run in which nothing was done has nothing to lose, but the harness does not wait long. */
  async #atWork(): Promise<void> {
    const done = () => this.#load.counts.byEnding.done
    const [before, endMs] = [done(), Date.now() + 5000]
    while (done() < before + 5 && Date.now() < endMs) await sleep(20)
  }

  /** Until the next request is on its way. */
  #aRequest(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSent = () => {
        this.#onSent = undefined
        setImmediate(resolve)
      }
    })
  }

  async #again(starting?: Promise<boolean>): Promise<void> {
    await this.#plane.kill()
    await starting
    await this.#start()
  }

  async #start(): Promise<void> {
    const beganMs = Date.now()
    if (!(await this.#plane.start())) throw new Error(`berth up ended: ${JSON.stringify(this.#plane.lines().at(-1))}`)
    this.#slowestStartMs = Math.max(this.#slowestStartMs, Date.now() - beganMs)
  }

  /** kill -9 of one of the processes that serve the control plane: PostgreSQL throws all of them out and recovers. */
  async #killBackend(): Promise<void> {
    const pid = await until('PostgreSQL has a connection', { withinMs: 30_000 }, async () => {
      const client = new Client({ connectionString: this.#setup.postgres?.url })
      client.on('error', () => undefined)
      try {
        await client.connect()
        const { rows } = await client.query(BACKEND)
        const found: unknown = rows[0]?.pid
        return typeof found === 'number' ? { found } : 'there is no connection'
      } catch (error) {
        return String(error)
      } finally {
        await client.end().catch(() => undefined)
      }
    })
    process.kill(pid, 'SIGKILL')
  }

  async #check(): Promise<void> {
    await this.#load.end()
    if (!this.#plane.isAlive) {
      this.#crashed.push(`${JSON.stringify(this.#plane.lines().at(-1))}`)
      await this.#start()
    }
    const berth = this.#plane.client({ tries: 'several', timeoutMs: 30_000 })
    await answering(berth)
    const { registers } = this.#load
    const checked = await check({
      folder: this.#data,
      berth,
      registers,
      local: this.#local,
      calmWithinMs: 90_000,
    })
    this.#checks.push(checked)
    await this.#others.check(berth)
  }

  #report(tookMs: number): KillsReport {
    const checks = this.#checks
    return {
      store: this.#setup.postgres === undefined ? 'sqlite' : 'postgres',
      kills: this.#kills,
      load: this.#load.counts,
      checks: checks.length,
      instances: Math.max(0, ...checks.map(({ instances }) => instances)),
      processes: this.#local.seen,
      others: this.#others.count,
      slowestStartMs: this.#slowestStartMs,
      slowestCalmMs: Math.max(0, ...checks.map(({ calmAfterMs }) => calmAfterMs)),
      lost: [...this.#load.wrong, ...checks.flatMap(({ lost }) => lost)],
      doubled: [...new Set(checks.flatMap(({ doubled }) => doubled)), ...this.#local.doubled],
      leaked: checks.flatMap(({ leaked }) => leaked),
      touched: this.#others.touched,
      crashed: this.#crashed,
      seconds: Math.round(tookMs / 1000),
    }
  }
}
