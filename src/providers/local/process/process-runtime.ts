import { accessSync, constants, statSync, writeFileSync, renameSync, mkdirSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Order } from '../../../core/life/call/order.ts'
import type { Answer, Executed, LogLine, LogWant, ProviderDeps, ProgramSession } from '../../../ports/provider.ts'
import { nextTurn } from '../../../ports/turn.ts'
import { storagePlan, within, type StoragePlan } from '../../storage/plan.ts'
import type { Note } from '../note.ts'
import { GRACE_MS, loopback, refuse, type Run, type Runtime, type StartOrder } from '../runtime.ts'
import { Unreadable } from '../unreadable.ts'
import { AttemptFolders } from './attempt-folder.ts'
import { runBeside, sessionBeside, type Beside } from './beside.ts'
import { findControlGroup } from './control-group.ts'
import { Ended } from './ended.ts'
import { baseEnvironment, environmentFor } from './environment.ts'
import { assignPorts, type PortRange } from './free-port.ts'
import { Launcher } from './launcher.ts'
import { readLog } from './log-file.ts'
import { LogRescue } from './log-rescue.ts'
import { appeared, newsIn } from './news.ts'
import { stateOf, type ProcessState } from './process-state.ts'
import { currentBoot, environmentOf, readIdentity } from './process-table.ts'
import { SHIM } from './shim.ts'
import { NO_TOOLS, ProcessStorage, storageLacks, type StorageTools } from './storage.ts'
import { Stopper } from './stopper.ts'

export interface ProcessSettings {
  readonly ports: PortRange
  readonly logMib: number
  /** Where workloads start; undefined: each in its own empty folder. */
  readonly directory: string | undefined
}

interface ProcessExtras {
  /** Further limitations to report. */
  readonly lacks?: readonly string[]
  /** Left out: there is no storage for processes. */
  readonly tools?: StorageTools
}

/** Work as plain processes of this host. Each has a folder, and outlives Berth. */
export class ProcessRuntime implements Runtime {
  readonly name = 'process'
  readonly lacks: readonly string[]
  readonly can: Runtime['can']
  readonly deadlineMs = 30_000
  readonly #deps: ProviderDeps
  readonly #settings: ProcessSettings
  readonly #folders: AttemptFolders
  readonly #boot = currentBoot()
  readonly #closed = new AbortController()
  /** Notes never change, so none is read twice. */
  readonly #notes = new Map<string, Note>()
  readonly #ended: Ended
  readonly #launcher: Launcher
  readonly #rescue: LogRescue
  readonly #stopper: Stopper
  readonly #storage: ProcessStorage
  /** Unreadable attempts that were reported. */
  readonly #unread = new Set<string>()
  #turn: Promise<unknown> = Promise.resolve()

  constructor(settings: ProcessSettings, deps: ProviderDeps, { lacks = [], tools = NO_TOOLS }: ProcessExtras = {}) {
    this.#settings = settings
    this.#deps = deps
    mkdirSync(deps.folder, { recursive: true, mode: 0o700 })
    const folders = new AttemptFolders(deps.folder)
    const group = findControlGroup('berth')
    const shim = writeShim(deps.folder)
    const logBytes = Math.ceil(this.#logBytes / 2)
    const groupOf = (attempt: string): string | undefined => group && join(group, attempt)
    this.#folders = folders
    this.#ended = new Ended({ folders, clock: deps.clock, logBytesMax: this.#logBytes * ENDED_LOGS })
    this.#launcher = new Launcher({ folders, shim, logBytes, groupOf, tickMs: () => deps.clock.tickMs() })
    this.#rescue = new LogRescue({ folders, shim, logBytes })
    this.#stopper = new Stopper(folders, deps, this.#boot)
    this.#storage = new ProcessStorage(deps.folder, folders, tools)
    const canMount = tools.unshare !== undefined
    const meets = { images: false, rendezvous: { kind: 'host' } } as const
    this.can = { ...meets, volumes: canMount, objectStorage: canMount && tools.hasRclone }
    this.lacks = [...lacks, ...LACKS, ...storageLacks(tools), ...(group === undefined ? [NO_GROUPS] : [])]
  }

  get #logBytes(): number {
    return this.#settings.logMib * 1024 * 1024
  }

  refuse({ command, args, env, storage }: Order): string | undefined {
    const [program] = [...command, ...args]
    if (command.length === 0 || program === undefined)
      return 'This host runs processes, not images: write the program in `command`, or set `runtime: podman`.'
    if (storage.length > 0 && !this.can.volumes)
      return 'This host cannot give processes volumes: remove `storage`, or set `runtime: podman`.'
    if (storage.some(({ from }) => from !== undefined) && !this.can.objectStorage)
      return 'rclone is not installed on this host, so it cannot fetch what `storage` names with `from`.'
    if (storage.some(({ mount }) => within(program, mount) !== undefined)) return undefined
    const path = env['PATH'] ?? baseEnvironment()['PATH'] ?? ''
    return isProgram(program, path, this.#settings.directory)
      ? undefined
      : `There is no program ${program} on this host.`
  }

  async survey(signal: AbortSignal): Promise<{ readonly runs: readonly Run[]; readonly complete: boolean }> {
    const runs: Run[] = []
    let complete = true
    for (const [index, attempt] of this.#folders.all().entries()) {
      // Other tasks must run in between.
      if (index % BATCH === BATCH - 1) await nextTurn()
      signal.throwIfAborted()
      try {
        const run = this.#look(attempt)
        if (run !== undefined) runs.push(run)
      } catch (error) {
        complete = false
        this.#tellOnce(attempt, error)
      }
    }
    try {
      for (const attempt of this.#ended.tidy()) this.#forget(attempt)
    } catch (error) {
      // Leftovers that cannot be removed are a nuisance, but no reason to fail the survey.
      this.#deps.log.warn(`ended attempts could not be removed: ${String(error)}`)
    }
    return { runs, complete }
  }

  /** Throws if it exists but cannot be read. */
  async find(attempt: string): Promise<Run | undefined> {
    return this.#look(attempt)
  }

  async knows(attempt: string): Promise<boolean> {
    return this.#folders.isPast(attempt) || this.#folders.has(attempt, 'order')
  }

  /** One at a time, so that no port is given out twice. Who asks right afterwards is to see it up. */
  async start(start: StartOrder, signal: AbortSignal): Promise<Answer<undefined>> {
    const turn = this.#turn.then(() => this.#start(start, signal))
    this.#turn = turn.catch(() => undefined)
    const answer = await turn
    if (answer.ok) await appeared(this.#folders.pathOf(start.note.tag.attempt), 'started', STARTED_MS)
    return answer
  }

  async stop(attempt: string): Promise<boolean> {
    if (!this.#folders.has(attempt, '')) return true
    const isFirst = this.#stopper.begin(attempt)
    const signal = isFirst ? 'SIGTERM' : undefined
    const isOver = this.#ended.get(attempt) !== undefined
    if (isOver ? await this.#stopper.clear(attempt, signal) : this.#stopper.end(attempt, signal)) {
      if (this.#isUnreadable(attempt)) this.#setAside(attempt)
      else this.#ended.stopped(attempt)
      return true
    }
    if (isFirst) void this.#killLater(attempt).catch(() => undefined)
    return false
  }

  logs(attempt: string, want: LogWant, signal: AbortSignal): AsyncIterable<LogLine> {
    const source = {
      old: this.#folders.pathOf(attempt, 'log.old'),
      current: this.#folders.pathOf(attempt, 'log'),
      bytesMax: this.#logBytes,
      hasEnded: () => this.#hasEnded(attempt),
      timers: this.#deps.timers,
    }
    return readLog(source, want, signal)
  }

  async exec(attempt: string, argv: readonly string[], signal: AbortSignal): Promise<Answer<Executed>> {
    const beside = this.#beside(attempt)
    if (beside === undefined) return refuse('BAD_REQUEST', 'It is not running.')
    const { env, cwd, entry, ...rest } = beside
    const [program = ''] = argv
    const ran = isProgram(program, env['PATH'] ?? '', cwd)
      ? await runBeside({ argv: [...entry, ...argv], env, cwd, signal, ...rest, bytesMax: EXEC_BYTES })
      : undefined
    if (ran === undefined) return refuse('BAD_REQUEST', `There is no program ${program} on this host.`)
    return { ok: true, value: { code: ran.code ?? 137, out: ran.out, err: ran.err } }
  }

  session(attempt: string, argv: readonly string[], signal: AbortSignal): Answer<ProgramSession> {
    const beside = this.#beside(attempt)
    if (beside === undefined) return refuse('BAD_REQUEST', 'It is not running.')
    const { entry, ...rest } = beside
    return { ok: true, value: sessionBeside({ argv: [...entry, ...argv], signal, ...rest }) }
  }

  news(signal: AbortSignal): AsyncIterable<'instances'> {
    return newsIn(this.#deps.folder, AbortSignal.any([signal, this.#closed.signal]))
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#turn
  }

  /** What a program next to an attempt gets; undefined: the attempt does not run. */
  #beside(
    attempt: string,
  ): (Pick<Beside, 'env' | 'cwd' | 'group'> & { readonly entry: readonly string[] }) | undefined {
    const identity = readIdentity(this.#folders.read(attempt, 'started') ?? '')
    const env = identity === undefined ? undefined : environmentOf(identity.pid)
    if (this.#look(attempt)?.state !== 'up' || env === undefined) return undefined
    const cwd = this.#workOf(attempt)
    const group = this.#folders.read(attempt, 'cgroup')?.trim() || undefined
    return { env, cwd, group, entry: this.#storage.entry(attempt, cwd) }
  }

  #look(attempt: string): Run | undefined {
    const known = this.#ended.get(attempt)
    if (known !== undefined) return known
    const note = this.#notes.get(attempt) ?? this.#folders.note(attempt)
    if (note === undefined) return undefined
    this.#notes.set(attempt, note)
    let state = stateOf(this.#folders, attempt, this.#boot)
    if (state.state !== 'starting') this.#launcher.settle(attempt)
    else if (this.#launcher.claimLate(attempt)) {
      state = stateOf(this.#folders, attempt, this.#boot)
      this.#deps.log.warn('an attempt was recorded but never started: it counts as ended', { attempt })
    }
    if ('strays' in state) this.#rescue.rescue(attempt, state.strays)
    const run = this.#storage.seen(attempt, runOf(note, state))
    if (run.state === 'ended') {
      this.#ended.add(attempt, run)
      this.#storage.ended(attempt)
    }
    return run
  }

  /** For followers of its log: an attempt that cannot be read for a moment has not ended. */
  #hasEnded(attempt: string): boolean {
    try {
      return (this.#look(attempt)?.state ?? 'ended') === 'ended'
    } catch {
      return false
    }
  }

  #isUnreadable(attempt: string): boolean {
    try {
      return this.#folders.note(attempt) === undefined || this.#look(attempt) === undefined
    } catch (error) {
      return error instanceof Unreadable
    }
  }

  /** Nothing of it runs, so only its log is lost, and the list is complete again. */
  #setAside(attempt: string): void {
    this.#deps.log.warn('an unreadable attempt has ended and is set aside', { attempt })
    this.#folders.forget(attempt)
    this.#forget(attempt)
  }

  #forget(attempt: string): void {
    this.#notes.delete(attempt)
    this.#launcher.settle(attempt)
    this.#rescue.forget(attempt)
    this.#stopper.forget(attempt)
    this.#unread.delete(attempt)
  }

  #tellOnce(attempt: string, error: unknown): void {
    if (this.#unread.has(attempt)) return
    this.#unread.add(attempt)
    const why = error instanceof Error ? error.message : String(error)
    this.#deps.log.warn(`${why}; until then the list of this host is incomplete`, { attempt })
  }

  async #start(start: StartOrder, signal: AbortSignal): Promise<Answer<undefined>> {
    const { order, note, secrets, cards } = start
    const { attempt } = note.tag
    if (this.#launcher.isUnderWay(attempt)) return { ok: true, value: undefined }
    const plan = storagePlan(order, start.storageSecrets)
    if (typeof plan === 'string') return refuse('BAD_REQUEST', plan)
    const why = this.#folders.has(attempt, 'order') ? undefined : await this.#note(note, signal)
    if (why !== undefined) return why
    const taken = this.#folders.note(attempt)
    if (taken === undefined) return refuse('AMBIGUOUS', `The note of ${attempt} cannot be read.`)
    if (this.#folders.has(attempt, 'started')) return { ok: true, value: undefined }
    const env = environmentFor({ order, ports: taken.ports, secrets, cards })
    const before = this.#prepare(attempt, plan)
    if (before === undefined) return refuse('TRANSIENT', NO_ROOM)
    const argv = [...before, ...order.command, ...order.args]
    return this.#launcher.begin({ attempt, argv, env, secrets: new Set(secrets.keys()), cwd: this.#workOf(attempt) })
  }

  /** What to put before the program; undefined: it cannot be written down, and the attempt never starts. */
  #prepare(attempt: string, plan: StoragePlan | undefined): readonly string[] | undefined {
    try {
      return this.#storage.prepare(attempt, plan)
    } catch {
      this.#folders.never(attempt, NO_ROOM)
      return undefined
    }
  }

  /** Undefined: the note is written. */
  async #note(note: Note, signal: AbortSignal): Promise<Answer<undefined> | undefined> {
    const { attempt } = note.tag
    const ports = await assignPorts(note.ports, this.#settings.ports, this.#portsInUse(note))
    const { from, to } = this.#settings.ports
    if (ports === undefined) return refuse('QUOTA', `No port from ${from} to ${to} is free on this host.`)
    if (signal.aborted) return refuse('TRANSIENT', 'Given up before it was started.')
    try {
      this.#folders.claim(attempt, { ...note, ports })
      return undefined
    } catch (error) {
      this.#folders.drop(attempt)
      if (this.#folders.has(attempt, 'order')) throw error
      return refuse('TRANSIENT', `Its note could not be written, so nothing was started: ${String(error)}`)
    }
  }

  /** If the control plane dies in between, the next call of stop does this. */
  async #killLater(attempt: string): Promise<void> {
    await this.#deps.timers.sleep(GRACE_MS, this.#closed.signal)
    if (!this.#closed.signal.aborted && this.#folders.has(attempt, '')) this.#stopper.end(attempt, 'SIGKILL')
  }

  #workOf(attempt: string): string {
    return this.#settings.directory ?? this.#folders.pathOf(attempt, 'work')
  }

  /** Ports that are given out, whether or not a program listens there yet. */
  #portsInUse({ ports }: Note): ReadonlySet<number> {
    if (ports.length === 0) return new Set()
    const living = this.#folders.all().map((attempt) => this.#lookOrNothing(attempt))
    return new Set(
      living.flatMap((run) =>
        run === undefined || run.state === 'ended' ? [] : run.note.ports.map((port) => port.host ?? 0),
      ),
    )
  }

  /** A port of an unreadable attempt is found in use when it is tried. */
  #lookOrNothing(attempt: string): Run | undefined {
    try {
      return this.#look(attempt)
    } catch {
      return undefined
    }
  }
}

const LACKS = [
  'programs run as the user of berth and can read its files, tokens and vault key included',
  'CPU, memory and disk limits are not enforced',
  'images are not used',
  'log lines have no timestamps',
]
const NO_GROUPS =
  'berth cannot create control groups here: a process that leaves its session and clears its environment is not found when its workload is stopped'

const NO_ROOM = 'What its storage needs could not be written: the disk of this host is full, or read-only.'

const BATCH = 200
const EXEC_BYTES = 1024 * 1024
/** A shim needs some ten milliseconds to begin; nobody waits longer for one on a busy host. */
const STARTED_MS = 500

/** Logs of ended attempts take at most as much as this many full ones. */
const ENDED_LOGS = 64

/** Replaced in one step: a shell that reads it at this moment keeps the old one. */
function writeShim(folder: string): string {
  const path = join(folder, 'shim.sh')
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, SHIM, { mode: 0o600 })
  renameSync(draft, path)
  return path
}

function runOf(note: Note, state: ProcessState): Run {
  const addresses = note.ports.flatMap(({ name, host }) => (host === undefined ? [] : [[name, loopback(host)]]))
  return {
    note,
    state: state.state,
    exit: state.state === 'ended' ? state.exit : undefined,
    ports: state.state === 'up' ? Object.fromEntries(addresses) : {},
  }
}

/** Whether the shell will find it. */
function isProgram(name: string, path: string, directory: string | undefined): boolean {
  if (isAbsolute(name)) return isExecutable(name)
  if (name.includes('/')) return directory !== undefined && isExecutable(join(directory, name))
  return path.split(delimiter).some((folder) => isAbsolute(folder) && isExecutable(join(folder, name)))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
