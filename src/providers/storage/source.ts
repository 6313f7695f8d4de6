/** What an address means to rclone: its kind of store, and the path in it. */
export interface StorageSource {
  readonly kind: 's3' | 'gs' | 'az' | 'https'
  /** The path under the remote that every entry calls `berth:`. */
  readonly path: string
  /** Settings that follow from the address alone. */
  readonly settings: Readonly<Record<string, string>>
}

/** Undefined: rclone has no store for such an address. */
export function sourceOf(from: string): StorageSource | undefined {
  const [, scheme = '', rest = ''] = /^([a-z0-9]+):\/\/(.+)$/s.exec(from) ?? []
  const path = rest.replace(/\/+$/, '')
  switch (scheme) {
    case 's3':
      return { kind: 's3', path, settings: { type: 's3', provider: 'AWS', ...S3 } }
    // Both speak the language of S3, at an address that the secret names.
    case 'r2':
    case 'oci':
      return { kind: 's3', path, settings: { type: 's3', provider: 'Other', ...S3 } }
    case 'gs':
      return { kind: 'gs', path, settings: { type: 'google cloud storage', bucket_policy_only: 'true' } }
    case 'az':
      return { kind: 'az', path, settings: { type: 'azureblob' } }
    case 'https': {
      const slash = rest.indexOf('/')
      const host = slash < 0 ? rest : rest.slice(0, slash)
      return {
        kind: 'https',
        path: slash < 0 ? '' : rest.slice(slash + 1),
        settings: { type: 'http', url: `https://${host}` },
      }
    }
    case '':
    case 'hf':
      return undefined
  }
  return undefined
}

/** Buckets are the user's: none is made or looked for. */
const S3 = { env_auth: 'false', no_check_bucket: 'true' }
