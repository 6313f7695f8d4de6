import { z } from 'zod'
import { problemAnswer } from './answers.ts'
import type { Route } from './route.ts'
import { ROUTES } from './routes.ts'

type Json = Readonly<Record<string, unknown>>

/** The API as an OpenAPI 3.1 document, generated from the routes and schemas that the server uses. */
export function openApi(version: string): Json {
  const pieces = openApiInPieces(version)
  for (;;) {
    const { done, value } = pieces.next()
    if (done === true) return value
  }
}

/** The same, route by route: the caller may do other things between two of them. */
export function* openApiInPieces(version: string): Generator<undefined, Json> {
  const paths: Record<string, Record<string, Json>> = {}
  const routes: readonly (readonly [string, Route])[] = Object.entries(ROUTES)
  for (const [id, route] of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(id, route) }
    yield
  }
  const schemas: Record<string, unknown> = {}
  const named = hoisted({ paths, problem: schemaOf(problemAnswer, 'output') }, schemas)
  return {
    openapi: '3.1.0',
    info: { title: 'Berth', version, description: 'Finds GPU workloads a place to run, and keeps them running.' },
    paths: named['paths'],
    components: { schemas, securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    security: [{ token: [] }],
  }
}

/** Moves named schemas to the components of the document, each once. */
function hoisted(value: Json, schemas: Record<string, unknown>): Json {
  const text = JSON.stringify(value, (key, inside: unknown) => {
    if (key !== '$defs' || typeof inside !== 'object' || inside === null) return inside
    for (const [name, schema] of Object.entries(inside)) schemas[name] ??= renamed(schema)
    return undefined
  })
  return JSON.parse(withNames(text))
}

function renamed(schema: unknown): unknown {
  return JSON.parse(withNames(JSON.stringify(schema)))
}

function withNames(text: string): string {
  return text.replaceAll('"#/$defs/', '"#/components/schemas/')
}

function operation(operationId: string, route: Route): Json {
  const { about, access, body, status } = route
  return {
    operationId,
    summary: about,
    ...(access === undefined ? { security: [] } : { 'x-berth-access': access }),
    parameters: parametersOf(route),
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, 'input') } } },
    }),
    responses: {
      [status]: { description: status === 204 ? 'Done.' : 'The answer.', ...contentOf(route) },
      [OTHERWISE]: {
        description: 'What is wrong, where, and how to go on.',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

/** OpenAPI's key for all answers that are not listed. */
const OTHERWISE = 'default'

const MEDIA: Readonly<Record<Route['kind'], string>> = {
  json: 'application/json',
  stream: 'text/event-stream',
  text: 'text/plain',
  tunnel: 'application/octet-stream',
}

function contentOf({ kind, status, answer }: Route): Json {
  return status === 204 ? {} : { content: { [MEDIA[kind]]: { schema: schemaOf(answer, 'output') } } }
}

function parametersOf({ params, query, once, kind }: Route): readonly Json[] {
  return [
    ...fieldsOf('path', params),
    ...fieldsOf('query', query),
    ...(once ? [HEADERS.key, HEADERS.match] : []),
    ...(kind === 'stream' ? [HEADERS.last] : []),
  ]
}

const HEADERS = {
  key: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'Requests with the same key are carried out once, however often they arrive.',
    schema: { type: 'string', maxLength: 128 },
  },
  match: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'Apply the change only if the workload still has this ETag.',
    schema: { type: 'string' },
  },
  last: {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description: 'Continue after this entry.',
    schema: { type: 'string' },
  },
} as const

function fieldsOf(place: 'path' | 'query', schema: z.ZodObject): readonly Json[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const isRequired = place === 'path' || !z.safeParse(field, undefined).success
    return { name, in: place, required: isRequired, schema: schemaOf(field, 'input') }
  })
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    target: 'draft-2020-12',
  })
  return rest
}
