import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { UserError } from '../core/base/problem.ts'

// A process that holds a store. Tests start it with `startHolder` and kill it; this file is also the program that it runs.

/** A process with a store open. Each line that it prints is `open`, a key whose commit was answered, or `refused: …`. */
export interface Holder {
  readonly child: ChildProcess
  readonly nextLine: () => Promise<string>
  /** kill -9. Returns the output that was not read yet. */
  readonly kill: () => Promise<readonly string[]>
}

/** Starts a process that opens a SQLite file, or a PostgreSQL database by its address, and writes until it is killed. */
export function startHolder(where: string): Holder {
  const child = spawn(process.execPath, ['--no-warnings', fileURLToPath(import.meta.url), where], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next()
    return done === true ? 'ended' : String(value)
  }
  const kill = async (): Promise<readonly string[]> => {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    const rest: string[] = []
    for (let line = await nextLine(); line !== 'ended'; line = await nextLine()) rest.push(line)
    await ended
    return rest
  }
  return { child, nextLine, kill }
}

async function hold(where: string): Promise<void> {
  const store = where.startsWith('postgres:')
    ? await (await import('./postgres/postgres.ts')).openPostgresStore(where)
    : await (await import('./sqlite/sqlite.ts')).openSqliteStore(where, { nowMs: Date.now })
  process.stdout.write('open\n')
  const writer = async (name: number): Promise<void> => {
    for (let count = 0; count < 100_000; count++) {
      const key = `${name}/${count}`
      await store.commit({ writes: [{ kind: 'setting', key, version: 0, body: { value: 'x'.repeat(200) } }] })
      process.stdout.write(`${key}\n`)
    }
  }
  await Promise.all([1, 2, 3, 4].map(writer))
}

const [, script, where] = process.argv
if (script === fileURLToPath(import.meta.url) && where !== undefined) {
  try {
    await hold(where)
  } catch (error) {
    process.stdout.write(`refused: ${error instanceof UserError ? JSON.stringify(error.problems) : String(error)}\n`)
  }
}
