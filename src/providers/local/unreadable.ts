/** Something exists but cannot be read: its content is unknown, which is never the same as gone. */
export class Unreadable extends Error {}

/** What an error of reading a file means: undefined if there is no such file; otherwise it throws `Unreadable`. */
export function absentOr(path: string, error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ESRCH') return undefined
  throw new Unreadable(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
}
