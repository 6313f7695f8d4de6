import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { must } from '../../core/base/assert.ts'

/** A private PostgreSQL cluster for tests, in a temporary folder, reachable on loopback only. */
export interface Postgres {
  /** Address of its database; it accepts every user of this host. */
  readonly url: string
  /** kill -9: what was not flushed to disk is lost. */
  readonly kill: () => Promise<void>
  /** Starts it again in the same folder, on the same port. */
  readonly start: () => Promise<void>
  /** Stops it and deletes its folder. */
  readonly stop: () => Promise<void>
}

const NOBODY = 65_534

/** Folder of the server's programs; undefined: none is installed. In CI that is an error, because nothing may be skipped there. */
export function findPostgres(): string | undefined {
  const packaged = '/usr/lib/postgresql'
  const versions = existsSync(packaged) ? readdirSync(packaged).toSorted((one, two) => Number(two) - Number(one)) : []
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(packaged, version, 'bin')),
  ]
  const found = folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))))
  if (found === undefined && process.env['CI'] === 'true') {
    throw new Error('PostgreSQL is not installed (initdb and postgres in PATH or /usr/lib/postgresql/*/bin)')
  }
  return found
}

/** Creates a cluster and starts it. Durable as in real life: fsync stays on. */
export async function startPostgres(): Promise<Postgres> {
  const programs = must(findPostgres(), 'tests that need PostgreSQL are skipped where it is not installed')
  const folder = mkdtempSync(join(tmpdir(), 'berth-postgres-'))
  const data = join(folder, 'data')
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const port = await freePort()
  const command = (name: string, argv: readonly string[]): readonly [string, readonly string[]] =>
    asUnprivileged(join(programs, name), argv)
  const settings = ['-U', 'berth', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
  const [initdb, setUp] = command('initdb', ['-D', data, ...settings])
  execFileSync(initdb, [...setUp], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })

  let server: ChildProcess | undefined
  const start = async (): Promise<void> => {
    const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'max_connections=50']
    const [program, argv] = command('postgres', ['-D', data, ...settings.flatMap((setting) => ['-c', setting])])
    server = await startServer(program, argv, folder)
  }
  const end = async (signal: 'SIGKILL' | 'SIGINT'): Promise<void> => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signal)
    await ended
  }
  const leaveNothing = (): void => {
    server?.kill('SIGQUIT')
    // It keeps writing for a moment, and there is no process left to wait for.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', leaveNothing)
  await start()
  return {
    url: `postgres://berth@127.0.0.1:${port}/postgres`,
    kill: () => end('SIGKILL'),
    start,
    stop: async () => {
      process.off('exit', leaveNothing)
      await end('SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The server refuses to run as root. It ends with the process that started it, however that process ends. */
function asUnprivileged(program: string, argv: readonly string[]): readonly [string, readonly string[]] {
  if (userInfo().uid !== 0) return [program, argv]
  const drop = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--pdeathsig=SIGQUIT']
  return ['setpriv', [...drop, program, ...argv]]
}

/**
 * Resolves when the server accepts connections. After a kill -9 its children need a moment to notice, and
 * until then a new server does not start: the start is tried again a few times.
 */
async function startServer(program: string, argv: readonly string[], folder: string): Promise<ChildProcess> {
  let said = ''
  for (let attempt = 0; attempt < 50; attempt++) {
    const server = spawn(program, [...argv], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    const lines = createInterface({ input: server.stderr })
    for await (const line of lines) {
      said += `${line}\n`
      if (!line.includes('ready to accept connections')) continue
      // The rest of the output is not read, and a full pipe would block the server.
      server.stderr.resume()
      return server
    }
    if (!/pre-existing shared memory|lock file .* already exists|is in use/i.test(said)) break
    said = ''
  }
  throw new Error(`PostgreSQL did not start:\n${said}`)
}

async function freePort(): Promise<number> {
  const probe = createServer()
  probe.listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('a listening socket has a port')
  return address.port
}
