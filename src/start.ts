import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Cli } from './cli/cli.ts'
import { run } from './cli/main.ts'
import { OFFER_SOURCES } from './importers/sources.ts'
import type { Files } from './ports/files.ts'
import { highsSolver } from './solver/highs.ts'

/** Standard input can be read once; whoever asks again gets the same. */
let stdin: Uint8Array | undefined

/** The composition root: the only file that opens doors to the world and knows every layer. */
const files: Files = {
  read(path) {
    try {
      if (path === '-') return (stdin ??= readFileSync(0))
      const bytes = readFileSync(path)
      return path.endsWith('.gz') ? unpacked(bytes) : bytes
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
    // Written beside and renamed, so that nobody ever sees half a file.
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

/** Few commands unpack anything, and every command is to start quickly: the means are fetched when they are needed. */
function unpacked(bytes: Uint8Array): Uint8Array {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  if (!isPacked) return bytes
  try {
    return process.getBuiltinModule('node:zlib').gunzipSync(bytes)
  } catch {
    // Damaged: whoever reads it will say that it is not what it should be, instead of that it is not there.
    return bytes
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Runs the command line of this process and sets its exit code. `root` is the folder Berth is installed in. */
export async function start(argv: readonly string[], root: string): Promise<void> {
  // The packing engine runs a third faster, and is compiled in half the time, when less is put into one function.
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=150')
  // A reader that has seen enough (head, less) closes the pipe; that is no error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.stderr.write(`berth: the answer could not be written (${error.code})\n`)
    process.exit(error.code === 'EPIPE' ? 0 : 3)
  })
  const { isTTY, columns } = process.stdout
  const cli: Omit<Cli, 'exit'> = {
    files,
    clock: { nowMs: () => Date.now(), tickMs: () => performance.now(), cpuMs },
    terminal: {
      out: (text) => process.stdout.write(text),
      err: (text) => process.stderr.write(text),
      columns: isTTY ? columns : undefined,
      color: isTTY && process.env['NO_COLOR'] === undefined && process.env['TERM'] !== 'dumb',
    },
    sources: OFFER_SOURCES,
    solver: () => highsSolver(root),
    examples: join(root, 'examples'),
  }
  process.exitCode = await run(argv, cli)
}
