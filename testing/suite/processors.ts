import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second in which Linux counts processor time for programs; the same everywhere. */
const TICKS = 100

/** Seconds that all processors of this machine were busy or taken away since it started; 0 where that is not told. */
export function busySeconds(proc = '/proc'): number {
  const [first = ''] = (read(`${proc}/stat`) ?? '').split('\n')
  const [, user = 0, nice = 0, system = 0, , , irq = 0, soft = 0, stolen = 0] = first.split(/\s+/).map(Number)
  return (user + nice + system + irq + soft + stolen) / TICKS
}

/** Processor seconds of a process, of those it has started and of those that they have, as far as any is known still. */
export function familySeconds(pid: number, proc = '/proc'): number {
  const names = existsSync(proc) ? readdirSync(proc) : []
  const all = names.flatMap((name) => (/^\d+$/.test(name) ? told(proc, name) : []))
  const childrenOf = Map.groupBy(all, ({ parent }) => parent)
  const sum = (one: Told): number =>
    one.seconds + (childrenOf.get(one.pid) ?? []).reduce((total, child) => total + sum(child), 0)
  const self = all.find((each) => each.pid === pid)
  return self === undefined ? 0 : sum(self)
}

interface Told {
  readonly pid: number
  readonly parent: number
  /** Its own, and those of its children that have ended. */
  readonly seconds: number
}

function told(proc: string, pid: string): readonly Told[] {
  const text = read(`${proc}/${pid}/stat`)
  if (text === undefined) return []
  // The name of the program may have blanks and brackets in it; what follows it has none.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent = 0] = fields
  const seconds = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) / TICKS
  return [{ pid: Number(pid), parent, seconds }]
}

/** Processes come and go while they are looked at. */
function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
