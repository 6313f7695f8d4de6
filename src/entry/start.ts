import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { GatewayAsk, Typed, UpFlags } from '../cli/cli.ts'
import { isColorWanted } from '../cli/terminal/color.ts'
import { run, type Deps } from '../cli/main.ts'
import { httpBerth } from '../client/client.ts'
import { fetchFrom, trustOf } from '../client/trusting.ts'
import { upgradeFrom } from '../client/upgrade.ts'
import { OFFER_SOURCES } from '../catalogues/sources.ts'
import type { Files } from '../ports/files.ts'
import { highsSolver } from '../solver/highs.ts'
import { hereOf } from './here.ts'
import { RANDOM, TIMERS } from './outside.ts'
import type { Installed } from './installed.ts'
import type { GatewayDeps } from '../gateway/deps.ts'
import type { UpDeps } from '../up/up.ts'

/** Standard input can be read only once, so the bytes are kept for further reads. */
let stdin: Uint8Array | undefined

/** Above every limit of what is read from standard input; the parsers then report that it is too large. */
const INPUT_MAX = 64 * 1024 * 1024

/** A slow pipe reports EAGAIN when it has nothing yet, which is not the end of the input. */
function readInput(): Uint8Array {
  const chunks: Uint8Array[] = []
  const chunk = new Uint8Array(65_536)
  const pause = new Int32Array(new SharedArrayBuffer(4))
  for (let total = 0; ;) {
    try {
      const count = readSync(0, chunk)
      total += count
      if (count === 0 || total > INPUT_MAX) return Buffer.concat(chunks)
      chunks.push(chunk.slice(0, count))
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      if (code === 'EOF') return Buffer.concat(chunks)
      if (code !== 'EAGAIN') throw error
      Atomics.wait(pause, 0, 0, 5)
    }
  }
}

/** This file is the composition root: the only one that reaches the operating system and knows every room. */
const files: Files = {
  read(path) {
    try {
      if (path === '-') return (stdin ??= readInput())
      const bytes = readFileSync(path)
      return path.endsWith('.gz') ? unpacked(bytes) : bytes
    } catch {
      return undefined
    }
  },
  changedMs(path) {
    try {
      const found = statSync(path)
      if (!found.isDirectory()) return found.mtimeMs
      const inside = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      const times = inside.map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs)
      return times.length === 0 ? undefined : times.reduce((one, two) => Math.max(one, two))
    } catch {
      return undefined
    }
  },
  list(path) {
    try {
      return statSync(path).isDirectory() ? readdirSync(path).sort() : undefined
    } catch {
      return undefined
    }
  },
  write(path, bytes) {
    // Written to a temporary file and renamed, so that no reader ever sees half a file.
    try {
      const folder = mkdtempSync(join(dirname(path), '.berth-'))
      const part = join(folder, 'part')
      try {
        writeFileSync(part, bytes)
        renameSync(part, path)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
      return true
    } catch {
      return false
    }
  },
}

/** Loads zlib only when needed: few commands unpack anything, and every command must start quickly. */
function unpacked(bytes: Uint8Array): Uint8Array {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!isPacked) return bytes
  try {
    return process.getBuiltinModule('node:zlib').gunzipSync(bytes)
  } catch {
    // Damaged. The parser reports that, instead of the file counting as missing.
    return bytes
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** What only some entry points load: the control plane, the gateway. */
interface Programs {
  readonly up?: (flags: UpFlags, deps: UpDeps) => Promise<number>
  readonly gateway?: (asked: GatewayAsk, deps: GatewayDeps) => Promise<number>
}

/** Runs the command line of this process and sets its exit code. */
export async function start(
  argv: readonly string[],
  installed: Installed,
  { up, gateway }: Programs = {},
): Promise<void> {
  // With less inlining the packing engine runs a third faster and compiles in half the time.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=150')
  // A reader that has seen enough (head, less) closes the pipe, which is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.stderr.write(`berth: the output could not be written (${error.code})\n`)
    process.exit(error.code === 'EPIPE' ? 0 : 3)
  })
  // A log that cannot be written, on a full disk for example, must not end the process.
  process.stderr.on('error', () => undefined)
  const { isTTY, columns } = process.stdout
  const env = (name: string): string | undefined => process.env[name] || undefined
  const clock = { nowMs: () => Date.now(), tickMs: () => performance.now(), cpuMs }
  const terminal = {
    out: (text: string) => process.stdout.write(text),
    err: (text: string) => process.stderr.write(text),
    columns: isTTY ? columns : undefined,
    color: isColorWanted(env, isTTY),
    errColumns: process.stderr.isTTY ? process.stderr.columns : undefined,
    errColor: isColorWanted(env, process.stderr.isTTY),
  }
  const outside = {
    clock,
    terminal,
    timers: TIMERS,
    random: RANDOM,
    env,
  }
  const cli: Deps = {
    ...outside,
    files,
    berth: (target) =>
      httpBerth({ ...target, ...outside, fetch: fetchFrom(target), upgrade: upgradeFrom(trustOf(target)) }),
    here: hereOf({ isTerminal: process.stdin.isTTY && isTTY }),
    saveSecret,
    prompt: process.stdin.isTTY && isTTY ? ask : undefined,
    interrupt: onInterrupt,
    every: (ms, act) => {
      const timer = setInterval(act, ms).unref()
      return () => clearInterval(timer)
    },
    ...(up && { up: (flags) => up(flags, { ...outside, files, gatewayProgram: installed.gateway }) }),
    ...(gateway && { gateway: (asked) => gateway(asked, outside) }),
    sources: OFFER_SOURCES,
    solver: () => highsSolver(installed.solver),
    examples: installed.examples,
  }
  process.exitCode = await run(argv, cli)
}

function saveSecret(path: string, bytes: Uint8Array): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const part = `${path}.part`
    rmSync(part, { force: true })
    writeFileSync(part, bytes, { mode: 0o600, flag: 'wx' })
    renameSync(part, path)
    return true
  } catch {
    return false
  }
}

/** Asks a question and reads one line from the terminal. */
function ask(question: string): Promise<Typed> {
  const { createInterface } = process.getBuiltinModule('node:readline')
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  return new Promise((resolve) => {
    reader.question(question, (answer) => {
      resolve({ kind: 'line', text: answer })
      reader.close()
    })
    reader.on('SIGINT', () => {
      process.stdout.write('\n')
      resolve({ kind: 'interrupted' })
      reader.close()
    })
    reader.on('close', () => resolve({ kind: 'ended' }))
  })
}

let interrupted: AbortController | undefined

function onInterrupt(): AbortSignal {
  if (interrupted === undefined) {
    const stop = new AbortController()
    interrupted = stop
    process.on('SIGINT', () => (stop.signal.aborted ? process.exit(130) : stop.abort()))
  }
  return interrupted.signal
}
