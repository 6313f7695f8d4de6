import { spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Clock } from '../../../ports/clock.ts'
import type { LogLine } from '../../../ports/provider.ts'
import { COURIER } from '../../storage/courier.ts'
import { dataOf, storageFiles } from '../../storage/files.ts'
import type { StoragePlan } from '../../storage/plan.ts'
import { GRACE_MS, instanceOf } from '../runtime.ts'
import type { Bind } from './args.ts'
import type { EngineCli } from './cli.ts'
import type { Container } from './read.ts'

/**
 * `storage` with `from` for containers. A container is created before its data is there. A courier of its own then fetches the data, starts
 * the container, saves what it writes, and saves the rest after its end. It is a process of the host that outlives Berth; if it dies,
 * another one goes on where it stopped.
 */
export class EngineStorage {
  readonly #folder: string
  readonly #courier: string
  readonly #cli: EngineCli
  readonly #clock: Clock
  /** By attempt: when its courier was started last, on the monotonic clock. */
  readonly #begun = new Map<string, number>()
  /** Attempts whose data is being removed. */
  readonly #clearing = new Set<string>()

  constructor(folder: string, cli: EngineCli, clock: Clock) {
    this.#folder = join(folder, 'storage')
    this.#courier = join(folder, 'courier.sh')
    this.#cli = cli
    this.#clock = clock
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    // A shell that reads the old one keeps it.
    rmSync(this.#courier, { force: true })
    writeFileSync(this.#courier, COURIER, { mode: 0o600 })
  }

  /** Writes down what the courier has to do. What the container is to see of it. */
  prepare(attempt: string, plan: StoragePlan): readonly Bind[] {
    const folder = this.#pathOf(attempt)
    if (!this.#isAlive(attempt)) {
      for (const { path, content } of storageFiles(plan)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true, mode: 0o700 })
        writeFileSync(join(folder, path), content, { mode: 0o600 })
      }
      mkdirSync(join(folder, 'state'), { recursive: true, mode: 0o700 })
    }
    return plan.entries.flatMap(({ mount, mode, how }, index) => {
      if (how === 'empty') return []
      const source = join(folder, dataOf(index))
      // An engine shows only what is there.
      mkdirSync(source, { recursive: true, mode: 0o700 })
      return [{ source, mount, mode }]
    })
  }

  /** Starts the courier of a container that was created. */
  begin(attempt: string): void {
    if (this.#isAlive(attempt)) return
    const folder = this.#pathOf(attempt)
    this.#begun.set(attempt, this.#clock.tickMs())
    const log = openSync(join(folder, 'log'), 'a', 0o600)
    try {
      const args = [this.#courier, 'contain', folder, instanceOf(attempt), ...this.#cli.argv([])]
      const child = spawn('/bin/sh', args, { detached: true, stdio: ['ignore', log, log] })
      child.once('error', () => undefined)
      if (child.pid !== undefined) this.#write(attempt, 'pid', `${child.pid}`)
      child.unref()
    } finally {
      closeSync(log)
    }
  }

  /** A container together with its storage: it runs from the start of its program until everything is saved. */
  seen(container: Container): Container {
    const { run } = container
    const { attempt } = run.note.tag
    if (!existsSync(this.#pathOf(attempt, 'state'))) return container
    const seconds = Number(this.#line(attempt, 'checkpoint') ?? '')
    const told = seconds > 0 ? { ...run, checkpointMs: seconds * 1000 } : run
    if (this.#isAlive(attempt)) {
      if (container.isUnstarted) return { ...container, run: told, isUnstarted: false, isFetching: true }
      return { ...container, run: run.state === 'ended' ? { ...told, state: 'up', exit: undefined } : told }
    }
    const over = this.#overOf(attempt, container)
    if (over !== undefined) {
      this.#clear(attempt, over.exit?.kind === 'storage' ? 'keep' : 'remove')
      const endedMs = container.endedMs ?? this.#clock.nowMs()
      return { isUnstarted: false, endedMs, run: { ...told, state: 'ended', ports: {}, exit: over.exit } }
    }
    if (container.isUnstarted) return container
    if (this.#line(attempt, 'failed') === undefined) this.#again(attempt)
    return { ...container, run: run.state === 'ended' ? { ...told, state: 'up', exit: undefined } : told }
  }

  /** What its courier said, if it has one. */
  *said(attempt: string): Generator<LogLine> {
    const path = this.#pathOf(attempt, 'log')
    if (!existsSync(path)) return
    for (const text of readFileSync(path, 'utf8').split('\n').filter(Boolean))
      yield { atMs: undefined, stream: 'out', text }
  }

  /** Ends the courier at once. What it has not saved is lost. */
  end(attempt: string): void {
    const pid = this.#pidOf(attempt)
    if (pid === undefined || !this.#isAlive(attempt)) return
    if (this.#line(attempt, 'failed') === undefined)
      this.#write(attempt, 'failed', 'storage: it was stopped before everything was saved')
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }

  /** It is to stop: the courier has some time for what is left, and not more. */
  hurry(attempt: string): void {
    if (!existsSync(this.#pathOf(attempt, 'state'))) return
    const since = Number(this.#line(attempt, 'stopping') ?? '')
    const nowMs = this.#clock.nowMs()
    if (!(since > 0)) this.#write(attempt, 'stopping', `${nowMs}`)
    else if (nowMs - since > 2 * GRACE_MS) this.end(attempt)
  }

  /** Its container could not be created: there is no data yet. */
  discard(attempt: string): void {
    if (!this.#isAlive(attempt)) rmSync(this.#pathOf(attempt), { recursive: true, force: true })
  }

  /** Nothing of it is needed any more. */
  forget(attempt: string): void {
    this.#begun.delete(attempt)
    if (!this.#isAlive(attempt)) this.#clear(attempt, 'forget')
  }

  /** Attempts that anything is left of. */
  all(): readonly string[] {
    return readdirSync(this.#folder)
  }

  /** How it ended, where its courier is gone; undefined: the courier has left something undone. */
  #overOf(attempt: string, { run }: Container): { readonly exit: Container['run']['exit'] } | undefined {
    const failed = this.#line(attempt, 'failed')
    if (failed !== undefined && run.state !== 'up') return { exit: { kind: 'storage', why: failed.slice(0, 300) } }
    const refused = this.#line(attempt, 'refused')
    if (refused !== undefined && run.state !== 'up') return { exit: { kind: 'start', why: refused.slice(0, 300) } }
    return this.#line(attempt, 'saved') === undefined ? undefined : { exit: run.exit }
  }

  /** A courier that was killed has a successor, which must not fetch again what the program works on. */
  #again(attempt: string): void {
    const sinceMs = this.#clock.tickMs() - (this.#begun.get(attempt) ?? -Infinity)
    if (sinceMs < AGAIN_MS) return
    this.#write(attempt, 'started', 'yes')
    this.begin(attempt)
  }

  #clear(attempt: string, what: 'keep' | 'remove' | 'forget'): void {
    const folder = this.#pathOf(attempt)
    const isThere = existsSync(what === 'forget' ? folder : join(folder, 'entries'))
    if (what === 'keep' || !isThere || this.#clearing.has(attempt)) return
    this.#clearing.add(attempt)
    const child = spawn('/bin/sh', [this.#courier, 'clear', folder, what], { detached: true, stdio: 'ignore' })
    child.once('error', () => this.#clearing.delete(attempt))
    child.once('exit', () => this.#clearing.delete(attempt))
    child.unref()
  }

  #isAlive(attempt: string): boolean {
    const pid = this.#pidOf(attempt)
    if (pid === undefined) return false
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`\0contain\0${this.#pathOf(attempt)}\0`)
    } catch {
      return false
    }
  }

  #pidOf(attempt: string): number | undefined {
    return Number(this.#line(attempt, 'pid') ?? '') || undefined
  }

  #write(attempt: string, file: string, text: string): void {
    writeFileSync(this.#pathOf(attempt, 'state', file), `${text}\n`, { mode: 0o600 })
  }

  /** The only line of a file of its state; undefined: there is no such file, or it is empty. */
  #line(attempt: string, file: string): string | undefined {
    try {
      return readFileSync(this.#pathOf(attempt, 'state', file), 'utf8').trim() || undefined
    } catch {
      return undefined
    }
  }

  #pathOf(attempt: string, ...files: readonly string[]): string {
    return join(this.#folder, attempt, ...files)
  }
}

/** How soon a courier that has died gets its next successor. */
const AGAIN_MS = 15_000
