import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { UpFlags } from '../cli/cli.ts'
import { UserError } from '../core/base/problem.ts'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import type { Store } from '../ports/store.ts'
import { ballasted, roomBeside, type Ballasted } from '../store/ballast.ts'
import { openPostgresStore } from '../store/postgres/postgres.ts'
import { openSqliteStore } from '../store/sqlite/sqlite.ts'
import { isFull } from '../store/store-problem.ts'

/** The folder of this control plane, there and writable. */
export function dataFolder({ data }: UpFlags, env: (name: string) => string | undefined): string {
  const home = env('HOME')
  const share = env('XDG_DATA_HOME') || (home === undefined ? undefined : `${home}/.local/share`)
  // What is started from here runs elsewhere, and has to find its files from there.
  const folder = resolve(data ?? (share === undefined ? '.berth' : `${share}/berth`))
  try {
    makeFolder(folder)
  } catch (error) {
    const message = `The data folder ${folder} cannot be created: ${error instanceof Error ? error.message : String(error)}`
    throw new UserError([
      { code: 'FILE_NOT_WRITTEN', message, found: folder, hint: 'Give another one with --data DIR.' },
    ])
  }
  return folder
}

/** One folder after the other: asked for all at once where none can be, the system's own call never comes back. */
function makeFolder(path: string): void {
  if (existsSync(path)) return void mkdirSync(path, { recursive: true })
  if (dirname(path) !== path) makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

interface Place {
  readonly flags: UpFlags
  readonly folder: string
}

/** Remembers whose folder it is: with another database in its place, what runs would be a stranger's. */
const OWNER_FILE = 'owner'

/** What a control plane leaves in its folder beside the database. */
const TRACES = ['vault.key', 'admin.token', 'providers', OWNER_FILE]

/** Opens the store, unless it is gone and the folder shows that there was one. */
export async function openStore({ flags, folder }: Place, clock: Clock): Promise<Store> {
  if (flags.database !== undefined) return openPostgresStore(flags.database)
  const file = join(folder, 'berth.db')
  const isNew = !existsSync(file) || (statSync(file).isFile() && statSync(file).size === 0)
  const traces = isNew && flags.newStore !== true ? TRACES.filter((name) => isTrace(join(folder, name))) : []
  if (traces.length > 0) {
    const what = existsSync(file) ? 'is empty' : 'is gone'
    throw missing(`${file} ${what}, but ${traces.join(', ')} lie beside it, so there was one before.`)
  }
  // What SQLite makes is everybody's to read, and its other files get the mode of this one.
  if (isNew) closeSync(openSync(file, 'a', 0o600))
  const open = (): Promise<Store> => openSqliteStore(file, { nowMs: clock.nowMs, logBytes: LOG_BYTES })
  try {
    return await open()
  } catch (error) {
    if (!isFull(error)) throw error
    // A disk that was full before the last end is full at the next start, and what is kept for that is kept for this, too.
    roomBeside(file).dropBallast()
    return open()
  }
}

/** Room that the log of SQLite has whatever happens on the disk. */
const LOG_BYTES = 8 * 1024 * 1024

/** A database on a server has its own disk, which is not ours to watch. */
export function withBallast(store: Store, { flags, folder }: Place, log: Log): Ballasted {
  if (flags.database !== undefined) return { store, look: () => undefined }
  return ballasted(store, roomBeside(join(folder, 'berth.db')), log)
}

function isTrace(path: string): boolean {
  if (!existsSync(path)) return false
  const found = statSync(path)
  return found.isDirectory() ? readdirSync(path).length > 0 : found.size > 0
}

/**
 * One uid for all control planes of one store, for ever: it is in the tag of everything that was ever started. The folder
 * remembers it, so that another store, or an emptied one, is not taken for the one it had.
 */
export async function ownerOf(store: Store, random: Random, { flags, folder }: Place): Promise<string> {
  const file = join(folder, OWNER_FILE)
  const before = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  const owner = (await store.get('setting', 'owner'))?.body.value
  const isOther = before !== '' && before !== owner
  if (isOther && flags.newStore !== true) {
    await store.close()
    const where = flags.database === undefined ? join(folder, 'berth.db') : 'The database'
    throw missing(
      owner === undefined
        ? `${where} is empty, and ${folder} was used with one that was not.`
        : `${where} is not the one that ${folder} was used with before.`,
    )
  }
  const uid = owner ?? (await newOwner(store, random))
  if (before !== uid) writeFileSync(file, `${uid}\n`, { mode: 0o600, flush: true })
  return uid
}

async function newOwner(store: Store, random: Random): Promise<string> {
  for (;;) {
    const row = await store.get('setting', 'owner')
    if (row !== undefined) return row.body.value
    await store.commit({ writes: [{ kind: 'setting', key: 'owner', version: 0, body: { value: random.id() } }] })
  }
}

function missing(message: string): UserError {
  const hint =
    'Put the database back (docs/guides/operate.md, Restore). To begin anew and leave what runs to itself: --new-store'
  return new UserError([{ code: 'STORE_MISSING', message, hint }])
}
