import { expect, test } from 'vitest'
import { manifestJsonSchema } from './json-schema.ts'

const schema = JSON.parse(JSON.stringify(manifestJsonSchema()))

test('says what it is', () => {
  expect(Object.keys(schema).slice(0, 4)).toEqual(['$schema', '$id', 'title', 'type'])
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:berth:manifest:v1',
    title: 'Berth manifest, version 1',
    type: 'object',
    additionalProperties: false,
    required: ['berth', 'kind', 'name', 'image'],
  })
})

test('describes every key, with an example', () => {
  const missing: string[] = []
  walk(schema, '', missing)
  expect(missing).toEqual([])
})

test('distinguishes texts that need quotes from those that do not', () => {
  const { resources, env, replicas } = schema.properties
  expect(resources.properties.cpu).toMatchObject({ type: ['string', 'number'], examples: [16] })
  expect(resources.properties.gpu.properties.min_driver).toMatchObject({
    type: ['string', 'number'],
    examples: ['550'],
  })
  expect(resources.properties.memory).toMatchObject({ type: 'string', examples: ['200Gi'] })
  expect(env.additionalProperties.type).toEqual(['string', 'number', 'boolean'])
  expect(resources.properties.gpu.properties.count).toMatchObject({
    type: 'integer',
    minimum: 1,
    maximum: 1024,
    default: 1,
  })
  expect(replicas).toMatchObject({
    default: 1,
    anyOf: [{ type: 'integer' }, { type: 'object', required: ['min', 'max'] }],
  })
})

test('lists the architectures', () => {
  const [one, many] = schema.properties.resources.properties.gpu.properties.arch.anyOf
  expect(one.enum).toContain('hopper')
  expect(many.items.enum).toEqual(one.enum)
  expect(one.type).toBe('string')
})

test('has patterns that take their own examples', () => {
  const wrong: string[] = []
  patterns(schema, wrong)
  expect(wrong).toEqual([])
})

function walk(node: Record<string, unknown>, path: string, missing: string[]): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue
    const inner = value as Record<string, unknown>
    if (
      path.endsWith('.properties') &&
      (typeof inner['description'] !== 'string' || !Array.isArray(inner['examples']))
    ) {
      missing.push(`${path}.${key}`)
    }
    walk(inner, `${path}.${key}`, missing)
  }
}

function patterns(node: Record<string, unknown>, wrong: string[]): void {
  const { pattern, examples } = node
  if (typeof pattern === 'string' && Array.isArray(examples)) {
    for (const example of examples)
      if (!new RegExp(pattern, 'u').test(String(example))) wrong.push(`${pattern}: ${example}`)
  }
  for (const value of Object.values(node)) {
    if (typeof value === 'object' && value !== null) patterns(value as Record<string, unknown>, wrong)
  }
}
