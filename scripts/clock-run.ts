import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LocalTruth } from './kill-local.ts'
import { RealPlane, until } from './kill-plane.ts'

const DAY_MS = 86_400_000

/** How far the wall clock of the control plane is off, one life after the other: back a day, far ahead, far back, right again. */
export const JUMPS_DAYS: readonly number[] = [-1, 0, 40, 0, -400, 0]

export interface ClockRun {
  /** Empty. */
  readonly folder: string
  /** Address of a PostgreSQL; left out: SQLite. */
  readonly database?: string
  readonly jumpsDays: readonly number[]
  readonly progress: (line: string) => void
}

export interface ClockReport {
  readonly lives: number
  /** Longest wait for anything that was due, after a restart with another clock. */
  readonly waitMsMax: number
  readonly stuck: readonly string[]
  readonly touched: readonly string[]
}

/** What nothing may wait longer for. */
const STUCK_MS = 60_000

const CONFIG = `berth: v1
kind: config
default_policy: at-home
providers:
  here: { kind: local, trust: internal, settings: { runtime: process, gpus: [], cpu: 64, memory: 64Gi } }
policies:
  at-home:
    objective: cheapest
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
projects:
  default: { processes: true }
`

/**
 * The real control plane, killed in the middle of waiting and started again with another wall clock: whatever waits (to stop
 * what does not listen, to try again what failed) goes on within a minute, and what runs is not touched.
 */
export async function runClocks(run: ClockRun): Promise<ClockReport> {
  const data = join(run.folder, 'data')
  const marks = join(run.folder, 'marks')
  mkdirSync(data)
  mkdirSync(marks)
  const config = join(run.folder, 'berth.config.yaml')
  writeFileSync(config, CONFIG)
  const truth = new LocalTruth(data, 'here')
  try {
    return await new Lives({ ...run, data, marks, config }).all()
  } finally {
    truth.endAll()
    truth.end()
  }
}

interface LivesSetup extends ClockRun {
  readonly data: string
  readonly marks: string
  readonly config: string
}

class Lives {
  readonly #setup: LivesSetup
  readonly #stuck: string[] = []
  #plane: RealPlane | undefined
  #waitMs = 0

  constructor(setup: LivesSetup) {
    this.#setup = setup
  }

  async all(): Promise<ClockReport> {
    const { jumpsDays, progress } = this.#setup
    try {
      await this.#start(0)
      await this.#apply('steady', 'service', 'echo $$ >> MARK; exec sleep 100000')
      await this.#waits('steady has begun', () => this.#marksOf('steady').length === 1)
      const [steady] = this.#marksOf('steady')
      for (const [life, days] of jumpsDays.entries()) {
        await this.#prepare(life)
        await this.#kill()
        await this.#start(days)
        await this.#check(life)
        progress(
          `clock ${days} days off: waited ${this.#waitMs} ms at most, stuck: ${this.#stuck.join(', ') || 'nothing'}`,
        )
      }
      const isSame = this.#marksOf('steady').join() === steady && existsSync(`/proc/${steady}`)
      const touched = isSame ? [] : [`steady began ${this.#marksOf('steady').length} times`]
      return { lives: jumpsDays.length, waitMsMax: this.#waitMs, stuck: this.#stuck, touched }
    } finally {
      await this.#kill()
    }
  }

  /** One that is being stopped and does not listen, and one that has failed and waits to be tried again. */
  async #prepare(life: number): Promise<void> {
    const [deaf, failing] = [`deaf-${life}`, `failing-${life}`]
    await this.#apply(deaf, 'service', "trap '' TERM; echo $$ >> MARK; while :; do sleep 0.2; done")
    await this.#apply(failing, 'job', 'echo $$ >> MARK; exit 1', { restart: { class: 'inference', max: 50 } })
    await this.#waits(`${deaf} runs`, () => this.#marksOf(deaf).length === 1)
    await this.#waits(`${failing} has failed twice`, () => this.#marksOf(failing).length >= 2)
    await this.#berth().remove({ project: 'default', name: deaf })
    await until(`${deaf} is being stopped`, { withinMs: 20_000 }, async () => {
      const { state } = await this.#berth().workload({ project: 'default', name: deaf })
      return state === 'stopping' ? { found: true } : state
    })
  }

  async #check(life: number): Promise<void> {
    const [deaf, failing, fresh] = [`deaf-${life}`, `failing-${life}`, `fresh-${life}`]
    const before = this.#marksOf(failing).length
    const [pid] = this.#marksOf(deaf)
    await this.#waits(`${deaf} is ended`, () => !existsSync(`/proc/${pid}`))
    await this.#waits(`${failing} is tried again`, () => this.#marksOf(failing).length > before)
    await this.#berth().remove({ project: 'default', name: failing })
    await this.#apply(fresh, 'service', 'echo $$ >> MARK; exec sleep 100000')
    await this.#waits(`${fresh} has begun`, () => this.#marksOf(fresh).length === 1)
    await this.#berth().remove({ project: 'default', name: fresh })
    await this.#waits(`${fresh} is ended`, () => !existsSync(`/proc/${this.#marksOf(fresh)[0]}`))
    for (const name of [deaf, failing, fresh]) {
      await this.#waits(`${name} is forgotten`, async () => {
        const { items } = await this.#berth().workloads({ limit: 100 })
        return items.every((item) => item.name !== name)
      })
    }
  }

  async #start(days: number): Promise<void> {
    const { data, config, database } = this.#setup
    this.#plane = new RealPlane({
      folder: data,
      config,
      node: [shifted(days)],
      ...(database !== undefined && { database }),
    })
    if (!(await this.#plane.start())) throw new Error('the control plane did not start')
  }

  async #kill(): Promise<void> {
    await this.#plane?.kill()
  }

  #berth() {
    if (this.#plane === undefined) throw new Error('the control plane was started')
    return this.#plane.client({ tries: 'several', timeoutMs: 20_000 })
  }

  async #apply(name: string, kind: 'service' | 'job', script: string, more: object = {}): Promise<void> {
    const command = ['/bin/sh', '-c', script.replace('MARK', join(this.#setup.marks, name))]
    const manifest = { berth: 'v1', kind, name, image: 'none', command, resources: { cpu: 0.1 }, ...more }
    await this.#berth().apply({ project: 'default', text: JSON.stringify(manifest), file: name, idempotencyKey: name })
  }

  async #waits(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const startMs = performance.now()
    const waiting = until(what, { withinMs: STUCK_MS }, async () => ((await isSo()) ? { found: true } : 'not yet'))
    await waiting.catch(() => this.#stuck.push(`${what}: not after ${STUCK_MS / 1000} s`))
    this.#waitMs = Math.max(this.#waitMs, Math.round(performance.now() - startMs))
  }

  /** What programs wrote when they began: their numbers, one a line. */
  #marksOf(name: string): readonly string[] {
    const file = join(this.#setup.marks, name)
    return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
  }
}

/** An option of Node that moves the wall clock of the process, and nothing else of it. */
function shifted(days: number): string {
  const code = `const off = ${days * DAY_MS}, Real = Date
globalThis.Date = class extends Real {
  constructor(...given) { if (given.length === 0) super(Real.now() + off); else super(...given) }
  static now() { return Real.now() + off }
}`
  return `--import=data:text/javascript,${encodeURIComponent(code)}`
}
