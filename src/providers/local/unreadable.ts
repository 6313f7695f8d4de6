/** Something is there and cannot be read: what it says is unknown, which is never the same as gone. */
export class Unreadable extends Error {}

/** For what an error means when a file was looked for: `undefined` when there is none, otherwise it is unreadable. */
export function absentOr(path: string, error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ESRCH') return undefined
  throw new Unreadable(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`)
}
