import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { UpFlags } from '../cli/cli.ts'
import type { ServiceDeps } from '../service/deps.ts'
import { createToken, makeAuthenticator } from '../service/tokens.ts'

const TOKEN_TTL_MS = 3650 * 86_400_000

/**
 * The first start makes an administrator; its token lies in the data folder, for its owner alone. A start that was killed
 * between the two leaves a token that nobody has: where the folder is the store's own, it is replaced. A token that the
 * store does not know is not handed on, and replaced only where the store knows none at all.
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
      service.log.warn('the token in this file is not valid; remove the file to have it looked after', { file })
    return undefined
  }
  const { token } = await createToken(service, actor, { ...actor, name: actor.role, ttl_ms: TOKEN_TTL_MS })
  writeFileSync(`${file}.new`, `${token}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  return token
}
