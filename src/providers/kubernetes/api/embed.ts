import { dirname, isAbsolute, join } from 'node:path'
import { stringify } from 'yaml'
import { contextOf, KubeconfigError, read, type Kubeconfig } from './kubeconfig.ts'

/**
 * A kubeconfig with what one context needs, and with the content of files in the place of their paths: it works on another host, and
 * after the files are gone. `file` reads one, by a path that may be relative to the kubeconfig.
 */
export function embedded(text: string, wanted: string | undefined, file: (path: string) => Buffer): string {
  const config = read(text)
  const chosen = contextOf(config, wanted)
  const { context } = chosen
  const kept: Kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': chosen.name,
    contexts: [chosen],
    clusters: config.clusters
      .filter(({ name }) => name === context.cluster)
      .map((one) => ({ ...one, cluster: filled(one.cluster, ['certificate-authority'], file) })),
    users: config.users
      .filter(({ name }) => name === context.user)
      .map((one) => ({ ...one, user: withToken(filled(one.user, ['client-certificate', 'client-key'], file), file) })),
  }
  return stringify(kept)
}

/** Paths in a kubeconfig are relative to it. */
export function pathBeside(kubeconfig: string, path: string): string {
  return isAbsolute(path) ? path : join(dirname(kubeconfig), path)
}

/** Data that is there already comes before a path, as in other tools. */
function filled<T extends object>(from: T, keys: readonly string[], file: (path: string) => Buffer): T {
  const fields = new Map<string, unknown>(Object.entries(from))
  for (const key of keys) {
    const path = fields.get(key)
    fields.delete(key)
    if (typeof path === 'string' && !fields.has(`${key}-data`))
      fields.set(`${key}-data`, taken(path, file).toString('base64'))
  }
  // Proven: the same fields, but for paths, which are optional, and their content, which is.
  return Object.fromEntries(fields) as T
}

function withToken<T extends { readonly tokenFile?: string | undefined; readonly token?: string | undefined }>(
  user: T,
  file: (path: string) => Buffer,
): T {
  const { tokenFile, ...rest } = user
  if (tokenFile === undefined) return user
  // Proven: `tokenFile` is optional.
  return { ...rest, token: taken(tokenFile, file).toString('utf8').trim() } as T
}

function taken(path: string, file: (path: string) => Buffer): Buffer {
  try {
    return file(path)
  } catch {
    throw new KubeconfigError(`The kubeconfig names the file ${path}, which cannot be read.`)
  }
}
