import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, symlinkSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Berth } from '../../src/ports/berth.ts'
import { RealPlane, sleep, until } from '../plane/plane.ts'

export interface DiskRun {
  /** Empty; a small file system is mounted in it. */
  readonly folder: string
  readonly rounds: number
  readonly fullMs: number
  readonly progress: (line: string) => void
}

export interface DiskReport {
  readonly rounds: number
  readonly accepted: number
  readonly refused: number
  readonly removedWhileFull: number
  /** Longest time from room on the disk to the next accepted change. */
  readonly recoveryMsMax: number
  /** What was accepted and is not there, or was removed and is. */
  readonly lost: readonly string[]
  /** Everything else that should not have been. */
  readonly wrong: readonly string[]
}

const CONFIG = `berth: v1
kind: config
default_policy: pretend
providers:
  toy: { kind: sim, trust: community, settings: { start_seconds: [0, 0], stop_seconds: [0, 0] } }
policies:
  pretend:
    objective: cheapest
    unknown: { accept: [driver, cuda, disk, storage, network, health, stock, quota, topology, interconnect] }
`

/** Why it cannot be run here; undefined: it can. */
export function whyNoDisk(): string | undefined {
  if (process.getuid?.() !== 0) return 'filling a disk needs root, to mount a small tmpfs'
  return undefined
}

/** Fills the disk of a control plane to the last byte and frees it, again and again, while changes are asked for. */
export async function runDisk(run: DiskRun): Promise<DiskReport> {
  const disk = join(run.folder, 'disk')
  const data = join(disk, 'data')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', disk])
  try {
    // Clouds keep their truth elsewhere: they are not on trial.
    mkdirSync(join(run.folder, 'clouds'))
    mkdirSync(data)
    symlinkSync(join(run.folder, 'clouds'), join(data, 'providers'))
    const config = join(run.folder, 'berth.config.yaml')
    writeFileSync(config, CONFIG)
    const plane = new RealPlane({ folder: data, config })
    if (!(await plane.start())) throw new Error('the control plane did not start')
    try {
      return await new Rounds(plane, join(disk, 'filler'), run).all()
    } finally {
      await plane.kill()
    }
  } finally {
    execFileSync('umount', ['-l', disk])
  }
}

/** What was asked for, what was answered, and what must be true of it in the end. */
class Rounds {
  readonly #plane: RealPlane
  readonly #filler: string
  readonly #run: DiskRun
  readonly #berth: Berth
  readonly #wanted = new Set<string>()
  /** Asked for without an answer: it may be there or not. */
  readonly #unclear = new Set<string>()
  readonly #wrong: string[] = []
  #accepted = 0
  #refused = 0
  #whileFull = 0
  #recoveryMs = 0
  #names = 0

  constructor(plane: RealPlane, filler: string, run: DiskRun) {
    this.#plane = plane
    this.#filler = filler
    this.#run = run
    this.#berth = plane.client({ tries: 'once', timeoutMs: 10_000 })
  }

  async all(): Promise<DiskReport> {
    const { pid } = this.#plane
    for (let round = 1; round <= this.#run.rounds; round++) {
      for (let at = 0; at < 8; at++) await this.#apply()
      await this.#full(round)
      await this.#free(round)
      // The cloud has only so much: what is wanted must be what can be had.
      for (const name of [...this.#wanted].slice(0, -12)) await this.#remove(name)
    }
    if (this.#plane.pid !== pid || !this.#plane.isAlive) this.#wrong.push('the control plane ended')
    const lost = await this.#lost()
    const figures = { accepted: this.#accepted, refused: this.#refused, removedWhileFull: this.#whileFull }
    return { rounds: this.#run.rounds, ...figures, recoveryMsMax: this.#recoveryMs, lost, wrong: this.#wrong }
  }

  /** Whatever room appears is taken at once, as by a program that never stops writing. */
  async #full(round: number): Promise<void> {
    const endMs = Date.now() + this.#run.fullMs
    const doomed = [...this.#wanted].slice(0, 2)
    let refusals = 0
    let isReady = true
    while (Date.now() < endMs || doomed.length > 0 || refusals === 0 || isReady) {
      fill(this.#filler)
      if (this.#wanted.size < 60 && (await this.#apply()) === 'STORE_FULL') refusals++
      const [name] = doomed
      if (name !== undefined && (await this.#remove(name))) doomed.shift()
      await this.#berth
        .workloads({ limit: 10 })
        .catch((error: unknown) => this.#wrong.push(`a read failed: ${String(error)}`))
      isReady = isReady && (await fetch(`${this.#plane.url}/readyz`)).ok
      if (Date.now() > endMs + 30_000) {
        if (doomed.length > 0) this.#wrong.push(`round ${round}: ${doomed.join(', ')} could not be removed`)
        break
      }
      await sleep(50)
    }
    this.#whileFull += 2 - doomed.length
    if (refusals === 0) this.#wrong.push(`round ${round}: nothing was refused, so the disk was not full`)
    if (isReady) this.#wrong.push(`round ${round}: it said that it was ready all the time`)
  }

  async #free(round: number): Promise<void> {
    rmSync(this.#filler)
    const startMs = Date.now()
    await until('changes are accepted again', { withinMs: 60_000 }, async () => {
      const code = await this.#apply()
      return code === undefined ? { found: true } : code
    })
    this.#recoveryMs = Math.max(this.#recoveryMs, Date.now() - startMs)
    await until('it is ready again', { withinMs: 60_000 }, async () =>
      (await fetch(`${this.#plane.url}/readyz`)).ok ? { found: true } : 'not ready',
    )
    this.#run.progress(
      `round ${round}: ${this.#accepted} accepted, ${this.#refused} refused, ${this.#whileFull} removed while full`,
    )
  }

  /** Undefined: it was accepted. */
  async #apply(): Promise<string | undefined> {
    const name = `w${++this.#names}`
    const env = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`V${at}`, 'x'.repeat(400)]))
    const text = JSON.stringify({ berth: 'v1', kind: 'service', name, image: 'a/b:1', env, resources: { cpu: 1 } })
    try {
      await this.#berth.apply({ project: 'default', text, file: name, idempotencyKey: name })
      this.#wanted.add(name)
      this.#accepted++
      return undefined
    } catch (error) {
      const code = codeOf(error)
      if (code === 'STORE_FULL') this.#refused++
      else {
        this.#unclear.add(name)
        this.#wrong.push(`apply of ${name}: ${String(error)}`)
      }
      return code
    }
  }

  async #remove(name: string): Promise<boolean> {
    try {
      await this.#berth.remove({ project: 'default', name })
      this.#wanted.delete(name)
      return true
    } catch (error) {
      if (codeOf(error) !== 'STORE_FULL') this.#wrong.push(`rm of ${name}: ${String(error)}`)
      return false
    }
  }

  async #lost(): Promise<readonly string[]> {
    const berth = this.#plane.client({ tries: 'several', timeoutMs: 20_000 })
    const look = async (): Promise<readonly string[]> => {
      const there = new Map<string, string>()
      for (let after: string | undefined, isLast = false; !isLast;) {
        const page: Awaited<ReturnType<Berth['workloads']>> = await berth.workloads({
          limit: 500,
          ...(after !== undefined && { after }),
        })
        for (const { name, state } of page.items) there.set(name, state)
        after = page.next
        isLast = after === undefined
      }
      const missing = [...this.#wanted].filter((name) => there.get(name) !== 'serving')
      const extra = [...there.keys()].filter((name) => !this.#wanted.has(name) && !this.#unclear.has(name))
      return [
        ...missing.map((name) => `${name} was accepted and is ${there.get(name) ?? 'gone'}`),
        ...extra.map((name) => `${name} was removed or refused, and is there`),
      ]
    }
    let lost: readonly string[] = []
    const settled = until('all is as it was asked for', { withinMs: 60_000, everyMs: 500 }, async () => {
      lost = await look()
      return lost.length === 0 ? { found: true } : (lost[0] ?? '')
    })
    await settled.catch(() => undefined)
    return lost
  }
}

function codeOf(error: unknown): string {
  return /\b([A-Z][A-Z_]+[A-Z])\b/.exec(error instanceof Error ? error.message : String(error))?.[1] ?? 'UNKNOWN'
}

/** To the last byte that the system gives. */
function fill(file: string): void {
  const descriptor = openSync(file, 'a')
  try {
    for (const size of [1024 * 1024, 4096, 1]) {
      const bytes = Buffer.alloc(size, 1)
      for (let at = 0; at < 4096; at++) writeSync(descriptor, bytes)
    }
  } catch {
    fillRest(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function fillRest(descriptor: number): void {
  try {
    for (let at = 0; at < 1024; at++) writeSync(descriptor, Buffer.alloc(4096, 1))
  } catch {
    // Now it is full.
  }
}
