import { chmodSync, lstatSync, statSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../core/base/problem.ts'
import type { Log } from '../ports/log.ts'

/** May be on another disk, behind a link that Berth's user owns. */
const PROVIDERS = 'providers'

/** Manifests, events, hashes and tokens, for the user of this process only. The vault key is checked where it is read. */
const FILES = ['berth.db', 'berth.db-wal', 'berth.db-shm', 'admin.token', 'connection.json', PROVIDERS]

/**
 * Closes the data folder and its files to all other users, and logs each change. A file that another user owns, or a
 * link, is refused, because other users could read or write it. A folder that cannot be closed is logged.
 */
export function tightenModes(folder: string, log: Log): void {
  const at = statSync(folder)
  if (isOpen(at) && isOurs(at)) tighten(folder, at, log)
  else if (isOpen(at))
    log.warn('other users can read the data folder, and Berth may not change its mode', {
      folder,
      close_it_with: `chmod 700 ${folder}`,
    })
  for (const name of FILES) {
    const path = join(folder, name)
    const laid = lstatSync(path, { throwIfNoEntry: false })
    const isFollowed = name === PROVIDERS && laid?.isSymbolicLink() === true && isOurs(laid)
    const found = isFollowed ? statSync(path, { throwIfNoEntry: false }) : laid
    if (found === undefined) continue
    if (found.isSymbolicLink()) throw unsafe(path, 'is a link', 'Replace it with the file itself, or use --data DIR.')
    if (!isOurs(found)) {
      const hint = `Make it owned by the user who runs berth up: chown ${process.getuid?.()} ${path}. Or use --data DIR.`
      throw unsafe(path, `belongs to another user (${found.uid})`, hint)
    }
    if (isOpen(found)) tighten(path, found, log)
  }
}

function tighten(path: string, { mode }: Stats, log: Log): void {
  chmodSync(path, mode & 0o700)
  log.warn('other users had access to this; it is closed to them now', { path, mode: (mode & 0o777).toString(8) })
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

/** Opens a store in a folder that is closed to other users before and after, including files that the store creates. */
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
