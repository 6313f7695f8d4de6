import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

/** Where what the system tells about processes lies. */
const PROC = '/proc'

/**
 * The name of this process in the lease: which run of which machine, which process there, and something that nobody else
 * has. A process that is started on the same machine later can tell by it whether this one has died.
 */
export function holderOf(id: string, proc = PROC): string {
  return [placeOf(proc), process.pid, stateOf(process.pid, proc)?.started ?? UNKNOWN, id].join(':')
}

/** How this system tells of processes. */
export interface Seeing {
  readonly proc?: string
  /** Throws with `ESRCH` where there is no such process. */
  readonly signal?: (pid: number) => void
}

/**
 * Whether a process that led is surely dead: it ran here, on this run of the machine, and the system says that there is no
 * such process, or that the number is another one's by now. Not being allowed or able to look proves nothing.
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

/** One run of one machine, as seen by those who share its process numbers: a container is a place of its own. */
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
  /** When it was started, in the machine's own count. */
  readonly started: string
  /** It has ended, and the one who started it has not asked how. */
  readonly isEnded: boolean
}

/** Undefined: nothing can be seen of it, which says neither that it is there nor that it is not. */
function stateOf(pid: number, proc: string): Process | undefined {
  try {
    const text = readFileSync(`${proc}/${pid}/stat`, 'utf8')
    // The name of the program stands in brackets, and may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [state, started] = [fields[0], fields[19]]
    return started === undefined || !/^\d+$/.test(started)
      ? undefined
      : { started, isEnded: state === 'Z' || state === 'X' }
  } catch {
    return undefined
  }
}
