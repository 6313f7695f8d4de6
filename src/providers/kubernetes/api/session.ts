import { readFile } from 'node:fs/promises'
import { Agent as PlainAgent } from 'node:http'
import { Agent, type AgentOptions } from 'node:https'
import type { Clock } from '../../../ports/clock.ts'
import type { Secret } from '../../../ports/secret.ts'
import type { KubernetesSettings } from '../settings.ts'
import { accessFrom, KubeconfigError, type KubeAccess, type KubeUser } from './kubeconfig.ts'
import { runPlugin, type Printed } from './plugin.ts'

/**
 * What a connection is for. Launches write, and may be many: nothing that reads, stops or goes on for long waits for a connection behind
 * them, nor they behind logs that people follow.
 */
export type KubeUse = 'write' | 'read' | 'stream'

/** What a request needs besides itself. */
export interface Ready {
  readonly server: URL
  readonly agents: Readonly<Record<KubeUse, Agent | PlainAgent>>
  readonly headers: Readonly<Record<string, string>>
  /** What no message may repeat. */
  readonly hidden: readonly string[]
}

export interface SessionParts {
  readonly settings: Pick<KubernetesSettings, 'context' | 'isInCluster' | 'plugins'>
  readonly credential: () => Promise<Secret | undefined>
  readonly clock: Clock
  /** Where a pod finds its own credential. */
  readonly mounted?: string
}

const MOUNTED = '/var/run/secrets/kubernetes.io/serviceaccount'

/** How long a token from a file or a plugin is used before it is looked for again. */
const FILE_MS = 60_000
const EARLY_MS = 60_000
const PLUGIN_MS = 3_600_000

/** A server is not helped by more at once. What goes on and on is bounded by those who ask for it. */
const SOCKETS_MOST = { write: 64, read: 32, stream: Infinity } as const

/**
 * The right to call a cluster. The credential is read for each call, so that a new one counts at once; connections are kept for as
 * long as it stays the same. Tokens that expire are replaced before they do, and after the first refusal.
 */
export class Session {
  readonly #parts: SessionParts
  #opened: { readonly text: string; readonly access: KubeAccess } | undefined
  #connected: Connected | undefined
  #printed: { readonly untilMs: number; readonly printed: Promise<Printed> } | undefined

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  /** The namespace that the kubeconfig names. Nothing is run or called for that. */
  async namespace(): Promise<string | undefined> {
    return (await this.#access()).namespace
  }

  async ready(signal: AbortSignal): Promise<Ready> {
    const access = await this.#access()
    const { token, certificate, password } = await this.#proofOf(access, signal)
    const bearer = token === undefined ? undefined : `Bearer ${token}`
    const basic = password === undefined ? undefined : `Basic ${Buffer.from(password).toString('base64')}`
    const authorization = bearer ?? basic
    return {
      server: access.server,
      agents: this.#agentsFor(access, certificate),
      headers: authorization === undefined ? {} : { authorization },
      hidden: [token, password, certificate?.key].flatMap((each) =>
        each !== undefined && each.length > 3 ? [each] : [],
      ),
    }
  }

  /** After a refusal: what can be had anew is not used again. Whether there is any such thing. */
  forget(): boolean {
    const isRenewable = this.#printed !== undefined || this.#opened?.access.user.kind === 'file'
    this.#printed = undefined
    return isRenewable
  }

  close(): void {
    this.#disconnect()
  }

  async #access(): Promise<KubeAccess> {
    const { settings, credential } = this.#parts
    if (settings.isInCluster) return (this.#opened ??= { text: '', access: await this.#ofThisPod() }).access
    const text = (await credential())?.reveal()
    if (text === undefined)
      throw new KubeconfigError('The provider has no kubeconfig: name a platform secret that holds one.')
    if (this.#opened?.text !== text) {
      this.#opened = { text, access: accessFrom(text, settings.context) }
      this.#printed = undefined
    }
    return this.#opened.access
  }

  async #ofThisPod(): Promise<KubeAccess> {
    const folder = this.#parts.mounted ?? MOUNTED
    const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = process.env
    if (host === undefined)
      throw new KubeconfigError(
        'in_cluster: this control plane does not run in a cluster (KUBERNETES_SERVICE_HOST is not set).',
      )
    const part = (name: string): Promise<string> => readFile(`${folder}/${name}`, 'utf8')
    const trust = { ca: await part('ca.crt'), serverName: undefined, isBlind: false }
    const server = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`)
    const user = { kind: 'file', path: `${folder}/token` } as const
    return { server, namespace: (await part('namespace')).trim(), trust, user }
  }

  async #proofOf(access: KubeAccess, signal: AbortSignal): Promise<Proof> {
    const { user } = access
    switch (user.kind) {
      case 'token':
        return { token: user.token }
      case 'certificate':
        return { certificate: user }
      case 'password':
        return { password: `${user.name}:${user.password}` }
      case 'file':
      case 'plugin':
        return this.#fresh(user, access, signal)
    }
  }

  /** One look at a time, however many calls wait for it. */
  async #fresh(user: Renewable, access: KubeAccess, signal: AbortSignal): Promise<Proof> {
    const nowMs = this.#parts.clock.nowMs()
    const known = this.#printed
    if (known !== undefined && known.untilMs > nowMs) return proofIn(await known.printed)
    const printed = this.#print(user, access, signal)
    const mine = { untilMs: nowMs + FILE_MS, printed }
    this.#printed = mine
    try {
      const got = await printed
      const mostMs = user.kind === 'file' ? FILE_MS : PLUGIN_MS
      const untilMs = Math.min(nowMs + mostMs, (got.untilMs ?? Number.POSITIVE_INFINITY) - EARLY_MS)
      if (this.#printed === mine) this.#printed = { untilMs, printed }
      return proofIn(got)
    } catch (error) {
      if (this.#printed === mine) this.#printed = undefined
      throw error
    }
  }

  async #print(user: Renewable, access: KubeAccess, signal: AbortSignal): Promise<Printed> {
    if (user.kind === 'plugin') return runPlugin(user.plugin, access, { signal, allowed: this.#parts.settings.plugins })
    const token = (await readFile(user.path, 'utf8')).trim()
    return { token, certificate: undefined, untilMs: undefined }
  }

  #agentsFor(access: KubeAccess, certificate: Proof['certificate']): Ready['agents'] {
    const now = this.#connected
    if (now?.access === access && now.certificate === certificate?.certificate) return now.agents
    const { server, trust } = access
    const key = JSON.stringify([server.origin, trust, certificate?.certificate])
    if (now?.key === key) return now.agents
    // Requests that are under way end with the old connections; no new one uses them.
    this.#disconnect()
    const agentFor = (use: KubeUse): Agent | PlainAgent => {
      const kept = { ...KEPT, maxSockets: SOCKETS_MOST[use] }
      return server.protocol === 'http:' ? new PlainAgent(kept) : new Agent({ ...kept, ...tlsOf(trust, certificate) })
    }
    const agents = { write: agentFor('write'), read: agentFor('read'), stream: agentFor('stream') }
    this.#connected = { key, access, certificate: certificate?.certificate, agents }
    return agents
  }

  #disconnect(): void {
    for (const agent of Object.values(this.#connected?.agents ?? {})) agent.destroy()
    this.#connected = undefined
  }
}

interface Connected {
  readonly key: string
  readonly access: KubeAccess
  readonly certificate: string | undefined
  readonly agents: Ready['agents']
}

type Renewable = Extract<KubeUser, { readonly kind: 'file' | 'plugin' }>

interface Proof {
  readonly token?: string | undefined
  readonly password?: string | undefined
  readonly certificate?: { readonly certificate: string; readonly key: string } | undefined
}

const KEPT: AgentOptions = { keepAlive: true, scheduling: 'lifo' }

function proofIn({ token, certificate }: Printed): Proof {
  return { token, certificate }
}

function tlsOf({ ca, serverName, isBlind }: KubeAccess['trust'], certificate: Proof['certificate']): AgentOptions {
  return {
    ...(ca !== undefined && { ca }),
    ...(serverName !== undefined && { servername: serverName }),
    ...(isBlind && { rejectUnauthorized: false }),
    ...(certificate !== undefined && { cert: certificate.certificate, key: certificate.key }),
  }
}
