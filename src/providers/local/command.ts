import { spawn } from 'node:child_process'

/** A program that has run to its end. */
export interface Ran {
  /** Undefined: a signal ended it. */
  readonly code: number | undefined
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly signal: AbortSignal
  /** Undefined: our own. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  /** In its own process group: ending it early ends the whole group. */
  readonly isGroup?: boolean
  /** Called when it is ended early, after the signal. */
  readonly onKill?: () => void
  /** More output than this ends the program; earlier output is kept. */
  readonly bytesMax?: number
}

const BYTES_MAX = 64 * 1024 * 1024

/** Runs a program with its arguments unchanged; no shell. Undefined: there is no such program. Rejects when aborted. */
export function runProgram(argv: readonly string[], running: Running): Promise<Ran | undefined> {
  const { signal, env, cwd, bytesMax = BYTES_MAX, isGroup = false } = running
  const [program = '', ...args] = argv
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted(program))
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: isGroup,
      ...(env !== undefined && { env }),
      ...(cwd !== undefined && { cwd }),
    })
    const kill = (): void => {
      if (isGroup && child.pid !== undefined) killAll(child.pid, child.exitCode === null && child.signalCode === null)
      child.kill('SIGKILL')
      running.onKill?.()
    }
    const out = collect(child.stdout, bytesMax, kill)
    const err = collect(child.stderr, bytesMax, kill)
    const giveUp = (): void => {
      kill()
      child.stdout.destroy()
      child.stderr.destroy()
      reject(aborted(program))
    }
    signal.addEventListener('abort', giveUp, { once: true })
    child.once('error', (error: NodeJS.ErrnoException) => {
      signal.removeEventListener('abort', giveUp)
      if (error.code === 'ENOENT') resolve(undefined)
      else reject(error)
    })
    child.once('close', (code) => {
      signal.removeEventListener('abort', giveUp)
      resolve({ code: code ?? undefined, out: out(), err: err() })
    })
  })
}

function collect(stream: NodeJS.ReadableStream, bytesMax: number, tooMuch: () => void): () => string {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    if (bytes >= bytesMax) return
    chunks.push(chunk.subarray(0, bytesMax - bytes))
    bytes += chunk.length
    if (bytes >= bytesMax) tooMuch()
  })
  return () => Buffer.concat(chunks).toString('utf8')
}

/**
 * A leader that has ended may have left members behind. If its number is in use again, the group belongs to another process.
 */
function killAll(leader: number, isOurs: boolean): void {
  if (isOurs || !send(leader, 0)) send(-leader, 'SIGKILL')
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function aborted(program: string): Error {
  return new Error(`${program} was given up: its caller no longer waits`)
}
