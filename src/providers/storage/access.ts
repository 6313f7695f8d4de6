import type { StorageSource } from './source.ts'

/** The environment that gives rclone access to one store, or what is wrong with the secret, in words without its value. */
export type Access = { readonly env: Readonly<Record<string, string>> } | { readonly problem: string }

/**
 * A secret holds lines of `name = value`, as ~/.aws/credentials has them, or the key file of a Google service account as it is. Without a
 * secret only what is public can be read.
 */
export function accessOf({ kind, settings }: StorageSource, secret: string | undefined): Access {
  const stated = secret === undefined ? { pairs: {} } : read(kind, secret.trim())
  if ('problem' in stated) return stated
  const { pairs, plain } = stated
  const missing = secret === undefined ? undefined : NEEDED[kind].find((names) => !names.some((name) => name in pairs))
  if (missing !== undefined) return { problem: `it has no line ${missing[0]} = …` }
  if (kind === 's3' && settings['provider'] === 'Other' && pairs['endpoint'] === undefined)
    return { problem: 'it has no line endpoint = …' }
  const all = { ...settings, ...(secret === undefined && ANONYMOUS[kind]), ...pairs, ...elsewhere(pairs) }
  const env = Object.fromEntries(Object.entries(all).map(([name, value]) => [variableOf(name), value]))
  return { env: { ...env, ...plain } }
}

/** The remote has one name everywhere: each entry has an environment of its own. */
function variableOf(name: string): string {
  return `RCLONE_CONFIG_BERTH_${name.toUpperCase()}`
}

/** A server of S3 that is not Amazon's. */
function elsewhere({ endpoint, region }: Pairs): Pairs {
  return endpoint === undefined ? {} : { provider: 'Other', ...(region === undefined && { region: 'us-east-1' }) }
}

type Pairs = Readonly<Record<string, string>>

/** `plain`: variables of rclone that belong to no remote. */
type Stated = { readonly pairs: Pairs; readonly plain?: Pairs } | { readonly problem: string }

function read(kind: StorageSource['kind'], secret: string): Stated {
  if (kind === 'gs') return keyFile(secret)
  // The token of a hub is often kept as it is.
  if (kind === 'hf' && /^[^\s=]+$/.test(secret)) return hubToken({ token: secret })
  const names = NAMES[kind]
  const pairs: Record<string, string> = {}
  for (const [index, line] of secret.split(/\r?\n/).entries()) {
    if (/^\s*(?:$|#|;|\[)/.test(line)) continue
    const [, written = '', value = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
    const name = names[written.toLowerCase().replace(/^(?:aws|azure_storage|azure|hf)_/, '')]
    if (name === undefined)
      return { problem: `line ${index + 1} is none of ${[...new Set(Object.values(names))].join(', ')}` }
    pairs[name] = value.replace(/^(["'])(.*)\1$/, '$2')
  }
  if (kind === 'hf') return hubToken(pairs)
  const token = pairs['token']
  if (kind !== 'https' || token === undefined) return { pairs }
  return { pairs: { headers: `Authorization,"Bearer ${token.replaceAll('"', '""')}"` } }
}

/** The list of files is asked for without a remote, which takes its header from a variable of its own. */
function hubToken({ token, endpoint }: Pairs): Stated {
  if (token !== undefined && !/^[\w.~+/=-]+$/.test(token))
    return { problem: 'its token has characters that no token has' }
  if (endpoint !== undefined && !/^https?:\/\/[\w.:[\]-]+\/*$/.test(endpoint))
    return { problem: 'its endpoint is no address such as https://mirror.example' }
  return {
    pairs: {
      ...(endpoint !== undefined && { url: endpoint.replace(/\/+$/, '') }),
      ...(token !== undefined && { headers: `Authorization,Bearer ${token}` }),
    },
    ...(token !== undefined && { plain: { RCLONE_HEADER: `Authorization: Bearer ${token}` } }),
  }
}

/** On one line, as rclone reads it. */
function keyFile(secret: string): ReturnType<typeof read> {
  try {
    const key: unknown = JSON.parse(secret)
    if (typeof key === 'object' && key !== null && 'private_key' in key)
      return { pairs: { service_account_credentials: JSON.stringify(key) } }
  } catch {
    // Said below, without the value.
  }
  return { problem: 'it is not the key file (JSON) of a service account' }
}

const NAMES: Readonly<Record<StorageSource['kind'], Readonly<Record<string, string>>>> = {
  s3: {
    access_key_id: 'access_key_id',
    secret_access_key: 'secret_access_key',
    session_token: 'session_token',
    region: 'region',
    default_region: 'region',
    endpoint: 'endpoint',
    endpoint_url: 'endpoint',
    endpoint_url_s3: 'endpoint',
  },
  gs: {},
  az: { account: 'account', key: 'key', sas_url: 'sas_url' },
  https: { token: 'token' },
  hf: { token: 'token', endpoint: 'endpoint' },
}

/** Each needs one of these. */
const NEEDED: Readonly<Record<StorageSource['kind'], readonly (readonly string[])[]>> = {
  s3: [['access_key_id'], ['secret_access_key']],
  gs: [],
  az: [['account', 'sas_url']],
  https: [['headers']],
  hf: [],
}

const ANONYMOUS: Readonly<Record<StorageSource['kind'], Pairs>> = {
  s3: {},
  gs: { anonymous: 'true' },
  az: {},
  https: {},
  hf: {},
}
