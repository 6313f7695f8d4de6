import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import type { ProgramSession } from '../../ports/provider.ts'
import { written } from '../../ports/room.ts'
import type { Running } from './command.ts'

/** Starts a program that is written to while it runs. Its output and its errors come together. Aborting ends it. */
export function startSession(
  argv: readonly string[],
  { signal, env, cwd, onKill }: Pick<Running, 'signal' | 'env' | 'cwd' | 'onKill'>,
): ProgramSession {
  const [program = '', ...args] = argv
  const child = spawn(program, args, {
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
    ...(env !== undefined && { env }),
    ...(cwd !== undefined && { cwd }),
  })
  const output = new PassThrough()
  for (const stream of [child.stdout, child.stderr]) stream.pipe(output, { end: false })
  const { promise: ended, resolve } = Promise.withResolvers<number | undefined>()
  const kill = (): void => {
    if (child.exitCode !== null || child.signalCode !== null) return
    if (child.pid !== undefined) killGroup(child.pid)
    onKill?.()
  }
  if (signal.aborted) kill()
  signal.addEventListener('abort', kill, { once: true })
  // A program that has ended takes no more input; how it ended says what that means.
  child.stdin.on('error', () => undefined)
  child.once('error', () => {
    output.end()
    resolve(undefined)
  })
  child.once('close', (code) => {
    output.end()
    signal.removeEventListener('abort', kill)
    resolve(code ?? undefined)
  })
  return {
    output,
    write: (bytes) => written(child.stdin, bytes),
    end: () => void child.stdin.end(),
    resize: () => undefined,
    ended,
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL')
  } catch {
    // It has ended in the meantime.
  }
}
