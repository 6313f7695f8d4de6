/** Processor time of this thread, in milliseconds: other tests may run beside it in the same process. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}
