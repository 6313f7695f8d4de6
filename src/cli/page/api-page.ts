import { ACCESS_RULES, type Action } from '../../api/action.ts'
import { openApi } from '../../api/openapi.ts'
import type { Route } from '../../api/route.ts'
import { ROUTES } from '../../api/routes.ts'
import { VERSION } from '../../api/version.ts'

/** docs/api.md: how to use the API, then every route and every object, from the route table. */
export function apiPage(): string {
  const document = openApi(VERSION) as unknown as Document // What openApi makes.
  const routes: readonly (readonly [string, Route])[] = Object.entries(ROUTES)
  const objects = Object.entries(document.components.schemas).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `${[
    INTRO,
    '## Routes',
    ...routes.map(([id, route]) => routeEntry(id, route, document)),
    '## Objects',
    ...objects.map(([name, schema]) => `### ${name}\n\n${fieldsOf(schema).join('\n')}`),
  ].join('\n\n')}\n`
}

const INTRO = `# The HTTP API

The command line talks to a control plane through this HTTP API alone. A running control plane describes it:

    GET /v2/openapi.json        every route with its requests and responses (OpenAPI 3.1); any token will do
    GET /healthz, /readyz       for load balancers; need no token
    GET /metrics                for Prometheus; needs a token that may read all projects

- **Address and token** are the same as for the command line: \`berth up\` prints the address, \`berth token create NAME\` creates a token,
  and requests carry it as \`Authorization: Bearer TOKEN\`. A token has a role (\`reader\`, \`writer\`, \`admin\`) in some or all projects.
  \`GET /v2/whoami\` says what a token may do.
- **Bodies** are JSON in both directions. Field names are in snake case. Times are milliseconds since 1970, and their names end in \`_ms\`.
- **Errors** are JSON too: a status, and \`problems\`, each with a code that [errors.md](errors.md) explains.
- **Changes** may carry an \`Idempotency-Key\`: a change that is sent twice with the same key is made once.
- **Lists** come in pages: \`items\`, and \`next\`, which you pass as \`?after=\` to get the next page.
- **Streams** (\`logs\`, \`events\`) are server-sent events; \`Last-Event-ID\` resumes a stream that was interrupted.
- **Versions.** This is version 2. The same routes are also served under \`/v1\`, for programs written for Berth 0.2: there a few
  fields have their older names beside the new ones (\`atMs\` for \`at_ms\`), and requests may use either.

\`src/client/client.ts\` is a client in TypeScript; any OpenAPI generator makes one for another language. The rest of this page is
generated from the route table by \`npm run docs\`.`

type Schema = Readonly<Record<string, unknown>>

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface Operation {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

function routeEntry(id: string, route: Route, { paths }: Document): string {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
  const operation = paths[path]?.[route.method.toLowerCase()]
  const inQuery = operation?.parameters.filter((one) => one.in === 'query') ?? []
  const body = schemaIn(operation?.requestBody?.content)
  const reply = schemaIn(operation?.responses[String(route.status)]?.content)
  return [
    `### ${id}`,
    `\`${route.method} ${path}\` · ${whoMay(route.access)}`,
    route.about,
    ...(inQuery.length === 0 ? [] : [`Query:\n\n${inQuery.map(({ name, schema }) => line(name, schema)).join('\n')}`]),
    ...(body === undefined ? [] : [`Body:\n\n${fieldsOf(body).join('\n')}`]),
    ...(reply === undefined
      ? []
      : [`${route.kind === 'stream' ? 'Each entry' : 'Reply'}:\n\n${fieldsOf(reply).join('\n')}`]),
  ].join('\n\n')
}

function schemaIn(content: Content | undefined): Schema | undefined {
  return Object.values(content ?? {})[0]?.schema
}

function whoMay(access: Action | undefined): string {
  if (access === undefined) return 'no token needed'
  const { roles, scope } = ACCESS_RULES[access]
  const where = { project: ' of the project', visible: '', anywhere: '', platform: ' of all projects' }[scope]
  return `role: ${roles[0]}${where}`
}

/** The fields of an object, a line each; fields inside fields are indented. */
function fieldsOf(schema: Schema, depth = 0): readonly string[] {
  const choices = choicesIn(schema)
  const general = choices.length > CHOICES_SHOWN ? choices.at(-1) : undefined
  if (general !== undefined) return [...fieldsOf(general, depth), ...aboutOf(schema)]
  const inside = objectIn(schema)
  if (inside === undefined || Object.keys(recordIn(inside['properties'])).length === 0)
    return [`${indent(depth)}- ${typeText(schema)}`]
  const required = listOf(inside['required'])
  return Object.entries(recordIn(inside['properties'])).flatMap(([name, field]) => {
    const isOptional = !required.includes(name)
    return [line(name, field, { isOptional, depth }), ...nested(field, depth + 1)]
  })
}

/** Of a longer choice, only the last and most general one is shown. */
const CHOICES_SHOWN = 12

function choicesIn(schema: Schema): readonly Schema[] {
  const any = [...schemasIn(schema['anyOf']), ...schemasIn(schema['oneOf'])]
  return any.flatMap((one) => (choicesIn(one).length === 0 ? [one] : choicesIn(one)))
}

function aboutOf({ description }: Schema): readonly string[] {
  return typeof description === 'string' ? ['', description] : []
}

function nested(schema: Schema, depth: number): readonly string[] {
  const inside = schema['type'] === 'array' ? recordIn(schema)['items'] : schema
  return inside !== undefined && objectIn(inside) !== undefined ? fieldsOf(inside, depth) : []
}

function line(name: string, schema: Schema, { isOptional = false, depth = 0 } = {}): string {
  const about = typeof schema['description'] === 'string' ? `. ${schema['description'].replace(/\.$/, '')}` : ''
  return `${indent(depth)}- \`${name}\`${isOptional ? ' (may be left out)' : ''}: ${shortText(schema)}${about}`
}

function indent(depth: number): string {
  return '  '.repeat(depth)
}

/** The type of a field whose own fields are listed below it. */
function shortText(schema: Schema): string {
  if (objectIn(schema) !== undefined) return 'object'
  const items = schema['type'] === 'array' ? recordIn(schema)['items'] : undefined
  return items !== undefined && objectIn(items) !== undefined ? 'list of objects' : typeText(schema)
}

/** An object with fields of its own; undefined: it is something else, or has a name. */
function objectIn(schema: Schema): Schema | undefined {
  return typeof schema['properties'] === 'object' ? schema : undefined
}

function typeText(schema: Schema): string {
  const { type } = schema
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const name = reference.slice(reference.lastIndexOf('/') + 1)
    return `[${name}](#${name.toLowerCase()})`
  }
  const choices = listOf(schema['enum'])
  if (choices.length > 0) return choices.map((choice) => `\`${choice}\``).join(', ')
  if ('const' in schema) return `\`${String(schema['const'])}\``
  const any = [...schemasIn(schema['anyOf']), ...schemasIn(schema['oneOf'])]
  if (any.length > 0) return any.map(typeText).join(' or ')
  if (type === 'array') return `list of ${typeText(recordIn(schema)['items'] ?? {})}`
  if (objectIn(schema) !== undefined) {
    const names = Object.entries(recordIn(schema['properties'])).map(([name, field]) => `${name}: ${typeText(field)}`)
    return names.length === 0 ? 'object' : `{ ${names.join(', ')} }`
  }
  if (type === 'object') return `map of ${typeText(recordIn(schema)['additionalProperties'] ?? {})}`
  return typeof type === 'string' ? type : 'anything'
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function schemasIn(value: unknown): readonly Schema[] {
  return listOf(value).filter((each): each is Schema => typeof each === 'object' && each !== null)
}

function recordIn(value: unknown): Readonly<Record<string, Schema>> {
  // Read from a JSON schema: under these keys it has schemas.
  return (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, Schema>>
}
