import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

/** Where the system describes processes. */
const PROC = '/proc'

/**
 * The name of this process as leader: the machine and its boot, the process, and a unique id. A process that starts later
 * on the same machine can tell from it whether this one has died.
 */
export function holderOf(id: string, proc = PROC): string {
  return [placeOf(proc), process.pid, stateOf(process.pid, proc)?.started ?? UNKNOWN, id].join(':')
}

/** How to look at processes; tests replace it. */
export interface Seeing {
  readonly proc?: string
  /** Throws `ESRCH` when there is no such process. */
  readonly signal?: (pid: number) => void
}

/**
 * Whether a former leader is certainly dead: it ran on this machine since its last boot, and the system says that there
 * is no such process, or that its number now belongs to another. Failing to look proves nothing.
 */
export function isDeadHere(holder: string, { proc = PROC, signal = exists }: Seeing = {}): boolean {
  const [place, pid, started] = holder.split(':')
  const here = placeOf(proc)
  if (place !== here || here === UNKNOWN || started === undefined || !/^\d+$/.test(started)) return false
  if (!/^[1-9]\d{0,9}$/.test(pid ?? '')) return false
  try {
    signal(Number(pid))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return true
  }
  const seen = stateOf(Number(pid), proc)
  return seen !== undefined && (seen.started !== started || seen.isEnded)
}

function exists(pid: number): void {
  process.kill(pid, 0)
}

const UNKNOWN = 'unknown'

/** Identifies one boot of one machine and one process namespace: a container is a place of its own. */
function placeOf(proc: string): string {
  try {
    const boot = readFileSync(`${proc}/sys/kernel/random/boot_id`, 'utf8')
    const numbers = readlinkSync(`${proc}/self/ns/pid`)
    return createHash('sha256').update(`${boot}${numbers}`).digest('hex').slice(0, 12)
  } catch {
    return UNKNOWN
  }
}

interface Process {
  /** When it was started, in the kernel's clock ticks. */
  readonly started: string
  /** It has ended, but its parent has not collected its exit status. */
  readonly isEnded: boolean
}

/** The state of a process; undefined: it cannot be seen, which proves neither that it exists nor that it does not. */
function stateOf(pid: number, proc: string): Process | undefined {
  try {
    const text = readFileSync(`${proc}/${pid}/stat`, 'utf8')
    // The program's name is in parentheses and may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, started] = [fields[0], fields[19]]
    return started === undefined || !/^\d+$/.test(started)
      ? undefined
      : { started, isEnded: state === 'Z' || state === 'X' }
  } catch {
    return undefined
  }
}
