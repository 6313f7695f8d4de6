import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CONNECTION_FILE, configFolder, encodeConnection, findTarget } from '../cli/platform/connection.ts'
import type { Target } from '../cli/cli.ts'
import { fetchFrom } from '../client/trusting.ts'
import type { Files } from '../ports/files.ts'

/** The address of a control plane, its token and its data folder. */
export interface Reached {
  readonly url: string
  readonly token: string | undefined
  readonly folder: string
  /** The file with its certificate; undefined: plain HTTP. */
  readonly certificate?: string | undefined
}

interface Deps {
  readonly files: Files
  readonly env: (name: string) => string | undefined
}

/** How long to wait for another control plane to answer. */
const ANSWER_MS = 2000

/**
 * Writes the connection file for this user's commands: always into the data folder, and also into the user's config
 * folder, unless a control plane that still answers is there. Commands must not silently change to another control
 * plane. Returns lines to print; none: there is no token to write.
 */
export async function saveConnection(
  { url, token, folder, certificate }: Reached,
  deps: Deps,
): Promise<readonly string[]> {
  if (token === undefined) return []
  const bytes = encodeConnection({ url, token, ...(certificate !== undefined && { certificate }) })
  const own = join(folder, CONNECTION_FILE)
  const before = targetIn(own, deps)
  if (!keepWhole(own, bytes)) return [`${own} could not be written: is the disk full? Its old contents are still there`]
  const home = configFolder(deps.env)
  if (home === undefined) return [`${own}: pass it to other commands with --token-file`]
  const file = join(home, CONNECTION_FILE)
  const known = targetIn(file, deps)
  const isOther = known !== undefined && ![url, before?.url].includes(known.url)
  if (isOther && (await isThere(known))) return heldBy(known.url, own)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (isOther) renameSync(file, `${file}.before`)
    if (!keepWhole(file, bytes)) return [`${own}: pass it to other commands with --token-file`]
  } catch {
    return [`${own}: pass it to other commands with --token-file`]
  }
  const found = `${file}: your other commands find it there`
  return isOther
    ? [found, `until now they went to ${known.url}, which does not answer; its file is kept as ${file}.before`]
    : [found]
}

/** Writes to a temporary file first, so that a full disk never destroys the old file. */
function keepWhole(file: string, bytes: Uint8Array): boolean {
  try {
    writeFileSync(`${file}.new`, bytes, { mode: 0o600 })
    renameSync(`${file}.new`, file)
    return true
  } catch {
    return false
  }
}

function heldBy(url: string, own: string): readonly string[] {
  return [
    `your other commands still go to ${url}, which was there first and answers`,
    `to reach this one, add  --token-file ${own}`,
  ]
}

/** The control plane in a connection file; undefined: there is no such file, or it is not valid. */
function targetIn(file: string, { files }: Deps): Target | undefined {
  try {
    return findTarget({ tokenFile: file }, { files, env: () => undefined })
  } catch {
    return undefined
  }
}

/** Whether a control plane answers there and accepts the token; another program on the port does not count. Every version serves this path. */
async function isThere(target: Target): Promise<boolean> {
  const { url, token } = target
  const headers = { ...(token !== undefined && { authorization: `Bearer ${token.reveal()}` }) }
  try {
    const answer = await fetchFrom(target)(`${url}/v1/info`, {
      headers,
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS),
    })
    await answer.body?.cancel()
    return answer.ok
  } catch {
    return false
  }
}
