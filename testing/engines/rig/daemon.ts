import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How a program is started, and started again after it was killed. */
export interface DaemonPlan {
  readonly name: string
  readonly program: string
  readonly argv: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** A program that outlives the process that starts it. */
export interface Daemon {
  readonly plan: DaemonPlan
  readonly pid: number
  /** When it began, in ticks since the machine started: the same number never means another process. */
  readonly began: string
}

/** Starts it in this network namespace; what it says is added to `NAME.log` in the folder. */
export function startDaemon(plan: DaemonPlan, folder: string): Daemon {
  const log = openSync(join(folder, `${plan.name}.log`), 'a')
  const env = { ...process.env, ...plan.env }
  const child = spawn(plan.program, [...plan.argv], { cwd: folder, env, detached: true, stdio: ['ignore', log, log] })
  closeSync(log)
  child.on('error', () => undefined)
  child.unref()
  const { pid } = child
  const stat = pid === undefined ? undefined : statOf(pid)
  if (pid === undefined || stat === undefined) throw new Error(`${plan.program} cannot be started`)
  return { plan, pid, began: stat.began }
}

export function isAlive({ pid, began }: Pick<Daemon, 'pid' | 'began'>): boolean {
  const stat = statOf(pid)
  return stat !== undefined && stat.began === began && stat.state !== 'Z'
}

/** A signal to it and to nothing else; false: it is gone. */
export function signal(daemon: Pick<Daemon, 'pid' | 'began'>, name: NodeJS.Signals): boolean {
  if (!isAlive(daemon)) return false
  process.kill(daemon.pid, name)
  return true
}

const PATIENCE_MS = 10_000

/** Asks it to end, makes it end if it takes too long, and returns when it is gone. */
export async function endDaemon(daemon: Daemon): Promise<void> {
  signal(daemon, 'SIGCONT')
  signal(daemon, 'SIGTERM')
  if (await isGone(daemon)) return
  signal(daemon, 'SIGKILL')
  if (!(await isGone(daemon))) throw new Error(`${daemon.plan.name} (process ${daemon.pid}) does not end`)
}

/** kill -9, and returns when it is gone. */
export async function killDaemon(daemon: Daemon): Promise<void> {
  signal(daemon, 'SIGKILL')
  if (!(await isGone(daemon))) throw new Error(`${daemon.plan.name} (process ${daemon.pid}) does not end`)
}

async function isGone(daemon: Daemon): Promise<boolean> {
  const endMs = performance.now() + PATIENCE_MS
  while (isAlive(daemon)) {
    if (performance.now() > endMs) return false
    await sleep(20)
  }
  return true
}

/** The last lines that it said. */
export function lastWords({ plan }: Pick<Daemon, 'plan'>, folder: string): string {
  const lines = readFileSync(join(folder, `${plan.name}.log`), 'utf8')
    .trimEnd()
    .split('\n')
  return lines
    .slice(-12)
    .map((line) => line.slice(0, 400))
    .join('\n')
}

interface Stat {
  readonly state: string
  readonly began: string
}

/** What the kernel says of a process; undefined: there is none. The name in brackets may hold anything. */
export function statOf(pid: number): Stat | undefined {
  try {
    const [state = '', ...rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return { state, began: rest[18] ?? '' }
  } catch {
    return undefined
  }
}
