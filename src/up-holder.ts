import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'

/** Where what the system tells about processes lies. */
const PROC = '/proc'

/**
 * The name of this process in the lease: which run of which machine, which process there, and something that nobody else
 * has. A process that is started on the same machine later can tell by it whether this one has died.
 */
export function holderOf(id: string, proc = PROC): string {
  return [placeOf(proc), process.pid, startedAt(process.pid, proc) ?? 'unknown', id].join(':')
}

/** Whether a process that led is surely dead: it ran here, on this run of the machine, and does so no more. */
export function isDeadHere(holder: string, proc = PROC): boolean {
  const [place, pid, started] = holder.split(':')
  const here = placeOf(proc)
  if (place !== here || here === UNKNOWN || started === undefined || started === UNKNOWN) return false
  return startedAt(Number(pid), proc) !== started
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

/** When a process was started, in the machine's own count; undefined: there is none, or it has ended and nobody asked how. */
function startedAt(pid: number, proc: string): string | undefined {
  try {
    const text = readFileSync(`${proc}/${pid}/stat`, 'utf8')
    // The name of the program stands in brackets, and may contain anything.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch {
    return undefined
  }
}
