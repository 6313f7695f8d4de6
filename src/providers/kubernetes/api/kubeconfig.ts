import { parse } from 'yaml'
import * as z from 'zod'

/** How to reach a cluster, and as whom. */
export interface KubeAccess {
  readonly server: URL
  readonly namespace: string | undefined
  readonly trust: ServerTrust
  readonly user: KubeUser
}

interface ServerTrust {
  /** Undefined: the certificates that this host trusts. */
  readonly ca: string | undefined
  readonly serverName: string | undefined
  /** The certificate of the API server is not checked. */
  readonly isBlind: boolean
}

export type KubeUser =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'certificate'; readonly certificate: string; readonly key: string }
  | { readonly kind: 'password'; readonly name: string; readonly password: string }
  | { readonly kind: 'plugin'; readonly plugin: Plugin }
  /** Read again and again: the cluster replaces it. */
  | { readonly kind: 'file'; readonly path: string }

/** A program that prints a credential. */
export interface Plugin {
  readonly version: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly withCluster: boolean
}

/** What is wrong with a kubeconfig, and what to do about it. No message repeats a secret. */
export class KubeconfigError extends Error {}

/** The access that a kubeconfig gives in one of its contexts, by default the current one. */
export function accessFrom(text: string, wanted: string | undefined): KubeAccess {
  const config = read(text)
  const { context, name } = contextOf(config, wanted)
  const cluster = config.clusters.find((one) => one.name === context.cluster)?.cluster
  const user = config.users.find((one) => one.name === context.user)?.user
  if (cluster === undefined)
    throw new KubeconfigError(`The context ${name} names the cluster ${context.cluster}, which is not there.`)
  if (user === undefined)
    throw new KubeconfigError(`The context ${name} names the user ${context.user}, who is not there.`)
  return { server: serverOf(cluster.server), namespace: context.namespace, trust: trustOf(cluster), user: userOf(user) }
}

/** The name of the context that is used: by default the current one. */
export function contextOf(config: Kubeconfig, wanted: string | undefined): NamedContext {
  const known = config.contexts.map(({ name }) => name)
  const name = wanted ?? config['current-context']
  const found = config.contexts.find((one) => one.name === name)
  if (found !== undefined) return found
  if (name === undefined || name === '')
    throw new KubeconfigError(`The kubeconfig has no current context; name one: ${known.join(', ') || 'it has none'}.`)
  throw new KubeconfigError(`The kubeconfig has no context ${name}; its contexts are ${known.join(', ') || 'none'}.`)
}

export function read(text: string): Kubeconfig {
  let value: unknown
  try {
    value = parse(text, { maxAliasCount: 0 })
  } catch {
    // The message of the parser shows the line, which may hold a key.
    throw new KubeconfigError('The kubeconfig is not valid YAML.')
  }
  const result = kubeconfigForm.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new KubeconfigError(`The kubeconfig is not one: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`)
}

const word = z.string().optional()
const named = z.object({ name: z.string() })

const clusterForm = z.looseObject({
  server: z.string(),
  'certificate-authority': word,
  'certificate-authority-data': word,
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': word,
  'proxy-url': word,
})

const pluginForm = z.looseObject({
  apiVersion: z.string(),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
  provideClusterInfo: z.boolean().optional(),
})

const userForm = z.looseObject({
  token: word,
  tokenFile: word,
  username: word,
  password: word,
  'client-certificate': word,
  'client-certificate-data': word,
  'client-key': word,
  'client-key-data': word,
  exec: pluginForm.optional(),
  'auth-provider': z.unknown().optional(),
})

const contextForm = z.looseObject({ cluster: z.string(), user: z.string(), namespace: word })

const kubeconfigForm = z.looseObject({
  'current-context': word,
  clusters: z.array(named.extend({ cluster: clusterForm })),
  users: z.array(named.extend({ user: userForm })),
  contexts: z.array(named.extend({ context: contextForm })),
})

export type Kubeconfig = z.infer<typeof kubeconfigForm>
type NamedContext = Kubeconfig['contexts'][number]
type Cluster = z.infer<typeof clusterForm>
type User = z.infer<typeof userForm>

function serverOf(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:')) return url
  throw new KubeconfigError(`The address of the API server is not one that begins with https://: ${text.slice(0, 80)}`)
}

function trustOf(cluster: Cluster): ServerTrust {
  if (cluster['certificate-authority'] !== undefined) throw pathLeft('certificate-authority')
  if (cluster['proxy-url'] !== undefined)
    throw new KubeconfigError(
      'The kubeconfig names a proxy (proxy-url), which Berth does not use: give an address that can be reached.',
    )
  const data = cluster['certificate-authority-data']
  return {
    ca: data === undefined ? undefined : decoded(data),
    serverName: cluster['tls-server-name'],
    isBlind: cluster['insecure-skip-tls-verify'] === true,
  }
}

function userOf(user: User): KubeUser {
  if (user['auth-provider'] !== undefined)
    throw new KubeconfigError(
      'The kubeconfig uses auth-provider, which Kubernetes has dropped: use a token, a certificate or an exec plugin.',
    )
  for (const key of ['client-certificate', 'client-key', 'tokenFile'] as const)
    if (user[key] !== undefined) throw pathLeft(key)
  const { token, username, password, exec } = user
  const [certificate, key] = [user['client-certificate-data'], user['client-key-data']]
  if (token !== undefined && token !== '') return { kind: 'token', token }
  if (exec !== undefined) return { kind: 'plugin', plugin: pluginOf(exec) }
  if (certificate !== undefined && key !== undefined)
    return { kind: 'certificate', certificate: decoded(certificate), key: decoded(key) }
  if (username !== undefined && password !== undefined) return { kind: 'password', name: username, password }
  throw new KubeconfigError('The user of the kubeconfig has no token, no certificate with its key, and no exec plugin.')
}

function pluginOf({ apiVersion, command, args, env, provideClusterInfo = false }: z.infer<typeof pluginForm>): Plugin {
  const known = /^client\.authentication\.k8s\.io\/(?:v1|v1beta1)$/
  if (!known.test(apiVersion))
    throw new KubeconfigError(
      `The exec plugin speaks ${apiVersion}, and Berth v1 and v1beta1 of client.authentication.k8s.io.`,
    )
  return {
    version: apiVersion,
    command,
    args: args ?? [],
    env: Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
    withCluster: provideClusterInfo,
  }
}

function pathLeft(key: string): KubeconfigError {
  return new KubeconfigError(
    `The kubeconfig names a file under ${key}: that file may not be on the host of the control plane. Add the provider with --kubeconfig, which puts the content in its place.`,
  )
}

function decoded(data: string): string {
  return Buffer.from(data, 'base64').toString('utf8')
}
