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
