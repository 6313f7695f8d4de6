import { chmodSync, lstatSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../core/base/problem.ts'
import type { Log } from '../ports/log.ts'

/** May lie on another disk, behind a link of our own. */
const PROVIDERS = 'providers'

/** Manifests, events, hashes and tokens: for the user of this process alone. The key of the vault is checked where it is read. */
const FILES = ['berth.db', 'berth.db-wal', 'berth.db-shm', 'admin.token', 'connection.json', PROVIDERS]

/**
 * Closes the data folder and what lies in it to all other users, with a line in the log for each. What belongs to somebody
 * else, or leads elsewhere, is refused: nobody knows who reads or writes it. A folder that cannot be closed is told.
 */
export function tightenModes(folder: string, log: Log): void {
  const at = statSync(folder)
  if (isOpen(at) && isOurs(at)) tighten(folder, at, log)
  else if (isOpen(at))
    log.warn('other users can look into the data folder, which is not ours to close', {
      folder,
      close_it_with: `chmod 700 ${folder}`,
    })
  for (const name of FILES) {
    const path = join(folder, name)
    const laid = lstatSync(path, { throwIfNoEntry: false })
    const isFollowed = name === PROVIDERS && laid?.isSymbolicLink() === true && isOurs(laid)
    const found = isFollowed ? statSync(path, { throwIfNoEntry: false }) : laid
    if (found === undefined) continue
    if (found.isSymbolicLink()) throw unsafe(path, 'is a link', 'Put the file itself in its place, or use --data DIR.')
    if (!isOurs(found)) {
      const hint = `Give it to the user who runs berth up: chown ${process.getuid?.()} ${path}. Or use --data DIR.`
      throw unsafe(path, `belongs to another user (${found.uid})`, hint)
    }
    if (isOpen(found)) tighten(path, found, log)
  }
}

function tighten(path: string, { mode }: Stats, log: Log): void {
  chmodSync(path, mode & 0o700)
  log.warn('other users could reach this; it is closed to them now', { path, mode: (mode & 0o777).toString(8) })
}

function isOpen({ mode }: Stats): boolean {
  return (mode & 0o077) !== 0
}

function isOurs({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid()
}

function unsafe(path: string, why: string, hint: string): UserError {
  return new UserError([{ code: 'DATA_UNSAFE', message: `${path} ${why}, so it is not used.`, found: path, hint }])
}

/** Opens a store in a folder that is closed before and after, whatever the store has made of its files. */
export async function closedToOthers<T>(
  { folder }: { readonly folder: string },
  log: Log,
  open: () => Promise<T>,
): Promise<T> {
  tightenModes(folder, log)
  const opened = await open()
  tightenModes(folder, log)
  return opened
}
