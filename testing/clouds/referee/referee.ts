import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { ROOT } from '../../house/files.ts'
import { differences, type JsonSchema } from './json-schema.ts'

const SPECS = join(process.env['BERTH_DATA'] ?? join(ROOT, '../shared/data'), 'openapi')

/** One request and its reply, as they went over the wire. */
export interface Exchange {
  readonly method: string
  /** Without the query. */
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
  readonly reply: { readonly status: number; readonly type: string | undefined; readonly text: string }
}

/**
 * Holds every exchange against the published spec, in both directions: a field that our adapter sends and that our fake
 * answers. Neither can drift from the spec without being told.
 */
export class Referee {
  readonly violations: string[] = []
  /** `POST /v2/pods`, for every operation that was used. */
  readonly used = new Set<string>()
  readonly exchanges: Exchange[] = []
  readonly #spec: JsonSchema
  readonly #base: string

  /** `base`: what the spec has in the address of its server beyond the host. */
  constructor(spec: JsonSchema, base: string) {
    this.#spec = spec
    this.#base = base
  }

  see(exchange: Exchange): void {
    const { method, path } = exchange
    this.exchanges.push(exchange)
    const found = this.#operationFor(method, path)
    if (found === undefined) return void this.violations.push(`${method} ${path}: is no operation of the spec`)
    this.used.add(`${method} ${found.template}`)
    const at = `${method} ${found.template}`
    for (const problem of this.#request(exchange, found.operation)) this.violations.push(`${at} asked: ${problem}`)
    for (const problem of this.#reply(exchange, found.operation)) {
      this.violations.push(`${at} answered ${exchange.reply.status}: ${problem}`)
    }
  }

  #operationFor(
    method: string,
    path: string,
  ): { readonly template: string; readonly operation: JsonSchema } | undefined {
    const plain = path.startsWith(this.#base) ? path.slice(this.#base.length) : path
    const parts = plain.replace(/\/$/, '').split('/')
    const fits = (template: string): boolean => {
      const own = template.replace(/\/$/, '').split('/')
      return own.length === parts.length && own.every((part, index) => part.startsWith('{') || part === parts[index])
    }
    // `/instances/types` is nearer than `/instances/{id}`.
    const [template] = Object.keys(objectIn(this.#spec, 'paths'))
      .filter(fits)
      .toSorted((one, two) => one.split('{').length - two.split('{').length)
    if (template === undefined) return undefined
    const item = objectIn(objectIn(this.#spec, 'paths'), template)
    const operation = item[method.toLowerCase()]
    return isRecord(operation) ? { template, operation: { ...operation, shared: item['parameters'] } } : undefined
  }

  #request({ query, body, headers }: Exchange, operation: JsonSchema): readonly string[] {
    const content = objectIn(objectIn(operation, 'requestBody'), 'content')
    const schema = objectIn(content, 'application/json')['schema']
    const isJson = String(headers['content-type'] ?? '').startsWith('application/json')
    const wrongBody =
      schema === undefined
        ? body === ''
          ? []
          : ['a body, which the spec does not have']
        : this.#bodyProblems(body, schema, isJson)
    return [...wrongBody, ...this.#queryProblems(query, operation)]
  }

  #bodyProblems(body: string, schema: unknown, isJson: boolean): readonly string[] {
    if (body === '') return []
    if (!isJson) return ['a body that is not JSON']
    const sent: unknown = JSON.parse(body)
    return [...this.#differences(sent, schema), ...this.#unknownKeys(sent, schema)]
  }

  /** A key that the spec does not have is ignored by the other side, or refused: both are mistakes of ours. */
  #unknownKeys(value: unknown, schema: unknown): readonly string[] {
    if (!isRecord(value)) return []
    const keys = this.#keysOf(schema)
    return keys.size === 0
      ? []
      : Object.keys(value)
          .filter((key) => !keys.has(key))
          .map((key) => `body: ${key} is not in the spec`)
  }

  #keysOf(schema: unknown): ReadonlySet<string> {
    if (!isRecord(schema)) return new Set()
    const ref = schema['$ref']
    if (typeof ref === 'string') return this.#keysOf(this.#resolve(ref))
    const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []))
    return new Set([
      ...Object.keys(objectIn(schema, 'properties')),
      ...parts.flatMap((part) => [...this.#keysOf(part)]),
    ])
  }

  #queryProblems(query: URLSearchParams, operation: JsonSchema): readonly string[] {
    const parameters = [...listIn(operation, 'parameters'), ...listIn(operation, 'shared')]
      .map((each) => this.#plain(each))
      .filter((each) => each['in'] === 'query')
    const known = new Map(parameters.map((each) => [String(each['name']), each]))
    const wrong = [...query].flatMap(([name, text]) => {
      const parameter = known.get(name)
      if (parameter === undefined) return [`query: ${name} is not in the spec`]
      const schema = this.#plain(parameter['schema'])
      return this.#differences(queryValue(text, schema), schema).map((problem) => `query ${name}: ${problem}`)
    })
    const missing = parameters.filter((each) => each['required'] === true && !query.has(String(each['name'])))
    return [...wrong, ...missing.map((each) => `query: lacks ${String(each['name'])}`)]
  }

  #reply({ reply }: Exchange, operation: JsonSchema): readonly string[] {
    const responses = objectIn(operation, 'responses')
    const written = responses[String(reply.status)] ?? responses['default']
    // Replies of something in front of the API are in no spec, and adapters must bear them all the same.
    if (written === undefined) return reply.status >= 400 ? [] : ['a status that the spec does not have']
    const content = objectIn(this.#plain(written), 'content')
    const [type] = Object.keys(content)
    if (type === undefined) return []
    const isOther = reply.type === undefined || reply.type.split(';')[0]?.trim() !== type
    if (isOther) return reply.status === 429 ? [] : [`must be ${type}, and is ${reply.type ?? 'nothing'}`]
    const said: unknown = /json/.test(type) ? JSON.parse(reply.text) : reply.text
    return this.#differences(said, objectIn(content, type)['schema'])
  }

  #differences(value: unknown, schema: unknown): readonly string[] {
    return differences(value, schema, (ref) => this.#resolve(ref))
  }

  #plain(value: unknown): JsonSchema {
    if (!isRecord(value)) return {}
    const ref = value['$ref']
    return typeof ref === 'string' ? this.#plain(this.#resolve(ref)) : value
  }

  #resolve(ref: string): JsonSchema {
    const steps = ref.replace(/^#\//, '').split('/')
    return steps.reduce((at, step) => objectIn(at, step.replaceAll('~1', '/').replaceAll('~0', '~')), this.#spec)
  }
}

/** The referee for a spec that is kept outside the repository; undefined: it is not there. */
export function refereeFor(file: string, base = ''): Referee | undefined {
  const path = join(SPECS, file)
  if (!existsSync(path)) return undefined
  const known = read.get(path) ?? parseSpec(path)
  read.set(path, known)
  return new Referee(known, base)
}

/** What to do where a spec is missing, in one line. */
export const NO_SPEC = 'put the published specs where BERTH_DATA points, under openapi/'

const read = new Map<string, JsonSchema>()

function parseSpec(path: string): JsonSchema {
  const text = readFileSync(path, 'utf8')
  const spec: unknown = path.endsWith('.json') ? JSON.parse(text) : parse(text, { maxAliasCount: -1 })
  return isRecord(spec) ? spec : {}
}

function queryValue(text: string, schema: JsonSchema): unknown {
  if (schema['type'] === 'integer' || schema['type'] === 'number') return Number(text)
  if (schema['type'] === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return schema['type'] === 'array' ? text.split(',') : text
}

function objectIn(value: JsonSchema, key: string): JsonSchema {
  const inner = value[key]
  return isRecord(inner) ? inner : {}
}

function listIn(value: JsonSchema, key: string): readonly unknown[] {
  const inner = value[key]
  return Array.isArray(inner) ? inner : []
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
