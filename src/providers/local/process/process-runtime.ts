import { spawn } from 'node:child_process'
import { accessSync, constants, statSync, writeFileSync, renameSync, mkdirSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Order } from '../../../core/keep/order.ts'
import type { Answer, Executed, LogLine, LogWant, ProviderDoors } from '../../../ports/provider.ts'
import { runProgram } from '../command.ts'
import type { Note } from '../note.ts'
import {
  GRACE_MS,
  KEPT_ENDED_MS,
  KEPT_NAME_MS,
  KEPT_STOPPED_MS,
  refuse,
  type Run,
  type Runtime,
  type Start,
} from '../runtime.ts'
import { AttemptFolders } from './attempt-folder.ts'
import { baseEnvironment, environmentFor } from './environment.ts'
import { assignPorts, type PortRange } from './free-port.ts'
import { readLog } from './log-file.ts'
import { NEVER, stateOf, straysOf, type ProcessState } from './process-state.ts'
import { currentBoot, environmentOf, readIdentity, signalGroup, signalOne } from './process-table.ts'
import { SHIM } from './shim.ts'

export interface ProcessSettings {
  readonly ports: PortRange
  readonly logMib: number
  /** Where workloads start; undefined: each in an empty folder of its own. */
  readonly directory: string | undefined
}

/** Work as plain processes of this host. They are told apart by folders, and outlive Berth. */
export class ProcessRuntime implements Runtime {
  readonly name = 'process'
  readonly lacks = [
    'programs run as the user of berth and can read its files, tokens and vault key included',
    'limits of processors, memory and disk are not enforced',
    'images are not used',
    'no volumes',
  ]
  readonly can = { images: false, volumes: false, rendezvous: { kind: 'host' } } as const
  readonly deadlineMs = 30_000
  readonly #doors: ProviderDoors
  readonly #settings: ProcessSettings
  readonly #folders: AttemptFolders
  readonly #shim: string
  readonly #boot = currentBoot()
  readonly #closed = new AbortController()
  /** Notes never change, and what has ended stays so: neither is read twice. */
  readonly #notes = new Map<string, Note>()
  readonly #ended = new Map<string, Run>()
  #turn: Promise<unknown> = Promise.resolve()
  #tidiedMs = 0

  constructor(settings: ProcessSettings, doors: ProviderDoors) {
    this.#settings = settings
    this.#doors = doors
    mkdirSync(doors.folder, { recursive: true, mode: 0o700 })
    this.#folders = new AttemptFolders(doors.folder)
    this.#shim = join(doors.folder, 'shim.sh')
    // Replaced in one step: a shell that reads it at this moment keeps the one it has.
    const draft = `${this.#shim}.${process.pid}`
    writeFileSync(draft, SHIM, { mode: 0o600 })
    renameSync(draft, this.#shim)
  }

  refuse({ command, args, env, storage }: Order): string | undefined {
    const [program] = [...command, ...args]
    if (command.length === 0 || program === undefined)
      return 'This host runs processes, not images: write the program in `command`, or set `runtime: podman`.'
    if (storage.length > 0)
      return 'This host runs processes, which have no volumes: remove `storage`, or set `runtime: podman`.'
    const path = env['PATH'] ?? baseEnvironment()['PATH'] ?? ''
    return isProgram(program, path, this.#settings.directory)
      ? undefined
      : `There is no program ${program} on this host.`
  }

  async survey(signal: AbortSignal): Promise<{ readonly runs: readonly Run[]; readonly complete: boolean }> {
    const runs: Run[] = []
    let complete = true
    for (const [index, attempt] of this.#folders.all().entries()) {
      // Others must have their turn between.
      if (index % BATCH === BATCH - 1) await new Promise(setImmediate)
      signal.throwIfAborted()
      const run = this.#look(attempt)
      if (run !== undefined) runs.push(run)
      // A folder without an order is one that is being made or taken away right now.
      else complete &&= !this.#folders.has(attempt, 'order')
    }
    try {
      this.#tidy()
    } catch (error) {
      // What cannot be removed is a nuisance, and no reason to know less of what runs.
      this.#doors.log.warn(`what has ended stays: ${String(error)}`)
    }
    return { runs, complete }
  }

  async find(attempt: string): Promise<Run | undefined> {
    return this.#look(attempt)
  }

  async knows(attempt: string): Promise<boolean> {
    return this.#folders.isPast(attempt) || this.#folders.has(attempt, 'order')
  }

  /** One at a time, so that no port is given out twice. */
  start(start: Start, signal: AbortSignal): Promise<Answer<undefined>> {
    const turn = this.#turn.then(() => this.#start(start, signal))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async stop(attempt: string): Promise<boolean> {
    if (!this.#folders.has(attempt, 'order')) return true
    const nowMs = this.#doors.clock.nowMs()
    const isFirst = this.#folders.writeOnce(attempt, 'stopping', `${nowMs}\n`)
    // A launch that is still on its way finds its place taken.
    if (!this.#folders.has(attempt, 'started')) this.#folders.writeOnce(attempt, 'started', NEVER)
    if (this.#end(attempt, isFirst ? 'SIGTERM' : undefined)) return true
    if (isFirst) void this.#killLater(attempt).catch(() => undefined)
    return false
  }

  logs(attempt: string, want: LogWant, signal: AbortSignal): AsyncIterable<LogLine> {
    const source = {
      old: this.#folders.pathOf(attempt, 'log.old'),
      current: this.#folders.pathOf(attempt, 'log'),
      hasEnded: () => !['up', 'starting'].includes(this.#look(attempt)?.state ?? 'ended'),
      timers: this.#doors.timers,
    }
    return readLog(source, want, signal)
  }

  async exec(attempt: string, argv: readonly string[], signal: AbortSignal): Promise<Answer<Executed>> {
    const identity = readIdentity(this.#folders.read(attempt, 'started') ?? '')
    const env = identity === undefined ? undefined : environmentOf(identity.pid)
    if (this.#look(attempt)?.state !== 'up' || env === undefined) return refuse('BAD_REQUEST', 'It does not run.')
    const ran = await runProgram(argv, { signal, env, cwd: this.#workOf(attempt), bytesMax: EXEC_BYTES })
    if (ran === undefined) return refuse('BAD_REQUEST', `There is no program ${argv[0] ?? ''} on this host.`)
    return { ok: true, value: { code: ran.code ?? 137, out: ran.out, err: ran.err } }
  }

  async close(): Promise<void> {
    this.#closed.abort()
    await this.#turn
  }

  #look(attempt: string): Run | undefined {
    const known = this.#ended.get(attempt)
    if (known !== undefined) return known
    const note = this.#notes.get(attempt) ?? this.#folders.note(attempt)
    if (note === undefined || note.tag.attempt !== attempt) return undefined
    this.#notes.set(attempt, note)
    const run = runOf(note, stateOf(this.#folders, attempt, this.#boot))
    if (run.state === 'ended') this.#ended.set(attempt, run)
    return run
  }

  async #start({ order, note, secrets, cards }: Start, signal: AbortSignal): Promise<Answer<undefined>> {
    const { attempt } = note.tag
    if (!this.#folders.has(attempt, 'order')) {
      const ports = await assignPorts(note.ports, this.#settings.ports, this.#portsInUse(note))
      const { from, to } = this.#settings.ports
      if (ports === undefined) return refuse('QUOTA', `No port from ${from} to ${to} is free on this host.`)
      if (signal.aborted) return refuse('TRANSIENT', 'Given up before it was begun.')
      this.#folders.claim(attempt, { ...note, ports })
    }
    const taken = this.#folders.note(attempt)
    if (taken === undefined) return refuse('AMBIGUOUS', `What is noted of ${attempt} cannot be read.`)
    if (this.#folders.has(attempt, 'started')) return { ok: true, value: undefined }
    const env = environmentFor({ order, ports: taken.ports, secrets, cards })
    return this.#spawn(attempt, [...order.command, ...order.args], env)
  }

  #spawn(attempt: string, argv: readonly string[], env: Readonly<Record<string, string>>): Promise<Answer<undefined>> {
    const bytes = Math.ceil((this.#settings.logMib * 1024 * 1024) / 2)
    return new Promise((resolve) => {
      const child = spawn('/bin/sh', [this.#shim, this.#folders.pathOf(attempt), String(bytes), ...argv], {
        detached: true,
        stdio: 'ignore',
        env,
        cwd: this.#workOf(attempt),
      })
      child.once('spawn', () => resolve({ ok: true, value: undefined }))
      child.once('error', (error) => {
        // Now it is certain that it will never run.
        this.#folders.writeOnce(attempt, 'started', NEVER)
        resolve(refuse('TRANSIENT', `It could not be started: ${error.message}`))
      })
      child.unref()
    })
  }

  /** True: nothing of it runs any more. */
  #end(attempt: string, signal: NodeJS.Signals | undefined): boolean {
    const state = stateOf(this.#folders, attempt, this.#boot)
    const begunMs = Number(this.#folders.read(attempt, 'stopping') ?? 0)
    const isOver = this.#doors.clock.nowMs() - begunMs >= GRACE_MS
    if (state.state === 'ended') {
      const strays = straysOf(attempt)
      for (const pid of strays) signalOne(pid, 'SIGKILL')
      return strays.length === 0
    }
    const how = isOver ? 'SIGKILL' : signal
    if (how === undefined || state.state === 'starting') return false
    if ('identity' in state) signalGroup(state.identity, how, this.#boot)
    else for (const pid of state.strays) signalOne(pid, how)
    return false
  }

  /** A control plane that dies in between leaves this to the next call of stop. */
  async #killLater(attempt: string): Promise<void> {
    await this.#doors.timers.sleep(GRACE_MS, this.#closed.signal)
    if (!this.#closed.signal.aborted && this.#folders.has(attempt, 'order')) this.#end(attempt, 'SIGKILL')
  }

  #workOf(attempt: string): string {
    return this.#settings.directory ?? this.#folders.pathOf(attempt, 'work')
  }

  /** Given out, whether anybody listens there yet or not. */
  #portsInUse({ ports }: Note): ReadonlySet<number> {
    if (ports.length === 0) return new Set()
    const living = this.#folders.all().map((attempt) => this.#look(attempt))
    return new Set(
      living.flatMap((run) =>
        run === undefined || run.state === 'ended' ? [] : run.note.ports.map((port) => port.host ?? 0),
      ),
    )
  }

  #tidy(): void {
    const nowMs = this.#doors.clock.nowMs()
    if (nowMs - this.#tidiedMs < TIDY_MS) return
    this.#tidiedMs = nowMs
    const dead = [...this.#ended.keys()].filter((attempt) => {
      const stoppedMs = this.#folders.changedMs(attempt, 'stopping') ?? Infinity
      const endedMs =
        this.#folders.changedMs(attempt, 'exit') ?? this.#folders.changedMs(attempt, 'started') ?? Infinity
      return nowMs - stoppedMs > KEPT_STOPPED_MS || nowMs - endedMs > KEPT_ENDED_MS
    })
    for (const attempt of dead.slice(0, BATCH)) {
      this.#folders.forget(attempt)
      this.#ended.delete(attempt)
      this.#notes.delete(attempt)
    }
    this.#folders.forgetNames(nowMs - KEPT_NAME_MS)
  }
}

const BATCH = 200
const TIDY_MS = 60_000
const EXEC_BYTES = 1024 * 1024

function runOf(note: Note, state: ProcessState): Run {
  const addresses = note.ports.map(({ name, host }) => [name, `127.0.0.1:${host}`])
  return {
    note,
    state: state.state,
    exit: state.state === 'ended' ? state.exit : undefined,
    ports: state.state === 'up' ? Object.fromEntries(addresses) : {},
  }
}

/** As the shell will look for it. */
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
