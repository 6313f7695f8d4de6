import { readdirSync, readFileSync } from 'node:fs'

/** The processes that have this in their environment, such as `BERTH_ATTEMPT=…`. */
export function processesWith(variables: ReadonlySet<string>): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    const isOne = /^\d+$/.test(name) && environmentOf(name).some((each) => variables.has(each))
    return isOne ? [Number(name)] : []
  })
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    // It has ended meanwhile, or is somebody else's.
    return []
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
