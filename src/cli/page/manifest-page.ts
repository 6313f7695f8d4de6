import { manifestJsonSchema } from '../../core/manifest/json-schema.ts'
import { WITHOUT_EFFECT, type IdleKey } from '../../core/manifest/without-effect.ts'

/** docs/manifest.md: every key of a manifest, from the schema that checks it. */
export function manifestPage(): string {
  const rows = keysOf(asSchema(manifestJsonSchema()), '').map(
    ({ path, about, example }) => `| \`${path}\` | ${about} | ${example} |`,
  )
  const keys = ['| key | meaning | example |', '|---|---|---|', ...rows].join('\n')
  return `${[INTRO, keys, OUTRO, idleSection()].join('\n\n')}\n`
}

/** The keys without effect, from the table that the warnings come from. */
function idleSection(): string {
  const rows = WITHOUT_EFFECT.map(({ keys, why, meanwhile }) => {
    const names = keys.map((key) => `\`${nameOf(key)}\``).join(', ')
    return `| ${names} | ${sentence(why)} | ${meanwhile} |`
  })
  return [IDLE, ['| key | what does not happen | meanwhile |', '|---|---|---|', ...rows].join('\n')].join('\n\n')
}

function nameOf({ path, value }: IdleKey): string {
  return (value === undefined ? path : `${path}: ${value}`).replace('*', 'NAME')
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const IDLE = `## No effect yet

These keys are valid and are stored, but this version does not act on them. \`validate\`, \`plan\`, \`apply\` and \`launch\` warn
about each that a manifest sets (\`NO_EFFECT_YET\`); nothing is refused because of them.`

const INTRO = `# The manifest

A manifest says what a workload needs, never who provides it. The smallest useful one:

\`\`\`yaml
berth: v1
kind: service                 # or job
name: embeddings
image: ghcr.io/acme/tei:1.8
resources:
  cpu: 4
  memory: 16Gi
  gpu: { count: 1, min_vram: 24Gi }
ports: [{ name: http, port: 8080, health: /health }]
\`\`\`

\`examples/\` has nine realistic manifests. \`berth validate FILE\` lists every mistake at once; \`berth schema\` prints the
JSON Schema for editors. This page is generated from the same schema by \`npm run docs\`.
[variables.md](variables.md) lists the environment variables of a workload, including rank and address in a gang.

\`berth\`, \`kind\`, \`name\`, \`image\` and \`resources\` are **required** (\`resources\` in the workload, or in each of its
\`roles\`); the table marks the required keys inside others. \`resources: {}\` accepts any machine. Everything else is
optional; *Left out* gives the default. A job that fails is started again up to 3 times and then ends with its exit code;
\`restart: { max: 0 }\` ends it at the first failure. A service has no such limit unless it sets one.`

const OUTRO = `A \`roles\` entry takes the same \`resources\`, \`replicas\`, \`command\`, \`args\`, \`env\` and \`ports\`, and a \`reserve\`: headroom
kept free for it, as a number of replicas or a percentage. A role inherits from the workload what it leaves out.

**Architectures** are sets of binary targets: \`blackwell\` means the datacentre chips (10.0, 10.3), \`blackwell-rtx\` RTX PRO
and RTX 50 (12.0). **Memory** is written with its unit (\`80Gi\`, \`512Mi\`, \`2Ti\`); \`min_vram\` is compared with the
advertised size, \`min_usable_vram\` with what the driver reports.

**Limits.** 256 KB, 32 levels, one document; no aliases, merge keys or tags; an unknown or duplicate key is an error. A
provider, region, instance type, node selector or GPU product name is refused, and the error names the requirement to use
instead (\`MANIFEST_COUPLED\`).`

interface Key {
  readonly path: string
  readonly about: string
  readonly example: string
}

/** The part of a JSON Schema that this page uses. */
interface Schema {
  readonly description?: string
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
}

function asSchema(schema: unknown): Schema {
  // zod generated this JSON Schema from our own definition, and every key read here is optional.
  return schema as Schema
}

function keysOf(schema: Schema, prefix: string): readonly Key[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, value]) => {
    const path = prefix + name
    const must = schema.required?.includes(name) === true ? '**Required.** ' : ''
    const own = { path, about: must + about(value) + idleMark(path), example: example(value) }
    const inner = [value, ...(value.anyOf ?? [])].flatMap((part) => keysOf(part, `${path}.`))
    const items = value.items === undefined ? [] : keysOf(value.items, `${path}[].`)
    return [own, ...inner, ...items]
  })
}

/** Marks a key, or some of its values, that has no effect yet. */
function idleMark(path: string): string {
  const idle = WITHOUT_EFFECT.flatMap(({ keys }) => keys).filter((key) => key.path === path)
  if (idle.length === 0) return ''
  if (idle.some(({ unsaved }) => unsaved)) return ' *No effect outside of storage with `from` and `mode: rw`.*'
  const isAlone = idle.every(({ alone }) => alone) && idle.every(({ value }) => value === undefined)
  if (isAlone) return ' *Of services on one machine that write to no storage.*'
  const values = idle.filter(({ alone }) => alone !== true).flatMap(({ value }) => value ?? [])
  return values.length === 0
    ? ' *No effect yet.*'
    : ` *No effect yet: ${values.map((one) => `\`${one}\``).join(', ')}.*`
}

function about(schema: Schema): string {
  const words =
    schema.enum === undefined || schema.enum.length < 2
      ? ''
      : ` One of ${schema.enum.map((word) => `\`${String(word)}\``).join(', ')}.`
  const unsaid =
    schema.default === undefined ? '' : ` Left out: \`${JSON.stringify(schema.default).replaceAll('"', '')}\`.`
  return `${schema.description ?? ''}${words}${unsaid}`.replaceAll('|', '\\|')
}

function example(schema: Schema): string {
  const [first] = schema.examples ?? []
  return first === undefined
    ? ''
    : `\`${typeof first === 'string' ? first : JSON.stringify(first)}\``.replaceAll('|', '\\|')
}
