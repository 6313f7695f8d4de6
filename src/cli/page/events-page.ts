import * as z from 'zod'
import type { Facts } from '../../core/event/event.ts'
import { definitionOf, EVENTS } from '../../core/event/kinds.ts'
import type { EventAbout } from '../../core/event/kinds/kind.ts'
import { eventText } from '../../core/event/text.ts'

/** docs/events.md: every kind of event, what it means, its facts and its words. */
export function eventsPage(): string {
  const parts = HEADS.flatMap(([about, head]) => {
    const kinds = Object.keys(EVENTS).filter((kind) => definitionOf(kind)?.about === about)
    return [`## ${head}`, ...kinds.map(entry)]
  })
  return `${[INTRO, ...parts].join('\n\n')}\n`
}

const INTRO = `# Events

What happened to workloads, providers and the rest of the platform, for people and for scripts: \`berth events\` shows them
in words, \`berth events -o json\` and the API with their facts. Facts are never removed from a kind and never change their
meaning. Kinds and facts may be added, so a script should pass over what it does not know. Events that an earlier version
wrote, or a later one, are shown with the facts that they have.

Facts marked with \`?\` may be left out. No event holds the value of a secret.

This page is generated from the code by \`npm run docs\`.`

const HEADS: readonly (readonly [EventAbout, string])[] = [
  ['workload', 'Workloads'],
  ['provider', 'Providers'],
  ['policy', 'Policies'],
  ['project', 'Projects'],
  ['secret', 'Secrets'],
  ['template', 'Templates'],
]

function entry(kind: string): string {
  const definition = definitionOf(kind)
  if (definition === undefined) return ''
  const { about, means, facts, example } = definition
  // An example has facts only.
  const told = { kind, facts: example as Facts, atMs: 0, project: 'default', subject: `${about}/${NAMES[about]}` }
  return [`### ${kind}\n${means}`, `    ${kind}  ${eventText(told)}`, factsTable(facts)].filter(Boolean).join('\n\n')
}

const NAMES: Readonly<Record<EventAbout, string>> = {
  workload: 'train',
  provider: 'north',
  policy: 'thrifty',
  project: 'research',
  secret: 'HF_TOKEN',
  template: 'chat',
}

function factsTable(facts: z.ZodObject): string {
  const { properties = {}, required = [] } = z.toJSONSchema(facts)
  const rows = Object.entries(properties).map(([name, schema]) => {
    const { description = '', ...type } = typeof schema === 'boolean' ? {} : schema
    return `| \`${name}\`${required.includes(name) ? '' : ' ?'} | ${typeWords(type)} | ${description} |`
  })
  return rows.length === 0 ? '' : `| fact | type | what it is |\n|---|---|---|\n${rows.join('\n')}`
}

type Schema = z.core.JSONSchema.BaseSchema

function typeWords({ type, enum: values, anyOf }: Schema): string {
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ')
  if (anyOf !== undefined) return anyOf.map((one) => typeWords(one)).join(' or ')
  return type === 'string' ? 'text' : type === 'integer' ? 'whole number' : String(type)
}
