import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

/** Processor time of this thread, in milliseconds: other tests may run beside it in the same process. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

/** Processor time of the costliest turn of this thread while something went on: time on the wall says little on a busy machine. */
export async function costliestTurnMs(work: Promise<unknown>): Promise<number> {
  const seen = { isDone: false, mostMs: 0 }
  const done = work.finally(() => (seen.isDone = true))
  while (!seen.isDone) {
    const before = cpuMs()
    await new Promise((resolve) => setImmediate(resolve))
    seen.mostMs = Math.max(seen.mostMs, cpuMs() - before)
  }
  await done
  return seen.mostMs
}

/**
 * How many times as long as on an idle machine something may take now: so many programs want each processor. Where time on the
 * wall is a promise, it is one for a machine that has time.
 */
export function patience(file = '/proc/loadavg'): number {
  const [lately = 0, , , runnable = 0] = loadIn(file).split(/[ /]/).map(Number)
  return Math.max(1, Math.max(lately, runnable) / availableParallelism())
}

function loadIn(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '0 0 0 0/0'
  }
}
