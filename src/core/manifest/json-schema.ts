import * as z from 'zod'
import { traits } from '../document/traits.ts'
import { manifestSchema } from './schema.ts'

/** The manifest's definition as JSON Schema (draft 2020-12), for editors and other tools. */
export function manifestJsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...rest } = z.toJSONSchema(manifestSchema, { io: 'input', override: annotate })
  const anyOf = [{ required: ['resources'] }, { required: ['roles'] }]
  return { $schema, $id: 'urn:berth:manifest:v1', title: 'Berth manifest, version 1', ...rest, anyOf }
}

interface Node {
  readonly zodSchema: z.core.$ZodType
  readonly jsonSchema: z.core.JSONSchema.BaseSchema
}

/** Adds what zod leaves out where text is transformed: the pattern, and that a number needs no quotes. */
function annotate({ zodSchema, jsonSchema }: Node): void {
  const { examples, default: left } = z.globalRegistry.get(zodSchema) ?? {}
  const isBareText = traits.get(zodSchema)?.asWritten === true && jsonSchema.type === 'string'
  const isAnyText = isBareText && jsonSchema.pattern === undefined && jsonSchema.enum === undefined
  Object.assign(
    jsonSchema,
    examples !== undefined && { examples },
    left !== undefined && { default: left },
    isAnyText && { type: ['string', 'number', 'boolean'] },
  )
}
