import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CONNECTION_FILE, configFolder, encodeConnection, findTarget } from '../cli/platform/connection.ts'
import type { Target } from '../cli/cli.ts'
import { fetchFrom } from '../client/trusting.ts'
import type { Files } from '../ports/files.ts'

/** Where a control plane can be reached, and the folder of its data. */
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

/** How long another control plane has to say that it is there. */
const ANSWER_MS = 2000

/**
 * For the commands of this user: always in the data folder, and where they look by themselves unless another control
 * plane that answers has that place. Nobody is to talk to another one than before without having been told. Answers
 * what to tell, in lines; none: there is no token to write.
 */
export async function saveConnection(
  { url, token, folder, certificate }: Reached,
  deps: Deps,
): Promise<readonly string[]> {
  if (token === undefined) return []
  const bytes = encodeConnection({ url, token, ...(certificate !== undefined && { certificate }) })
  const own = join(folder, CONNECTION_FILE)
  const before = targetIn(own, deps)
  if (!keepWhole(own, bytes)) return [`${own} could not be written: is the disk full? What was in it is still there`]
  const home = configFolder(deps.env)
  if (home === undefined) return [`${own}: give it to other commands with --token-file`]
  const file = join(home, CONNECTION_FILE)
  const known = targetIn(file, deps)
  const isOther = known !== undefined && ![url, before?.url].includes(known.url)
  if (isOther && (await isThere(known))) return heldBy(known.url, own)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    if (isOther) renameSync(file, `${file}.before`)
    if (!keepWhole(file, bytes)) return [`${own}: give it to other commands with --token-file`]
  } catch {
    return [`${own}: give it to other commands with --token-file`]
  }
  const found = `${file}: other commands of yours find it there by themselves`
  return isOther
    ? [found, `until now they went to ${known.url}, which does not answer; kept as ${file}.before`]
    : [found]
}

/** Beside it first: a disk that is full costs the new one, never the old one. */
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
    `other commands of yours still go to ${url}, which was there first and answers`,
    `to this one they go with  --token-file ${own}`,
  ]
}

/** Undefined: there is none, or it is no connection file. */
function targetIn(file: string, { files }: Deps): Target | undefined {
  try {
    return findTarget({ tokenFile: file }, { files, env: () => undefined })
  } catch {
    return undefined
  }
}

/** Whether a control plane is there that knows the token: something else on its port is not it. */
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
