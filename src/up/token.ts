import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UpFlags } from '../cli/cli.ts'
import type { ServiceDeps } from '../service/deps.ts'
import { createToken, makeAuthenticator } from '../service/tokens.ts'

const TOKEN_TTL_MS = 3650 * 86_400_000

/**
 * The first start creates an administrator token and writes it to the data folder, where only its owner can read it. A
 * start killed in between leaves a token in the store that is in no file: it is replaced if the store belongs to the
 * folder. A token in the file that the store does not know is not used, and is replaced only if the store has none at all.
 */
export async function firstToken(
  service: ServiceDeps,
  { folder, flags }: { readonly folder: string; readonly flags: UpFlags },
): Promise<string | undefined> {
  const file = join(folder, 'admin.token')
  const written = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  const isKnown = written !== '' && (await makeAuthenticator(service).open(written)) !== undefined
  if (isKnown) return written
  if (flags.dev === true) return undefined
  const actor = { name: 'system', role: 'admin', projects: ['*'] } as const
  const isThere = (await service.store.get('token', actor.role)) !== undefined
  if (written === '' && isThere && flags.database === undefined) {
    await service.store.commit({ writes: [{ kind: 'token', key: actor.role, body: undefined }] })
  } else if ((await service.store.list('token', { limit: 1 })).length > 0) {
    if (written !== '')
      service.log.warn('the token in this file is not valid; remove the file to have it replaced', { file })
    return undefined
  }
  const { token } = await createToken(service, actor, { ...actor, name: actor.role, ttl_ms: TOKEN_TTL_MS })
  writeFileSync(`${file}.new`, `${token}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  return token
}
