import type { Fault } from '../../../core/life/call/fault.ts'
import type { Answer, Call } from '../../../ports/provider.ts'
import type { KubeClient } from '../api/client.ts'
import { listAll } from '../api/lists.ts'
import type { Discovery } from './discovery.ts'

/** A kind of object, in whichever version the cluster serves it. */
export interface ApiKind {
  readonly group: string
  /** In the plural, as in paths: `podgroups`. */
  readonly resource: string
  /** It is in no namespace. */
  readonly isWide?: boolean
}

const FEW = 4

export interface ReaderParts {
  readonly client: KubeClient
  readonly discovery: Discovery
  readonly namespace: string
}

/** Reads objects of schedulers within one call of ours. What is not served is not there. */
export class ClusterReader {
  readonly #parts: ReaderParts
  readonly #call: Call

  constructor(parts: ReaderParts, call: Call) {
    this.#parts = parts
    this.#call = call
  }

  /** Undefined: the cluster does not serve it. */
  version({ group, resource }: ApiKind): Promise<Answer<string | undefined>> {
    return this.#parts.discovery.version(group, resource, this.#call)
  }

  /** Undefined: there is none of that name. */
  async find(kind: ApiKind, name: string): Promise<FoundObject> {
    const path = await this.#path(kind, name)
    if (typeof path !== 'string') return path
    const reply = await this.#parts.client.call({ method: 'GET', path }, this.#call)
    if (reply.ok) return { ok: true, value: reply.value }
    if (reply.status === 404) return { ok: true, value: undefined }
    return { ok: false, fault: reply.fault, isForbidden: reply.status === 403 }
  }

  /** All of that kind in the namespace, or in the cluster if it is in none. */
  async list(kind: ApiKind): Promise<Answer<readonly unknown[]>> {
    const path = await this.#path(kind)
    if (typeof path !== 'string') return path.ok ? { ok: true, value: [] } : path
    return this.items(path)
  }

  /** Those of these names that are there. A few are read one by one: a queue may have thousands. */
  async some(kind: ApiKind, names: readonly string[]): Promise<readonly unknown[]> {
    if (names.length > FEW) {
      const all = await this.list(kind)
      return all.ok ? all.value : []
    }
    const found = await Promise.all(names.map((name) => this.find(kind, name)))
    return found.flatMap((one) => (one.ok && one.value !== undefined ? [one.value] : []))
  }

  /** All that is listed under a path. */
  async items(path: string): Promise<Answer<readonly unknown[]>> {
    const answer = await listAll(this.#parts.client, path, { call: this.#call })
    return answer.ok ? { ok: true, value: answer.value.items } : answer
  }

  /** What is gone already is fine. */
  async remove(kind: ApiKind, name: string): Promise<void> {
    const path = await this.#path(kind, name)
    if (typeof path === 'string') await this.#parts.client.call({ method: 'DELETE', path }, this.#call)
  }

  async #path(kind: ApiKind, ...name: readonly string[]): Promise<string | FoundObject> {
    const version = await this.version(kind)
    if (!version.ok) return { ...version, isForbidden: false }
    if (version.value === undefined) return { ok: true, value: undefined }
    return pathOf(kind, version.value, { namespace: this.#parts.namespace, name })
  }
}

function pathOf(
  { group, resource, isWide }: ApiKind,
  version: string,
  { namespace, name = [] }: { readonly namespace: string; readonly name?: readonly string[] },
): string {
  const where = isWide === true ? [] : ['namespaces', namespace]
  return `/apis/${[group, version, ...where, resource, ...name].map(encodeURIComponent).join('/')}`
}

type FoundObject =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fault: Fault; readonly isForbidden: boolean }
