import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LocalTruth } from '../kills/local.ts'
import { RealPlane, until } from '../plane/plane.ts'

const DAY_MS = 86_400_000

/** How far the wall clock of the control plane is off, one life after the other: back a day, far ahead, far back, right again. */
export const JUMPS_DAYS: readonly number[] = [-1, 0, 40, 0, -400, 0]

export interface ClockRun {
  /** Empty. */
  readonly folder: string
  /** Address of a PostgreSQL; left out: SQLite. */
  readonly database?: string
  readonly jumpsDays: readonly number[]
  /** `brief`: nothing that takes its time by design: what is killed after ten seconds, what fails and pauses. */
  readonly scope: 'whole' | 'brief'
  readonly progress: (line: string) => void
}

export interface ClockReport {
  readonly lives: number
  /** Longest wait for anything that was due, and for what. */
  readonly waitMsMax: number
  readonly waitedFor: string
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
  pretend: { kind: sim, trust: internal, settings: { start_seconds: 1, stop_seconds: 2 } }
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
  // Programs outlive their control plane; they must not also outlive this harness when it is interrupted.
  const endAll = (): void => truth.endAll()
  process.once('exit', endAll)
  try {
    return await new Lives({ ...run, data, marks, config }).all()
  } finally {
    process.off('exit', endAll)
    truth.endAll()
    truth.end()
  }
}

interface LivesSetup extends ClockRun {
  readonly data: string
  readonly marks: string
  readonly config: string
}

/** Waits for what leaves: it has begun to. */
const LEAVING_MS = 20_000

class Lives {
  readonly #setup: LivesSetup
  readonly #stuck: string[] = []
  #plane: RealPlane | undefined
  #longest = { ms: 0, what: 'nothing' }

  constructor(setup: LivesSetup) {
    this.#setup = setup
  }

  async all(): Promise<ClockReport> {
    const { jumpsDays, progress } = this.#setup
    try {
      await this.#start(0)
      await this.#apply('steady', { command: 'echo $$ >> MARK; exec sleep 100000' })
      await this.#waits('steady has begun', () => this.#marksOf('steady').length === 1)
      const [steady] = this.#marksOf('steady')
      for (const [life, days] of jumpsDays.entries()) {
        await this.#prepare(life)
        await this.#kill()
        await this.#start(days)
        await this.#check(life)
        progress(`clock ${days} days off: ${this.#said()}, stuck: ${this.#stuck.join(', ') || 'nothing'}`)
      }
      const isSame = this.#marksOf('steady').join() === steady && existsSync(`/proc/${steady}`)
      const touched = isSame ? [] : [`steady began ${this.#marksOf('steady').length} times`]
      const { ms: waitMsMax, what: waitedFor } = this.#longest
      return { lives: jumpsDays.length, waitMsMax, waitedFor, stuck: this.#stuck, touched }
    } finally {
      await this.#kill()
    }
  }

  /**
   * What waits when the control plane is killed: one that is being stopped and takes its time, or does not listen; one that
   * has failed and waits to be tried again; in a cloud one that starts and one that ends.
   */
  async #prepare(life: number): Promise<void> {
    const isWhole = this.#setup.scope === 'whole'
    const [slow, failing, coming, going] = this.#names(life)
    const trap = isWhole ? "''" : "'sleep 2; exit'"
    await this.#apply(slow, { command: `trap ${trap} TERM; echo $$ >> MARK; while :; do sleep 0.2; done` })
    await this.#apply(going, { gpus: 1 })
    if (isWhole) {
      const restart = { class: 'inference', max: 50 }
      await this.#apply(failing, { kind: 'job', command: 'echo $$ >> MARK; exit 1', restart })
      await this.#waits(`${failing} has failed twice`, () => this.#marksOf(failing).length >= 2)
    }
    await this.#waits(`${slow} runs`, () => this.#marksOf(slow).length === 1)
    await this.#waits(`${going} runs`, async () => (await this.#stateOf(going)) === 'serving')
    for (const name of [slow, going]) await this.#remove(name)
    for (const name of [slow, going]) {
      await until(`${name} is being stopped`, { withinMs: LEAVING_MS }, async () => {
        const state = await this.#stateOf(name)
        return state === 'stopping' || state === undefined ? { found: true } : state
      })
    }
    await this.#apply(coming, { gpus: 1 })
  }

  async #check(life: number): Promise<void> {
    const [slow, failing, coming, going, fresh] = this.#names(life)
    const before = this.#marksOf(failing).length
    const [pid] = this.#marksOf(slow)
    await this.#waits(`${slow} is ended`, () => !existsSync(`/proc/${pid}`))
    if (this.#setup.scope === 'whole') {
      await this.#waits(`${failing} is tried again`, () => this.#marksOf(failing).length > before)
      await this.#remove(failing)
    }
    await this.#waits(`${coming} runs`, async () => (await this.#stateOf(coming)) === 'serving')
    await this.#remove(coming)
    await this.#apply(fresh, { command: 'echo $$ >> MARK; exec sleep 100000' })
    await this.#waits(`${fresh} has begun`, () => this.#marksOf(fresh).length === 1)
    await this.#remove(fresh)
    await this.#waits(`${fresh} is ended`, () => !existsSync(`/proc/${this.#marksOf(fresh)[0]}`))
    for (const name of [slow, failing, coming, going, fresh]) {
      await this.#waits(`${name} is forgotten`, async () => (await this.#stateOf(name)) === undefined)
    }
  }

  #names(life: number): readonly [string, string, string, string, string] {
    return [`slow-${life}`, `failing-${life}`, `coming-${life}`, `going-${life}`, `fresh-${life}`]
  }

  #said(): string {
    return `waited ${this.#longest.ms} ms at most (${this.#longest.what})`
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

  /** `command`: for a shell of this host; without one it runs in the cloud that pretends. */
  async #apply(
    name: string,
    { command, gpus, kind = 'service', ...more }: { command?: string; gpus?: number; kind?: string; restart?: object },
  ): Promise<void> {
    const argv = command && ['/bin/sh', '-c', command.replace('MARK', join(this.#setup.marks, name))]
    const resources = gpus === undefined ? { cpu: 0.1 } : { gpu: { count: gpus } }
    const manifest = { berth: 'v1', kind, name, image: 'none', ...(argv && { command: argv }), resources, ...more }
    await this.#berth().apply({ project: 'default', text: JSON.stringify(manifest), file: name, idempotencyKey: name })
  }

  async #remove(name: string): Promise<void> {
    await this.#berth().remove({ project: 'default', name })
  }

  /** Undefined: there is no such workload any more. */
  async #stateOf(name: string): Promise<string | undefined> {
    const { items } = await this.#berth().workloads({ limit: 100 })
    return items.find((item) => item.name === name)?.state
  }

  async #waits(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const startMs = performance.now()
    const waiting = until(what, { withinMs: STUCK_MS }, async () => ((await isSo()) ? { found: true } : 'not yet'))
    await waiting.catch(() => this.#stuck.push(`${what}: not after ${STUCK_MS / 1000} s`))
    const ms = Math.round(performance.now() - startMs)
    if (ms > this.#longest.ms) this.#longest = { ms, what }
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
