import { spawn } from 'node:child_process'

/** A program that was run to its end. */
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
  /** More output than this ends the program; what came until then is kept. */
  readonly bytesMax?: number
}

const BYTES_MAX = 64 * 1024 * 1024

/** Runs a program with arguments as they are; no shell. Undefined: there is no such program. Rejects when aborted. */
export function runProgram(argv: readonly string[], running: Running): Promise<Ran | undefined> {
  const { signal, env, cwd, bytesMax = BYTES_MAX } = running
  const [program = '', ...args] = argv
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted(program))
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(env !== undefined && { env }),
      ...(cwd !== undefined && { cwd }),
    })
    const out = collect(child.stdout, bytesMax, () => child.kill('SIGKILL'))
    const err = collect(child.stderr, bytesMax, () => child.kill('SIGKILL'))
    const giveUp = (): void => {
      child.kill('SIGKILL')
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

function aborted(program: string): Error {
  return new Error(`${program} was given up: nobody waits for it any more`)
}
