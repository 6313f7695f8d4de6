import * as z from 'zod'
import { manifestJsonSchema } from '../manifest/json-schema.ts'
import { parametersSchema } from './schema.ts'

/** A template as JSON Schema: a manifest in which every value may be a placeholder, and its parameters. */
export function templateJsonSchema(): Readonly<Record<string, unknown>> {
  const { properties, ...rest } = manifestJsonSchema()
  const { $schema: _, ...parameters } = z.toJSONSchema(parametersSchema, { io: 'input', unrepresentable: 'any' })
  return {
    ...rest,
    $id: 'urn:berth:template:v1',
    title: 'Berth launch template, version 1',
    properties: { parameters: { ...parameters, description: PARAMETERS }, ...withPlaces(properties) },
  }
}

const PARAMETERS = 'Parameters that a launch may set, by name. The value replaces ${name}.'
const PLACE = { type: 'string', pattern: '\\$\\{[a-z][a-z0-9_]*\\}' }

/** Every property, or a text that contains a placeholder. */
function withPlaces(properties: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(properties)) return {}
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => [key, { anyOf: [inside(schema), PLACE] }]),
  )
}

function inside(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inside)
  if (!isRecord(schema)) return schema
  const { properties, items, anyOf } = schema
  return {
    ...schema,
    ...(properties !== undefined && { properties: withPlaces(properties) }),
    ...(items !== undefined && { items: { anyOf: [inside(items), PLACE] } }),
    ...(anyOf !== undefined && { anyOf: inside(anyOf) }),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
