import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ProgramSession } from '../../../ports/provider.ts'
import { runProgram, type Ran } from '../command.ts'
import { startSession } from '../session.ts'
import { killGroup, removeGroup } from './control-group.ts'

export interface Beside {
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly bytesMax: number
  readonly signal: AbortSignal
  /** Control group of the attempt; undefined: it has none. */
  readonly group: string | undefined
}

/** Enters the control group before it becomes the program, so that everything the program starts is in it, too. */
const ENTER = 'if [ -n "$0" ]; then echo $$ > "$0/cgroup.procs" || exit 126; fi; exec "$@"'

let serial = 0

/**
 * Runs a program as part of an attempt: in a control group inside the attempt's own, and in a process group. What it leaves
 * behind ends with the attempt; a program that is given up ends at once, with everything that it started.
 */
export async function runBeside({ argv, group, ...running }: Beside): Promise<Ran | undefined> {
  const inner = group === undefined ? undefined : innerGroup(group)
  const onKill = (): void => {
    if (inner !== undefined) killGroup(inner)
  }
  try {
    return await runProgram(['/bin/sh', '-c', ENTER, inner ?? '', ...argv], { ...running, isGroup: true, onKill })
  } finally {
    if (inner !== undefined) removeGroup(inner)
  }
}

/** Starts a program as part of an attempt that is written to while it runs. */
export function sessionBeside({ argv, group, ...running }: Omit<Beside, 'bytesMax'>): ProgramSession {
  const inner = group === undefined ? undefined : innerGroup(group)
  const onKill = (): void => {
    if (inner !== undefined) killGroup(inner)
  }
  const session = startSession(['/bin/sh', '-c', ENTER, inner ?? '', ...argv], { ...running, onKill })
  void session.ended.then(() => inner !== undefined && removeGroup(inner))
  return session
}

/** Throws if the group is gone: then the attempt has ended, and nothing may start next to it. */
function innerGroup(group: string): string {
  const inner = join(group, `exec-${process.pid}-${serial++}`)
  mkdirSync(inner)
  return inner
}
