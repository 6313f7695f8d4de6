/** What an address means to rclone: its kind of store, and the path in it. */
export interface StorageSource {
  readonly kind: 's3' | 'gs' | 'az' | 'https' | 'hf'
  /** The path under the remote that every entry calls `berth:`. */
  readonly path: string
  /** Settings that follow from the address alone. */
  readonly settings: Readonly<Record<string, string>>
  /** Of a repository of the hub; it has no folders to list. */
  readonly hub?: HubSource
}

export interface HubSource {
  /** Where the hub lists the files of the repository at the revision, without its host. */
  readonly list: string
  /** The folder or file that is wanted; empty: all. */
  readonly inside: string
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
    case 'hf':
      return hubSource(path)
    case '':
      return undefined
  }
  return undefined
}

/** `[datasets/ or spaces/]OWNER/NAME[@REVISION][/path]`, as the hub's own library writes it. */
function hubSource(path: string): StorageSource | undefined {
  const [, kind = 'models', owner, named = '', rest = ''] =
    /^(?:(models|datasets|spaces)\/)?([\w.-]+)\/([\w.-]+)((?:@|\/|$).*)$/s.exec(path) ?? []
  const [, stated = 'main', inside = ''] = /^(?:@(refs\/(?:pr|convert)\/[^/]+|[^/]+))?(?:\/(.*))?$/s.exec(rest) ?? [
    rest,
  ]
  if (owner === undefined) return undefined
  const revision = encodeURIComponent(decoded(stated))
  return {
    kind: 'hf',
    path: `${kind === 'models' ? '' : `${kind}/`}${owner}/${named}/resolve`,
    // Its signed addresses are for one method only, so nothing is asked with HEAD.
    settings: { type: 'http', url: 'https://huggingface.co', no_head: 'true' },
    hub: { list: `/api/${kind}/${owner}/${named}/revision/${revision}?blobs=true`, inside },
  }
}

/** A slash in the name of a branch is written as %2F. */
function decoded(text: string): string {
  return text.replaceAll(/%2f/gi, '/')
}

/** Buckets are the user's: none is made or looked for. */
const S3 = { env_auth: 'false', no_check_bucket: 'true' }
