import type * as z from 'zod'
import { assert } from '../../base/assert.ts'

/** Whether a value is what a schema describes. */
export type RowCheck = (value: unknown) => boolean

/**
 * A schema as a function that only says yes or no. A parser makes a copy of everything it is shown: to read the rows of
 * 10,000 workloads a leader would need two thirds longer. Knows the parts that rows are made of, and no others.
 */
export function checkOf(schema: z.ZodType): RowCheck {
  // Every schema is one of zod's own.
  const { def } = schema as unknown as { readonly def: Definition }
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return (value) => typeof value === def.type
    case 'null':
      return (value) => value === null
    case 'unknown':
      return () => true
    case 'literal':
      return oneOf(def.values)
    case 'enum':
      return oneOf(Object.values(def.entries))
    case 'optional': {
      const check = checkOf(def.innerType)
      return (value) => value === undefined || check(value)
    }
    case 'union': {
      const checks = def.options.map(checkOf)
      return (value) => checks.some((check) => check(value))
    }
    case 'array': {
      const check = checkOf(def.element)
      return (value) => Array.isArray(value) && value.every(check)
    }
    case 'record':
      return checkRecord(checkOf(def.valueType))
    case 'object':
      return checkObject(def.shape)
  }
  assert(false, `rows are not made of ${String(Reflect.get(def, 'type'))}`)
}

/** The parts of zod that rows are made of. */
type Definition =
  | { readonly type: 'string' | 'number' | 'boolean' | 'null' | 'unknown' }
  | { readonly type: 'literal'; readonly values: readonly unknown[] }
  | { readonly type: 'enum'; readonly entries: Readonly<Record<string, unknown>> }
  | { readonly type: 'optional'; readonly innerType: z.ZodType }
  | { readonly type: 'union'; readonly options: readonly z.ZodType[] }
  | { readonly type: 'array'; readonly element: z.ZodType }
  | { readonly type: 'record'; readonly valueType: z.ZodType }
  | { readonly type: 'object'; readonly shape: Readonly<Record<string, z.ZodType>> }

function oneOf(values: readonly unknown[]): RowCheck {
  const known = new Set(values)
  return (value) => known.has(value)
}

function checkRecord(check: RowCheck): RowCheck {
  return (value) => {
    if (!isObject(value)) return false
    for (const key in value) if (!check(value[key])) return false
    return true
  }
}

function checkObject(shape: Readonly<Record<string, z.ZodType>>): RowCheck {
  const checks = Object.entries(shape).map(([key, schema]) => ({ key, check: checkOf(schema) }))
  return (value) => {
    if (!isObject(value)) return false
    for (const { key, check } of checks) if (!check(value[key])) return false
    return true
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
