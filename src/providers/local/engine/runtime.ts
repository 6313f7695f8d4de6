import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Order } from '../../../core/life/call/order.ts'
import type { Answer, Executed, LogLine, LogWant, ProviderDeps, ProgramSession } from '../../../ports/provider.ts'
import { storagePlan, type StoragePlan } from '../../storage/plan.ts'
import {
  GRACE_MS,
  instanceOf,
  KEPT_ENDED_MS,
  KEPT_NAME_MS,
  KEPT_STOPPED_MS,
  refuse,
  type Run,
  type Runtime,
  type StartOrder,
} from '../runtime.ts'
import type { LocalSettings } from '../settings.ts'
import { startSession } from '../session.ts'
import { Unreadable } from '../unreadable.ts'
import { NOTE_LABEL, refuseOrder, runArgs, type Bind } from './args.ts'
import { lastLine, type EngineCli } from './cli.ts'
import { FlagMemory, flagsToTry, isAboutHost, type EngineFlags } from './flags.ts'
import { linesOf, logsArgs, markLines } from './logs.ts'
import { faultOf, readContainers, type Container } from './read.ts'
import { SecretFiles } from './secret-file.ts'
import { EngineStorage } from './storage.ts'

/**
 * Work in containers of podman or docker. The engine keeps them; their unique names settle concurrent launches of one attempt.
 */
export class EngineRuntime implements Runtime {
  readonly name: 'podman' | 'docker'
  readonly lacks: readonly string[]
  /** Each container has its own network, in which the others have no name. */
  readonly can: Runtime['can']
  /** An image may have to be fetched first. */
  readonly deadlineMs = 600_000
  readonly #cli: EngineCli
  readonly #deps: ProviderDeps
  readonly #memory: FlagMemory
  readonly #launching = new Map<string, Promise<Answer<undefined>>>()
  readonly #ending = new Map<string, Promise<void>>()
  readonly #secrets: SecretFiles
  readonly #storage: EngineStorage
  /** By attempt: since when its container is known to be created but not started, on the monotonic clock. */
  readonly #unstarted = new Map<string, number>()
  #tidiedMs = -Infinity

  /** `objectStorage`: this host can fetch what storage names with `from`. */
  constructor(
    cli: EngineCli,
    settings: LocalSettings,
    { objectStorage, ...deps }: ProviderDeps & Pick<Runtime['can'], 'objectStorage'>,
  ) {
    this.name = cli.program
    this.can = { images: true, volumes: true, objectStorage, rendezvous: undefined }
    this.lacks = objectStorage ? LACKS : [...LACKS, UNFETCHED]
    this.#cli = cli
    this.#deps = deps
    for (const folder of ['stopped', 'past']) mkdirSync(join(deps.folder, folder), { recursive: true, mode: 0o700 })
    this.#secrets = new SecretFiles(deps.folder)
    this.#storage = new EngineStorage(deps.folder, cli, deps.clock)
    this.#memory = new FlagMemory(deps.folder, settings)
    const flags = this.#memory.recall()
    if (flags !== undefined) cli.useFlags(flags.engine)
  }

  refuse(order: Order): string | undefined {
    return refuseOrder(order, this.can)
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
    const containers: Container[] = []
    for (const container of found) if (container !== undefined) containers.push(await this.#settle(container, signal))
    const complete = containers.length === found.length
    if (complete) this.#forgetOthers(containers)
    void this.#tidy(containers).catch((error: unknown) =>
      this.#deps.log.warn(`ended containers could not be removed: ${String(error)}`),
    )
    return { runs: containers.map(({ run }) => run), complete }
  }

  async find(attempt: string, signal: AbortSignal): Promise<Run | undefined> {
    const container = await this.#look(attempt, signal)
    return container === undefined ? undefined : (await this.#settle(container, signal)).run
  }

  async knows(attempt: string): Promise<boolean> {
    return existsSync(this.#mark('past', attempt))
  }

  /** Two calls for the same attempt share one launch. */
  start(start: StartOrder, signal: AbortSignal): Promise<Answer<undefined>> {
    const { attempt } = start.note.tag
    const launching =
      this.#launching.get(attempt) ?? this.#start(start, signal).finally(() => this.#launching.delete(attempt))
    this.#launching.set(attempt, launching)
    return launching
  }

  async stop(attempt: string, signal: AbortSignal): Promise<boolean> {
    const name = instanceOf(attempt)
    writeFileSync(this.#mark('stopped', attempt), '', { mode: 0o600 })
    const container = await this.#look(attempt, signal).catch((error: unknown) => {
      if (error instanceof Unreadable) return 'unreadable' as const
      throw error
    })
    if (container === undefined) return true
    if (container === 'unreadable') return this.#endUnread(attempt)
    if (container.isFetching === true) this.#storage.end(attempt)
    if (container.isUnstarted || container.isFetching === true) {
      // Only its name stays, so that no later call starts it.
      writeFileSync(this.#mark('past', attempt), '', { mode: 0o600 })
      await this.#cli.ask(['rm', '--force', '--volumes', name], signal)
      return true
    }
    if (container.run.state === 'ended') return true
    this.#storage.hurry(attempt)
    this.#end(attempt, () => this.#cli.begin(['stop', '--time', STOP_S, name]))
    return false
  }

  /** It is removed completely: it is gone once the engine no longer knows it. */
  #endUnread(attempt: string): false {
    const name = instanceOf(attempt)
    this.#deps.log.warn('a container with an unreadable note is stopped and removed', { attempt })
    this.#end(attempt, async () => {
      await this.#cli.begin(['stop', '--time', STOP_S, name])
      await this.#cli.begin(['rm', '--volumes', name])
    })
    return false
  }

  #end(attempt: string, begin: () => Promise<void>): void {
    if (this.#ending.has(attempt)) return
    this.#ending.set(
      attempt,
      begin().finally(() => this.#ending.delete(attempt)),
    )
  }

  /**
   * A container that was created but not started, and that no launch of ours is about to start, does not stay: it is removed,
   * its name is kept, and it counts as ended. An engine refuses to remove a container that runs by now.
   */
  async #settle(container: Container, signal: AbortSignal): Promise<Container> {
    const { attempt } = container.run.note.tag
    const tickMs = this.#deps.clock.tickMs()
    const sinceMs = this.#unstarted.get(attempt) ?? tickMs
    if (!container.isUnstarted || this.#launching.has(attempt)) {
      this.#unstarted.delete(attempt)
      return container
    }
    this.#unstarted.set(attempt, sinceMs)
    if (tickMs - sinceMs < UNSTARTED_MS) return container
    const { code } = await this.#cli.run(['rm', '--volumes', instanceOf(attempt)], signal)
    if (code !== 0) return container
    writeFileSync(this.#mark('past', attempt), '', { mode: 0o600 })
    this.#unstarted.delete(attempt)
    this.#deps.log.warn('a container was created but never started: it counts as ended', { attempt })
    const exit = { kind: 'start', why: 'its container was created, but not started in time' } as const
    return { ...container, run: { ...container.run, state: 'ended', exit }, isUnstarted: false }
  }

  async *logs(attempt: string, want: LogWant, signal: AbortSignal): AsyncGenerator<LogLine> {
    if (want.tail === 0 && !want.follow) return
    if (want.tail === undefined && want.after === undefined && want.sinceMs === undefined)
      yield* this.#storage.said(attempt)
    yield* markLines(linesOf(this.#cli.argv(logsArgs(instanceOf(attempt), want)), signal), want.after)
  }

  async exec(attempt: string, argv: readonly string[], signal: AbortSignal): Promise<Answer<Executed>> {
    const { code, out, err } = await this.#cli.run(['exec', instanceOf(attempt), ...argv], signal)
    if (code === undefined || code === ENGINE_FAILED) return refuse('TRANSIENT', lastLine(err))
    return { ok: true, value: { code, out, err } }
  }

  session(attempt: string, argv: readonly string[], signal: AbortSignal): Answer<ProgramSession> {
    const value = startSession(this.#cli.argv(['exec', '-i', instanceOf(attempt), ...argv]), { signal })
    return { ok: true, value }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#launching.values())
  }

  async #start(start: StartOrder, signal: AbortSignal): Promise<Answer<undefined>> {
    const plan = hasData(start.order) ? storagePlan(start.order, start.storageSecrets) : undefined
    if (typeof plan === 'string') return refuse('BAD_REQUEST', plan)
    const known = this.#memory.recall()
    const tries = known === undefined ? flagsToTry(this.name, this.#cli.flags) : [known]
    let answer: Answer<undefined> = refuse('TRANSIENT', 'Nothing was tried.')
    for (const flags of tries) {
      const complaint = await this.#begin({ start, plan, isTried: known !== undefined }, flags, signal).catch(unbegun)
      if (typeof complaint === 'object') return complaint
      if (complaint === undefined) {
        if (known === undefined) this.#memory.keep(flags)
        return { ok: true, value: undefined }
      }
      answer = { ok: false, fault: faultOf(complaint) }
      if (!isAboutHost(complaint)) break
    }
    return answer
  }

  /** The error of the engine; undefined: it runs, or ran already, or does so once its data is there. */
  async #begin(
    { start, plan, isTried }: Beginning,
    flags: EngineFlags,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { attempt } = start.note.tag
    this.#cli.useFlags(flags.engine)
    if (plan === undefined) return this.#run(start, { flags, binds: undefined }, signal)
    // Whether this host allows such flags shows when something starts, which is later for this container.
    const complaint = isTried ? undefined : await this.#probe(start.order.image, flags, signal)
    if (complaint !== undefined) return complaint
    const binds = this.#storage.prepare(attempt, plan)
    const refused = await this.#run(start, { flags, binds }, signal)
    if (refused === undefined) this.#storage.begin(attempt)
    else this.#storage.discard(attempt)
    return refused
  }

  /** Starts a program that no image has. The error, unless it is just about that. */
  async #probe(image: string, flags: EngineFlags, signal: AbortSignal): Promise<string | undefined> {
    const { err } = await this.#cli.run(
      ['run', '--detach', '--rm', ...flags.run, '--entrypoint', NO_PROGRAM, image],
      signal,
    )
    return err.includes(NO_PROGRAM) ? undefined : err
  }

  async #run(
    start: StartOrder,
    { flags, binds }: { readonly flags: EngineFlags; readonly binds: readonly Bind[] | undefined },
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { attempt } = start.note.tag
    const name = instanceOf(attempt)
    const { code, err } = await this.#secrets.use(start, ({ file, inherited }) => {
      const names = [...inherited.keys()]
      const args = runArgs(start, { program: this.name, flags: flags.run, secretFile: file, inherited: names, binds })
      return this.#cli.run(args, signal, inherited)
    })
    if (code === 0) return undefined

    const container = await this.#look(attempt, signal)
    const isEarlier = /already in use/i.test(err)
    if (container !== undefined && !container.isUnstarted && (isEarlier || container.run.state === 'up'))
      return undefined
    // Its courier starts it.
    if (container !== undefined && isEarlier && binds !== undefined) return undefined
    if (container !== undefined && isEarlier) {
      // Its creator was interrupted before it could start it.
      const started = await this.#cli.run(['start', name], signal)
      if (started.code === 0) return undefined
    }
    // Never a running one: without force, an engine refuses that.
    await this.#cli.run(['rm', '--volumes', name], signal)
    return scrub(
      err,
      [...start.secrets.values()].map((secret) => secret.reveal()),
    )
  }

  async #look(attempt: string, signal: AbortSignal): Promise<Container | undefined> {
    const text = await this.#ask([instanceOf(attempt)], signal)
    const [container] = this.#read(text)
    if (container?.run.note.tag.attempt === attempt) return container
    // A container of another owner that merely has the same name is not ours.
    if (!text.includes(`"${NOTE_LABEL}"`)) return undefined
    throw new Unreadable(`${this.name}: the note of container ${instanceOf(attempt)} cannot be read`)
  }

  async #inspect(names: readonly string[], signal: AbortSignal): Promise<readonly (Container | undefined)[]> {
    return this.#read(await this.#ask(names, signal))
  }

  #read(text: string): readonly (Container | undefined)[] {
    return readContainers(text).map((container) => container && this.#storage.seen(container))
  }

  /** Containers that no longer exist are left out; an engine that does not answer is an error. */
  async #ask(names: readonly string[], signal: AbortSignal): Promise<string> {
    const { code, out, err } = await this.#cli.run(['inspect', '--type', 'container', ...names], signal)
    const complaints = err.split('\n').filter((line) => /error/i.test(line))
    if (
      code !== 0 &&
      (complaints.length === 0 || !complaints.every((line) => /no such (container|object)/i.test(line)))
    )
      throw new Error(`${this.name} inspect failed: ${lastLine(err)}`)
    return out
  }

  async #tidy(containers: readonly Container[]): Promise<void> {
    const nowMs = this.#deps.clock.nowMs()
    const tickMs = this.#deps.clock.tickMs()
    if (tickMs - this.#tidiedMs < TIDY_MS) return
    this.#tidiedMs = tickMs
    const dead = containers.filter(({ run, endedMs }) => {
      const stoppedMs = changedMs(this.#mark('stopped', run.note.tag.attempt))
      return endedMs !== undefined && nowMs - endedMs > (stoppedMs === undefined ? KEPT_ENDED_MS : KEPT_STOPPED_MS)
    })
    for (const { run } of dead.slice(0, BATCH)) {
      const { attempt } = run.note.tag
      writeFileSync(this.#mark('past', attempt), '', { mode: 0o600 })
      const args = ['rm', '--volumes', instanceOf(attempt)]
      await this.#cli.run(args, AbortSignal.timeout(TIDY_MS)).catch(() => undefined)
      this.#storage.forget(attempt)
    }
    for (const folder of ['stopped', 'past'] as const) {
      for (const name of readdirSync(join(this.#deps.folder, folder)))
        if (nowMs - (changedMs(this.#mark(folder, name)) ?? nowMs) > KEPT_NAME_MS) rmSync(this.#mark(folder, name))
    }
  }

  /** What is left of containers that were removed. */
  #forgetOthers(containers: readonly Container[]): void {
    const known = new Set(containers.map(({ run }) => run.note.tag.attempt))
    for (const attempt of this.#storage.all())
      if (!known.has(attempt) && !this.#launching.has(attempt)) this.#storage.forget(attempt)
  }

  #mark(folder: 'stopped' | 'past', attempt: string): string {
    return join(this.#deps.folder, folder, attempt)
  }
}

const LACKS = [
  'disk limits are not enforced',
  'users who may inspect containers on this host can read the secrets in their environment',
]
const UNFETCHED =
  'storage with `from` is not fetched for containers: that needs Berth to run as root, and rclone to be installed'

/** Work that is to be started, with what is to be fetched for it first. */
interface Beginning {
  readonly start: StartOrder
  readonly plan: StoragePlan | undefined
  /** These flags are known to work here. */
  readonly isTried: boolean
}

function hasData({ storage }: Order): boolean {
  return storage.some(({ from }) => from !== undefined)
}

const NO_PROGRAM = '/berth-no-such-program'

const BATCH = 100
const TIDY_MS = 60_000
const UNSTARTED_MS = 15_000
const STOP_S = String(GRACE_MS / 1000)

/** The exit code of an engine that could not do what it was told. */
const ENGINE_FAILED = 125

/** An engine command that could not even be started has created nothing. */
function unbegun(error: unknown): ReturnType<typeof refuse> {
  const isSpawn = error instanceof Error && 'syscall' in error && String(error.syscall).startsWith('spawn')
  if (!isSpawn) throw error
  const code = 'code' in error ? error.code : undefined
  if (code !== 'E2BIG') return refuse('TRANSIENT', `The engine could not be called: ${String(error)}`)
  return refuse(
    'BAD_REQUEST',
    'env, command and args are too large for one command of this host: put large values into a file or a secret.',
  )
}

function changedMs(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

/** An engine that repeats its environment in an error must not reveal it. */
function scrub(text: string, values: readonly string[]): string {
  return values.reduce((clean, value) => (value === '' ? clean : clean.replaceAll(value, '***')), text)
}
