import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import type { Berth } from '../../src/ports/berth.ts'
import type { AdminSaw } from './admin.ts'
import { HalfRequests, readLogs, Streams } from './reader.ts'
import { LocalTruth } from '../kills/local.ts'
import { RealPlane, sleep, until } from '../plane/plane.ts'
import { HostileWriter } from './writer.ts'

export interface HostileRun {
  /** Empty. */
  readonly folder: string
  readonly seconds: number
  readonly logBytes: number
  readonly streams: number
  readonly events: number
  readonly halves: number
  /** Options of Node for the control plane. */
  readonly node?: readonly string[]
  readonly progress: (line: string) => void
}

export interface HostileReport {
  readonly asked: number
  readonly failed: number
  readonly whyFailed: readonly string[]
  readonly p50Ms: number
  readonly p99Ms: number
  readonly slowestMs: number
  readonly rssMibMax: number
  /** Terms that began after the first: each means that the lease was lost. */
  readonly leasesLost: number
  readonly stopsAsked: number
  readonly stopsOverdue: readonly string[]
  readonly streamsRefused: number
  readonly manifestsAccepted: number
  readonly manifestsRefused: number
}

const CONFIG = `berth: v1
kind: config
default_policy: at-home
providers:
  here: { kind: local, trust: internal, settings: { runtime: process, gpus: [], cpu: 256, memory: 512Gi, log: 10Mi } }
policies:
  at-home:
    objective: cheapest
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
projects:
  hostile: { processes: true }
  beta: { processes: true }
`

/** A stop that takes longer than this was not carried out. */
const STOP_MS = 60_000

/** A hostile reader and a hostile writer at once against the real control plane, and an administrator who needs it. */
export async function runHostile(run: HostileRun): Promise<HostileReport> {
  const config = join(run.folder, 'berth.config.yaml')
  writeFileSync(config, CONFIG)
  const data = join(run.folder, 'data')
  const plane = new RealPlane({ folder: data, config, isService: true, node: run.node ?? [] })
  const truth = new LocalTruth(data, 'here')
  try {
    if (!(await plane.start())) throw new Error('the control plane did not start')
    await plane.stop()
    plant(join(data, 'berth.db'), run.events)
    if (!(await plane.start())) throw new Error('the control plane did not start again')
    return await new Siege(plane, run).all()
  } finally {
    // A profile is written by what ends by itself.
    if ((run.node ?? []).length > 0) await plane.stop()
    await plane.kill()
    truth.endAll()
    truth.end()
  }
}

/** Events of a project that the reader has no part in, put where they lie. */
function plant(file: string, count: number): void {
  const database = new DatabaseSync(file)
  database.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO events (seq, at_ms, project, subject, kind, facts)
    SELECT (SELECT seq FROM meta) + i, ${Date.now()}, 'beta', 'workload/w' || (i % 100), 'up', '{"slot":"0"}' FROM n;
    UPDATE meta SET seq = seq + ${count}`)
  database.close()
}

class Siege {
  readonly #plane: RealPlane
  readonly #run: HostileRun
  readonly #admin: Berth
  readonly #overdue: string[] = []
  #rssMib = 0
  #stops = 0

  constructor(plane: RealPlane, run: HostileRun) {
    this.#plane = plane
    this.#run = run
    this.#admin = plane.client({ tries: 'once', timeoutMs: 30_000 })
  }

  async all(): Promise<HostileReport> {
    const { seconds, streams, halves, logBytes, progress } = this.#run
    const { url } = this.#plane
    const writerToken = await this.#token('writer', ['hostile'])
    const readerToken = await this.#token('reader', ['hostile'])
    const over = new AbortController()
    const stop = over.signal
    const writer = new HostileWriter(this.#berthOf(writerToken), { stop, logBytes })
    await writer.begin()
    const following = new Streams({ url, token: readerToken, count: streams, stop })
    const half = new HalfRequests({ port: Number(new URL(url).port), count: halves, stop })
    progress(`${streams} streams, ${halves} half requests, ${this.#run.events} events, logs of ${logBytes} bytes`)
    const hostile = [
      writer.run(),
      following.run(),
      half.run(),
      readLogs({ url, token: readerToken, names: writer.talkers, stop }),
    ]
    const endMs = Date.now() + seconds * 1000
    const [saw] = await Promise.all([this.#ask(), this.#watch(endMs), this.#stopThings(endMs)])
    // The siege lasts as long as asked, and on a slow machine until both were turned away at least once.
    await until('both are refused', { withinMs: STOP_MS }, async () =>
      following.refused > 0 && writer.refused > 0 ? { found: true } : 'not yet',
    ).catch(() => undefined)
    over.abort()
    await Promise.race([Promise.all(hostile), sleep(2000)])
    const sorted = saw.tookMs.toSorted((one, other) => one - other)
    const at = (share: number): number =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
    return {
      asked: saw.tookMs.length,
      failed: saw.failed.length,
      whyFailed: [...new Set(saw.failed)],
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      slowestMs: at(1),
      rssMibMax: this.#rssMib,
      // It was started twice, and each start is a term of its own.
      leasesLost: this.#plane.lines().filter(({ message }) => message === 'leading').length - 2,
      stopsAsked: this.#stops,
      stopsOverdue: this.#overdue,
      streamsRefused: following.refused,
      manifestsAccepted: writer.accepted,
      manifestsRefused: writer.refused,
    }
  }

  /** `ps`, again and again, as an administrator who wants to know what is going on. */
  async #ask(): Promise<AdminSaw> {
    const { url, token } = this.#plane
    const argv = [join(import.meta.dirname, 'admin.ts'), url, String(this.#run.seconds)]
    const env = { ...process.env, BERTH_TOKEN: token }
    const { stdout } = await promisify(execFile)(process.execPath, argv, { env, maxBuffer: 64 * 1024 * 1024 })
    return JSON.parse(stdout)
  }

  /** The memory of the control plane. */
  async #watch(endMs: number): Promise<void> {
    while (Date.now() < endMs) {
      this.#rssMib = Math.max(this.#rssMib, rssMibOf(this.#plane.pid))
      await sleep(200)
    }
  }

  /** Something is started and stopped all the time, and whether it ended is seen from its processes, not from an answer. */
  async #stopThings(endMs: number): Promise<void> {
    for (let at = 0; Date.now() < endMs; at++) {
      const name = `victim-${at}`
      const mark = join(this.#run.folder, name)
      const command = ['/bin/sh', '-c', `echo $$ > ${mark}; exec sleep 100000`]
      const manifest = { berth: 'v1', kind: 'service', name, image: 'none', command, resources: { cpu: 0.1 } }
      const berth = this.#plane.client({ tries: 'several', timeoutMs: 30_000 })
      await berth.apply({ project: 'beta', text: JSON.stringify(manifest), file: name, idempotencyKey: name })
      const began = await this.#within(`${name} begins`, () => pidIn(mark) !== undefined)
      await berth.remove({ project: 'beta', name })
      this.#stops++
      const pid = pidIn(mark)
      if (began && pid !== undefined) await this.#within(`${name} ends`, () => !isThere(pid))
    }
  }

  async #within(what: string, isSo: () => boolean): Promise<boolean> {
    const waiting = until(what, { withinMs: STOP_MS }, async () => (isSo() ? { found: true } : 'not yet'))
    return waiting.catch(() => {
      this.#overdue.push(what)
      return false
    })
  }

  async #token(role: 'reader' | 'writer', projects: readonly string[]): Promise<string> {
    return (await this.#admin.createToken({ name: role, role, projects, ttl_ms: 3_600_000 })).token
  }

  #berthOf(token: string): Berth {
    return this.#plane.client({ tries: 'once', timeoutMs: 30_000, token })
  }
}

function pidIn(file: string): number | undefined {
  try {
    return Number(readFileSync(file, 'utf8')) || undefined
  } catch {
    return undefined
  }
}

function isThere(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

function rssMibOf(pid: number): number {
  const [, kib] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kib) / 1024)
}
