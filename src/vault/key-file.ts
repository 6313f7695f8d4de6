import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../core/base/problem.ts'

/** One key of the key file. */
export interface MasterKey {
  /** Stored with everything that the key encrypts. */
  readonly id: string
  readonly bytes: Buffer
}

const KEY_BYTES = 32
const ID_BYTES = 6
const FORM = /^berth-key-v1 ([0-9a-f]{12}) ([A-Za-z0-9_-]{43})$/
const KEYS_MAX = 1000

/** The keys of a file, the newest first. A missing file is created with one key, readable by its owner only. */
export function readKeyFile(path: string): readonly MasterKey[] {
  const mode = modeOf(path) ?? create(path)
  if ((mode & 0o077) !== 0) {
    const shown = (mode & 0o777).toString(8).padStart(3, '0')
    throw unfit(`Other users have access to the key file ${path} (mode ${shown}).`, `Run: chmod 600 ${path}`)
  }
  return parseKeys(path, contentOf(path))
}

/** The keys of a file that was read before. Undefined: it is gone or has become unfit. */
export function rereadKeyFile(path: string): readonly MasterKey[] | undefined {
  try {
    return modeOf(path) === undefined ? undefined : readKeyFile(path)
  } catch {
    return undefined
  }
}

/**
 * Replaces the keys of a file and returns the new ones. The file is replaced as a whole, so a crash leaves the old one or the
 * new one. A second process that changes it at the same time is refused: otherwise one could undo what the other did.
 */
export function changeKeyFile(
  path: string,
  change: (keys: readonly MasterKey[]) => readonly MasterKey[],
): readonly MasterKey[] {
  const lock = `${path}.lock`
  return throwUnfit(`The key file ${path} cannot be written.`, () => {
    lockOnce(path, lock)
    try {
      const old = modeOf(path) === undefined ? [] : readKeyFile(path)
      const keys = change(old)
      if (keys.length > KEYS_MAX)
        throw unfit(`The key file ${path} has ${KEYS_MAX} keys, and cannot hold more.`, TOO_MANY)
      const isSame = keys.length === old.length && keys.every(({ id }, index) => id === old[index]?.id)
      if (isSame) return keys
      renameSync(writePart(path, keys), path)
      flushFolder(path)
      return keys
    } finally {
      rmSync(lock, { force: true })
    }
  })
}

const TOO_MANY = 'Keep a copy of it, and delete the last lines, which are the oldest keys.'

function lockOnce(path: string, lock: string): void {
  try {
    closeSync(openSync(lock, 'wx', 0o600))
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
    throw unfit(
      `Another process is changing the key file ${path}.`,
      `Try again. If no other process changes it, delete ${lock} first.`,
    )
  }
}

/** A key that nothing has been encrypted with. */
export function newKey(id = randomBytes(ID_BYTES).toString('hex')): MasterKey {
  return { id, bytes: randomBytes(KEY_BYTES) }
}

/** Undefined: there is no such file. */
function modeOf(path: string): number | undefined {
  return throwUnfit(`The key file ${path} cannot be read.`, () => {
    const stat = statSync(path, { throwIfNoEntry: false })
    if (stat?.isFile() === false) throw unfit(`${path} is not a file.`, 'Name another key file.')
    return stat?.mode
  })
}

/** Two processes may start at once: the first one to link makes the key, and both read that key. */
function create(path: string): number {
  return throwUnfit(`The key file ${path} cannot be written.`, () => {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const part = writePart(path, [newKey()])
    try {
      linkSync(part, path)
      flushFolder(path)
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error
    } finally {
      rmSync(part, { force: true })
    }
    return statSync(path).mode
  })
}

function writePart(path: string, keys: readonly MasterKey[]): string {
  const part = join(dirname(path), `.berth-key-${randomBytes(ID_BYTES).toString('hex')}`)
  const file = openSync(part, 'wx', 0o600)
  try {
    writeSync(file, keys.map(({ id, bytes }) => `berth-key-v1 ${id} ${bytes.toString('base64url')}\n`).join(''))
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return part
}

/** A new file name is durable only after its folder is flushed. */
function flushFolder(path: string): void {
  const folder = openSync(dirname(path), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function contentOf(path: string): string {
  return throwUnfit(`The key file ${path} cannot be read.`, () => readFileSync(path, 'utf8'))
}

function parseKeys(path: string, content: string): readonly MasterKey[] {
  const lines = content.split('\n').filter((line) => line !== '')
  const keys = lines.slice(0, KEYS_MAX).flatMap((line) => {
    const [, id, text] = FORM.exec(line) ?? []
    return id === undefined || text === undefined ? [] : [{ id, bytes: Buffer.from(text, 'base64url') }]
  })
  const isWhole =
    keys.length > 0 && keys.length === lines.length && new Set(keys.map(({ id }) => id)).size === keys.length
  if (isWhole) return keys
  throw unfit(
    `The key file ${path} is damaged.`,
    'Restore it from its backup. Without its keys no secret can be decrypted.',
  )
}

function unfit(message: string, hint: string): UserError {
  return new UserError([{ code: 'VAULT_KEY_UNFIT', message, hint }])
}

/** The operator can fix what the system refuses, so such an error becomes a UserError. */
function throwUnfit<T>(message: string, doing: () => T): T {
  try {
    return doing()
  } catch (error) {
    if (error instanceof UserError) throw error
    const why = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw unfit(`${message.slice(0, -1)}${why}.`, 'Check the path, its folder and who may write there.')
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
