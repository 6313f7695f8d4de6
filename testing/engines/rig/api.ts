import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { isMap, parseAllDocuments } from 'yaml'

/** An object of the API, as far as a rig cares. */
export interface RigObject {
  readonly apiVersion?: string
  readonly kind?: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly [key: string]: unknown
  }
  readonly [key: string]: unknown
}

/** What is asked of the API server; a path begins with /api or /apis. */
export interface Ask {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
  /** How the body is to be understood; left out: as an object, or as a merge patch. */
  readonly type?: string
}

/** A reply other than success. */
export class ApiRefusal extends Error {
  readonly status: number

  constructor(ask: Ask, status: number, text: string) {
    super(`${ask.method ?? 'GET'} ${ask.path}: ${status} ${text.slice(0, 400)}`)
    this.status = status
  }
}

export interface ApiAccess {
  readonly port: number
  /** File of the authority that signed the server's certificate. */
  readonly authority: string
  readonly token: string
}

/** The API server of a rig as its administrator sees it: a few lines, so that what is under test is not tested with itself. */
export class RigApi {
  readonly #access: ApiAccess
  readonly #agent: Agent
  readonly #kinds = new Map<string, readonly ServedKind[]>()

  constructor(access: ApiAccess) {
    this.#access = access
    this.#agent = new Agent({ keepAlive: true, maxSockets: 32, ca: readFileSync(access.authority) })
  }

  /** Throws an `ApiRefusal` where the reply is no success. The type is what the caller knows of the object. */
  async ask<T = RigObject>(ask: Ask): Promise<T> {
    const { status, text } = await this.#send(ask)
    if (status >= 300) throw new ApiRefusal(ask, status, text)
    const reply: T = JSON.parse(text)
    return reply
  }

  get<T = RigObject>(path: string): Promise<T> {
    return this.ask<T>({ path })
  }

  /** Undefined: there is none. */
  async find<T = RigObject>(path: string): Promise<T | undefined> {
    try {
      return await this.get<T>(path)
    } catch (error) {
      if (error instanceof ApiRefusal && error.status === 404) return undefined
      throw error
    }
  }

  /** What is no object, such as `/metrics`. */
  async text(path: string): Promise<string> {
    const { status, text } = await this.#send({ path })
    if (status >= 300) throw new ApiRefusal({ path }, status, text)
    return text
  }

  async list<T = RigObject>(path: string): Promise<readonly T[]> {
    return (await this.get<{ readonly items: readonly T[] }>(path)).items
  }

  patch<T = RigObject>(path: string, body: unknown): Promise<T> {
    return this.ask<T>({ method: 'PATCH', path, body })
  }

  async delete(path: string): Promise<void> {
    await this.ask({ method: 'DELETE', path })
  }

  /** Makes each object as it is written, whether it is there or not. What an object says of its status is applied, too. */
  async apply(...objects: readonly RigObject[]): Promise<void> {
    for (const object of objects) {
      const path = await this.pathOf(object)
      await this.#applyAt(path, object)
      if ('status' in object) await this.#applyAt(`${path}/status`, object)
    }
  }

  /** Every object of a YAML text. */
  async applyText(text: string): Promise<void> {
    const documents = parseAllDocuments(text)
    for (const document of documents) {
      if (!('contents' in document) || !isMap(document.contents)) continue
      const object: RigObject = document.toJS()
      await this.#applyAt(await this.pathOf(object), object)
    }
  }

  /** Where an object is found, as the server says. */
  async pathOf({ apiVersion = 'v1', kind, metadata: { name, namespace = 'default' } }: RigObject): Promise<string> {
    const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
    const find = async (): Promise<ServedKind | undefined> =>
      (await this.#kindsOf(group)).find((one) => one.kind === kind && !one.name.includes('/'))
    let served = await find()
    if (served === undefined) this.#kinds.delete(group)
    served ??= await find()
    if (served === undefined) throw new ApiRefusal({ path: group }, 404, `knows no ${kind}`)
    return served.namespaced
      ? `${group}/namespaces/${namespace}/${served.name}/${name}`
      : `${group}/${served.name}/${name}`
  }

  /** The server answers that it is ready. */
  async isReady(): Promise<boolean> {
    try {
      return (await this.#send({ path: '/readyz' })).status === 200
    } catch {
      return false
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  async #kindsOf(group: string): Promise<readonly ServedKind[]> {
    const known = this.#kinds.get(group)
    if (known !== undefined) return known
    const { resources } = await this.get<{ readonly resources: readonly ServedKind[] }>(group)
    this.#kinds.set(group, resources)
    return resources
  }

  async #applyAt(path: string, body: RigObject): Promise<void> {
    const type = 'application/apply-patch+yaml'
    await this.ask({ method: 'PATCH', path: `${path}?fieldManager=rig&force=true`, body, type })
  }

  #send({ method = 'GET', path, body, type }: Ask): Promise<{ readonly status: number; readonly text: string }> {
    const plain = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
    const headers = { authorization: `Bearer ${this.#access.token}`, 'content-type': type ?? plain }
    const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly text: string }>()
    const options = {
      host: '127.0.0.1',
      port: this.#access.port,
      method,
      path,
      headers,
      agent: this.#agent,
      timeout: 30_000,
    }
    const asked = request(options, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part: Buffer) => parts.push(part))
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(parts).toString() }))
      reply.on('error', reject)
    })
    asked.on('timeout', () => asked.destroy(new Error(`${method} ${path}: no answer within 30 s`)))
    asked.on('error', reject)
    asked.end(body === undefined ? undefined : JSON.stringify(body))
    return promise
  }
}

interface ServedKind {
  /** `pods`, or `pods/status`. */
  readonly name: string
  readonly kind: string
  readonly namespaced: boolean
}
