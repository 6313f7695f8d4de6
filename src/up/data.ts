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

/** The data folder of this control plane, created if necessary. */
export function dataFolder({ data }: UpFlags, env: (name: string) => string | undefined): string {
  const home = env('HOME')
  const share = env('XDG_DATA_HOME') || (home === undefined ? undefined : `${home}/.local/share`)
  // Absolute, because programs started from here run in other folders and must find their files.
  const folder = resolve(data ?? (share === undefined ? '.berth' : `${share}/berth`))
  try {
    makeFolder(folder)
  } catch (error) {
    const message = `The data folder ${folder} cannot be created: ${error instanceof Error ? error.message : String(error)}`
    throw new UserError([
      { code: 'FILE_NOT_WRITTEN', message, found: folder, hint: 'Choose another one with --data DIR.' },
    ])
  }
  return folder
}

/** Creates one folder at a time: a recursive call where no folder can be created never returns. */
function makeFolder(path: string): void {
  if (existsSync(path)) return void mkdirSync(path, { recursive: true })
  if (dirname(path) !== path) makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

interface Place {
  readonly flags: UpFlags
  readonly folder: string
}

/** Holds the uid of the folder's store, to notice another database, which would not know what runs. */
const OWNER_FILE = 'owner'

/** What a control plane leaves in its folder in addition to the database. */
const TRACES = ['vault.key', 'admin.token', 'providers', OWNER_FILE]

/** Opens the store. Refuses when the store is gone and the folder shows that there was one. */
export async function openStore({ flags, folder }: Place, clock: Clock): Promise<Store> {
  if (flags.database !== undefined) return openPostgresStore(flags.database)
  const file = join(folder, 'berth.db')
  const isNew = !existsSync(file) || (statSync(file).isFile() && statSync(file).size === 0)
  const traces = isNew && flags.newStore !== true ? TRACES.filter((name) => isTrace(join(folder, name))) : []
  if (traces.length > 0) {
    const what = existsSync(file) ? 'is empty' : 'is gone'
    throw missing(`${file} ${what}, but the folder has ${traces.join(', ')}, so there was a database before.`)
  }
  // SQLite would make the file readable for all users, and its other files get the mode of this one.
  if (isNew) closeSync(openSync(file, 'a', 0o600))
  const open = (): Promise<Store> => openSqliteStore(file, { nowMs: clock.nowMs, logBytes: LOG_BYTES })
  try {
    return await open()
  } catch (error) {
    if (!isFull(error)) throw error
    // A disk that was full at the last stop is still full now, and the reserve is for this case, too.
    roomBeside(file).dropBallast()
    return open()
  }
}

/** The disk space reserved for SQLite's log. */
const LOG_BYTES = 8 * 1024 * 1024

/** Adds a reserve against a full disk. A database on a server has its own disk, which Berth does not watch. */
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
 * The permanent uid of a store, shared by all its control planes: it is in the tag of everything they start. The folder
 * keeps it, so that another store, or an emptied one, is not mistaken for the one it had.
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
        ? `${where} is empty, but ${folder} was used with a database that was not.`
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
    'Put the database back (docs/guides/operate.md, Restore). To start over and abandon what runs: --new-store'
  return new UserError([{ code: 'STORE_MISSING', message, hint }])
}
