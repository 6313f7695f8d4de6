import { readdirSync, readFileSync } from 'node:fs'

/** The processes of these attempts, found by the variable that Berth gives to each of them. */
export function processesOf(attempts: ReadonlySet<string>): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    const attempt = /^\d+$/.test(name) ? attemptOf(name) : undefined
    return attempt !== undefined && attempts.has(attempt) ? [Number(name)] : []
  })
}

function attemptOf(pid: string): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
    return variables.find((each) => each.startsWith('BERTH_ATTEMPT='))?.slice('BERTH_ATTEMPT='.length)
  } catch {
    // It has ended meanwhile, or is somebody else's.
    return undefined
  }
}

/** Sends a signal to each that is still there. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended meanwhile.
    }
  }
}
