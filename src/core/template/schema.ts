import * as z from 'zod'
import type { IssueParams } from '../document/traits.ts'
import { optional, required } from '../requirement/fields.ts'
import { PARAMETER_FORM } from './places.ts'

const value = z.union([z.string().max(32_768), z.number(), z.boolean()])

const parameter = z
  .strictObject({
    type: required(z.enum(['text', 'number', 'boolean']), {
      description: 'Type of the value.',
      examples: ['number'],
    }),
    default: optional(value, { description: 'Value when a launch does not set one.', examples: [2] }),
    allowed: optional(z.array(value).min(1).max(1000), {
      description: 'Allowed values. Left out: any value of the type.',
      examples: [[1, 2, 4]],
    }),
    description: optional(z.string().max(1000), {
      description: 'One line for users who launch the template.',
      examples: ['Number of replicas.'],
    }),
  })
  .meta({ examples: [{ type: 'number', default: 2 }] })
  .superRefine(refuseMisfits)

/** The `parameters` of a template, by name. */
export const parametersSchema = z.record(
  z
    .string()
    .regex(
      PARAMETER_FORM,
      'The name of a parameter has lower-case letters, digits and underscores, and starts with a letter.',
    ),
  parameter,
)

type ParametersFile = z.output<typeof parametersSchema>
export type ParameterFile = ParametersFile[string]

type Value = z.output<typeof value>

interface Shape {
  readonly type: 'text' | 'number' | 'boolean'
  readonly default?: Value | undefined
  readonly allowed?: readonly Value[] | undefined
}

/** Whether a value has the type of a parameter. */
function isOfType(type: Shape['type'], value: Value): boolean {
  return typeof value === (type === 'text' ? 'string' : type)
}

const TYPE_WORDS = { text: 'text', number: 'a number', boolean: 'true or false' } as const

function refuseMisfits(shape: Shape, context: z.core.$RefinementCtx<Shape>): void {
  const refuse = (path: readonly (string | number)[], message: string, params: IssueParams) =>
    context.addIssue({ code: 'custom', path: [...path], message, params: { ...params } })
  const hint = shape.type === 'text' ? 'Put it in quotes.' : 'Change the value or the type.'
  const message = `This must be ${TYPE_WORDS[shape.type]}, as the type says.`
  for (const [index, one] of (shape.allowed ?? []).entries()) {
    if (!isOfType(shape.type, one)) refuse(['allowed', index], message, { code: 'VALUE_TYPE', hint })
  }
  if (shape.default === undefined) return
  if (!isOfType(shape.type, shape.default)) return refuse(['default'], message, { code: 'VALUE_TYPE', hint })
  if (shape.allowed === undefined || shape.allowed.includes(shape.default)) return
  const list = { code: 'VALUE_CONFLICT', hint: 'Add it to `allowed`, or choose one from there.' } as const
  refuse(['default'], 'The default is not one of the allowed values.', list)
}
