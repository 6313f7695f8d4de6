import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Order } from '../../../core/keep/order.ts'
import type { Answer, Executed, LogLine, LogWant, ProviderDoors } from '../../../ports/provider.ts'
import {
  GRACE_MS,
  instanceOf,
  KEPT_ENDED_MS,
  KEPT_NAME_MS,
  KEPT_STOPPED_MS,
  refuse,
  type Run,
  type Runtime,
  type Start,
} from '../runtime.ts'
import type { LocalSettings } from '../settings.ts'
import { NOTE_LABEL, refuseOrder, runArgs } from './engine-args.ts'
import { lastLine, type EngineCli } from './engine-cli.ts'
import { FlagMemory, flagsToTry, isAboutHost, type EngineFlags } from './engine-flags.ts'
import { linesOf, logsArgs, markLines } from './engine-logs.ts'
import { faultOf, readContainers, type Container } from './engine-read.ts'

/** Work in containers of podman or docker. The engine keeps them; their names decide between two launches of one attempt. */
export class EngineRuntime implements Runtime {
  readonly name: 'podman' | 'docker'
  readonly lacks = [
    'the size of disks is not enforced',
    'whoever may inspect containers here sees the secrets in their environment',
  ]
  /** Each container has a network of its own, in which the others have no name. */
  readonly can = { images: true, volumes: true, rendezvous: undefined } as const
  /** An image may have to be fetched first. */
  readonly deadlineMs = 600_000
  readonly #cli: EngineCli
  readonly #doors: ProviderDoors
  readonly #memory: FlagMemory
  readonly #launching = new Map<string, Promise<Answer<undefined>>>()
  readonly #ending = new Map<string, Promise<void>>()
  #tidiedMs = 0

  constructor(cli: EngineCli, settings: LocalSettings, doors: ProviderDoors) {
    this.name = cli.program
    this.#cli = cli
    this.#doors = doors
    for (const folder of ['stopped', 'past']) mkdirSync(join(doors.folder, folder), { recursive: true, mode: 0o700 })
    this.#memory = new FlagMemory(doors.folder, settings)
    const flags = this.#memory.recall()
    if (flags !== undefined) cli.useFlags(flags.engine)
  }

  refuse(order: Order): string | undefined {
    return refuseOrder(order)
  }

  async survey(signal: AbortSignal): Promise<{ readonly runs: readonly Run[]; readonly complete: boolean }> {
    const listing = await this.#cli.ask(
      ['ps', '--all', '--quiet', '--no-trunc', '--filter', `label=${NOTE_LABEL}`],
      signal,
    )
    const ids = listing.split('\n').filter(Boolean)
    const found: (Container | undefined)[] = []
    for (let from = 0; from < ids.length; from += BATCH)
      found.push(...(await this.#inspect(ids.slice(from, from + BATCH), signal)))
    const containers = found.filter((container) => container !== undefined)
    void this.#tidy(containers).catch((error: unknown) =>
      this.#doors.log.warn(`what has ended stays: ${String(error)}`),
    )
    return { runs: containers.map(({ run }) => run), complete: containers.length === found.length }
  }

  async find(attempt: string, signal: AbortSignal): Promise<Run | undefined> {
    return (await this.#look(attempt, signal))?.run
  }

  async knows(attempt: string): Promise<boolean> {
    return existsSync(this.#mark('past', attempt))
  }

  /** Two calls for the same attempt wait for one launch. */
  start(start: Start, signal: AbortSignal): Promise<Answer<undefined>> {
    const { attempt } = start.note.tag
    const launching =
      this.#launching.get(attempt) ?? this.#start(start, signal).finally(() => this.#launching.delete(attempt))
    this.#launching.set(attempt, launching)
    return launching
  }

  async stop(attempt: string, signal: AbortSignal): Promise<boolean> {
    const name = instanceOf(attempt)
    writeFileSync(this.#mark('stopped', attempt), '', { mode: 0o600 })
    const container = await this.#look(attempt, signal)
    if (container === undefined) return true
    if (container.isUnstarted) {
      // Nobody may start it later: only its name stays.
      writeFileSync(this.#mark('past', attempt), '', { mode: 0o600 })
      await this.#cli.ask(['rm', '--force', '--volumes', name], signal)
      return true
    }
    if (container.run.state === 'ended') return true
    const seconds = String(GRACE_MS / 1000)
    const ending = this.#ending.get(attempt) ?? this.#cli.begin(['stop', '--time', seconds, name])
    this.#ending.set(attempt, ending)
    void ending.then(() => this.#ending.delete(attempt))
    return false
  }

  logs(attempt: string, want: LogWant, signal: AbortSignal): AsyncIterable<LogLine> {
    if (want.tail === 0 && !want.follow) return NO_LINES
    return markLines(linesOf(this.#cli.argv(logsArgs(instanceOf(attempt), want)), signal), want.after)
  }

  async exec(attempt: string, argv: readonly string[], signal: AbortSignal): Promise<Answer<Executed>> {
    const { code, out, err } = await this.#cli.run(['exec', instanceOf(attempt), ...argv], signal)
    if (code === undefined || code === ENGINE_FAILED) return refuse('TRANSIENT', lastLine(err))
    return { ok: true, value: { code, out, err } }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#launching.values())
  }

  async #start(start: Start, signal: AbortSignal): Promise<Answer<undefined>> {
    const known = this.#memory.recall()
    const tries = known === undefined ? flagsToTry(this.name, this.#cli.flags) : [known]
    let answer: Answer<undefined> = refuse('TRANSIENT', 'Nothing was tried.')
    for (const flags of tries) {
      const complaint = await this.#run(start, flags, signal)
      if (complaint === undefined) {
        if (known === undefined) this.#memory.keep(flags)
        return { ok: true, value: undefined }
      }
      answer = { ok: false, fault: faultOf(complaint) }
      if (!isAboutHost(complaint)) break
    }
    return answer
  }

  /** What the engine complained about; undefined: it runs, or ran already. */
  async #run(start: Start, flags: EngineFlags, signal: AbortSignal): Promise<string | undefined> {
    const { attempt } = start.note.tag
    const name = instanceOf(attempt)
    const secrets = new Map([...start.secrets].map(([key, secret]) => [key, secret.reveal()]))
    this.#cli.useFlags(flags.engine)
    const { code, err } = await this.#cli.run(runArgs(start, this.name, flags.run), signal, secrets)
    if (code === 0) return undefined

    const container = await this.#look(attempt, signal)
    const isEarlier = /already in use/i.test(err)
    if (container !== undefined && !container.isUnstarted && (isEarlier || container.run.state === 'up'))
      return undefined
    if (container !== undefined && isEarlier) {
      // Whoever made it was interrupted before it could start it.
      const started = await this.#cli.run(['start', name], signal)
      if (started.code === 0) return undefined
    }
    // Never one that runs: without force an engine refuses that.
    await this.#cli.run(['rm', '--volumes', name], signal)
    return scrub(err, [...secrets.values()])
  }

  async #look(attempt: string, signal: AbortSignal): Promise<Container | undefined> {
    const [container] = await this.#inspect([instanceOf(attempt)], signal)
    // Somebody else's container that only has the name is not ours.
    return container?.run.note.tag.attempt === attempt ? container : undefined
  }

  /** Those that are gone by now are left out; an engine that does not answer is another matter. */
  async #inspect(names: readonly string[], signal: AbortSignal): Promise<readonly (Container | undefined)[]> {
    const { code, out, err } = await this.#cli.run(['inspect', '--type', 'container', ...names], signal)
    const complaints = err.split('\n').filter((line) => /error/i.test(line))
    if (
      code !== 0 &&
      (complaints.length === 0 || !complaints.every((line) => /no such (container|object)/i.test(line)))
    )
      throw new Error(`${this.name} inspect failed: ${lastLine(err)}`)
    return readContainers(out)
  }

  async #tidy(containers: readonly Container[]): Promise<void> {
    const nowMs = this.#doors.clock.nowMs()
    if (nowMs - this.#tidiedMs < TIDY_MS) return
    this.#tidiedMs = nowMs
    const dead = containers.filter(({ run, endedMs }) => {
      const stoppedMs = changedMs(this.#mark('stopped', run.note.tag.attempt))
      return endedMs !== undefined && nowMs - endedMs > (stoppedMs === undefined ? KEPT_ENDED_MS : KEPT_STOPPED_MS)
    })
    for (const { run } of dead.slice(0, BATCH)) {
      const { attempt } = run.note.tag
      writeFileSync(this.#mark('past', attempt), '', { mode: 0o600 })
      const args = ['rm', '--volumes', instanceOf(attempt)]
      await this.#cli.run(args, AbortSignal.timeout(TIDY_MS)).catch(() => undefined)
    }
    for (const folder of ['stopped', 'past'] as const) {
      for (const name of readdirSync(join(this.#doors.folder, folder)))
        if (nowMs - (changedMs(this.#mark(folder, name)) ?? nowMs) > KEPT_NAME_MS) rmSync(this.#mark(folder, name))
    }
  }

  #mark(folder: 'stopped' | 'past', attempt: string): string {
    return join(this.#doors.folder, folder, attempt)
  }
}

const BATCH = 100
const TIDY_MS = 60_000

/** The code of an engine that could not do what it was asked. */
const ENGINE_FAILED = 125

const NO_LINES: AsyncIterable<LogLine> = {
  async *[Symbol.asyncIterator]() {
    // There is nothing to tell.
  },
}

function changedMs(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

/** An engine that repeats its environment in an error must not give it away. */
function scrub(text: string, values: readonly string[]): string {
  return values.reduce((clean, value) => (value === '' ? clean : clean.replaceAll(value, '***')), text)
}
