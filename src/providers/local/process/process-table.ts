import { readdirSync, readFileSync } from 'node:fs'
import { absentOr, Unreadable } from '../unreadable.ts'

/** A process, distinct from every other that ever had its number. */
export interface Identity {
  readonly pid: number
  /** Ticks since the host started, as the kernel counts them. */
  readonly startTime: string
  readonly boot: string
}

export function readIdentity(text: string): Identity | undefined {
  const match = /^(\d+) (\d+) ([0-9a-f-]+)\n$/.exec(text)
  const [, pid = '', startTime = '', boot = ''] = match ?? []
  return match === null ? undefined : { pid: Number(pid), startTime, boot }
}

/** Identifies the current boot of the host. */
export function currentBoot(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
}

/** How long this host has run: independent of its wall clock and of restarts of Berth. */
export function hostMs(): number {
  return Math.floor(Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * 1000)
}

/** Whether it runs. A zombie does not. */
export function isAlive({ pid, startTime, boot }: Identity, bootNow: string): boolean {
  if (boot !== bootNow) return false
  const stat = statOf(pid)
  if (stat === undefined && isHidden(pid)) throw new Unreadable(`process ${pid} runs, but this host hides it`)
  return stat !== undefined && stat.startTime === startTime && stat.state !== 'Z' && stat.state !== 'X'
}

/** Whether /proc shows a user only its own processes. */
function isHidden(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Signals its whole group. The leader is checked right before: while it lives, no other process has its number. False: it no
 * longer exists.
 */
export function signalGroup(identity: Identity, signal: NodeJS.Signals, bootNow: string): boolean {
  if (!isAlive(identity, bootNow)) return false
  return signalOne(-identity.pid, signal)
}

/** Processes with this variable in their environment, in any session or group. */
export function processesWith(variable: string): readonly number[] {
  const sought = Buffer.from(`\0${variable}\0`)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      const environ = environOf(pid)
      if (environ === undefined) return false
      return Buffer.concat([NUL, environ, NUL]).includes(sought) && statOf(pid)?.state !== 'Z'
    })
}

const NUL = Buffer.from('\0')

/** False: it is gone. */
export function signalOne(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

/** The environment it was started with; undefined: it is gone, or may not be read by us. */
export function environmentOf(pid: number): Readonly<Record<string, string>> | undefined {
  const environ = environOf(pid)
  if (environ === undefined || environ.length === 0) return undefined
  const entries = environ.toString('utf8').split('\0').filter(Boolean)
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf('=')
      return [entry.slice(0, at), entry.slice(at + 1)]
    }),
  )
}

function statOf(pid: number): { readonly state: string; readonly startTime: string } | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`)?.toString('latin1')
  if (stat === undefined) return undefined
  // The name of a program may contain spaces and brackets: the fields come after the last bracket.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { state: fields[0] ?? '', startTime: fields[19] ?? '' }
}

/** Undefined: it is gone. Throws if it exists but cannot be read, because it may well run. */
function readOrNothing(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    return absentOr(path, error)
  }
}

/** Processes of other users, and those that are just ending, are not ours. */
function environOf(pid: number): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/environ`)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    return code === 'EACCES' || code === 'EPERM' ? undefined : absentOr(`/proc/${pid}/environ`, error)
  }
}
