import { describe, expect, test } from 'vitest'
import { becomes, call, freshTag, isUp, launchCall, stopped, yes } from '../../../src/providers/contract/bench.suite.ts'
import { cloudBench } from '../bench.suite.ts'
import { CLOUDS } from '../cases.ts'
import { differences, type JsonSchema } from './json-schema.ts'
import { NO_SPEC, refereeFor, Referee, type Exchange } from './referee.ts'

describe.each(Object.entries(CLOUDS))('%s through the referee', (_, cloud) => {
  const { file, base } = cloud.spec
  const isThere = refereeFor(file, base) !== undefined
  const title = isThere ? '' : ` (${NO_SPEC})`

  test.skipIf(!isThere)(`one wrong field of the adapter or of the pretended cloud is noticed${title}`, async () => {
    const bench = await cloudBench(cloud)
    const tag = freshTag()
    const order = { ...(await bench.order({ kind: 'serve' })), tag }
    const { instance } = yes(await bench.provider.launch(order, launchCall()))
    await becomes(bench, { tag, instance }, isUp)
    yes(await bench.provider.list(tag.owner, call()))
    await stopped(bench, { tag, instance })
    const exchanges = bench.cloud.referee?.exchanges ?? []
    await bench.cleanup()

    const complaints = (exchange: Exchange): readonly string[] => {
      const referee = refereeFor(file, base)
      referee?.see(exchange)
      return referee?.violations ?? []
    }
    const create =
      exchanges.find(({ method, body }) => method !== 'GET' && body.includes('registry.example')) ?? withData(exchanges)
    expect(create && complaints(create)).toEqual([])
    const sent: unknown = JSON.parse(create?.body ?? '{}')
    for (const wrong of mutantsOf(sent)) {
      expect(create && complaints({ ...create, body: JSON.stringify(wrong) }), JSON.stringify(wrong)).not.toEqual([])
    }
    const list = exchanges.findLast(({ method, reply }) => method === 'GET' && reply.text.includes(String(instance)))
    expect(list && complaints(list)).toEqual([])
    const text =
      list?.reply.text.replaceAll(/"(id|image|name|label|ip|status)":("[^"]*"|\d+)/g, '"$1":{"odd":true}') ?? ''
    expect(list && complaints({ ...list, reply: { ...list.reply, text } })).not.toEqual([])
    expect(complaints({ ...(list ?? missing()), path: '/no/such/path' })).toHaveLength(1)
    expect(complaints({ ...(list ?? missing()), query: new URLSearchParams('odd=1') })).not.toEqual([])
  })
})

function missing(): never {
  throw new Error('there was no list')
}

/** Machines are given their image inside of other data. */
function withData(exchanges: readonly Exchange[]): Exchange | undefined {
  return exchanges.find(({ method, body }) => method !== 'GET' && /user_data|base64_script/.test(body))
}

/** The same body with a key that is not in the spec, and with something else where a text belongs. */
function mutantsOf(body: unknown): readonly unknown[] {
  if (typeof body !== 'object' || body === null) return []
  const texts = Object.entries(body).filter(([, value]) => typeof value === 'string')
  return [{ ...body, odd_field: 1 }, ...texts.map(([key]) => ({ ...body, [key]: 17.5 }))]
}

describe('a value that differs from its schema', () => {
  const PODS: JsonSchema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
  const resolve = (): JsonSchema => PODS

  test.each<[string, unknown, JsonSchema, readonly string[]]>([
    ['lacks a key', {}, PODS, ['body: lacks id']],
    ['has a wrong type', { id: 1 }, PODS, ['body.id: must be string, and is 1']],
    ['has it behind a reference', { id: 1 }, { $ref: '#/x' }, ['body.id: must be string, and is 1']],
    ['is null', null, { type: ['string', 'null'] }, []],
    ['is null in the older way', null, { type: 'string', nullable: true }, []],
    ['is none of the choices', 'c', { enum: ['a', 'b'] }, ['body: must be one of a, b']],
    ['is too long', 'abc', { maxLength: 2 }, ['body: must have 2 characters or fewer']],
    ['does not match', 'A', { pattern: '^[a-z]$' }, ['body: must match ^[a-z]$']],
    ['is in a list', ['a', 1], { items: { type: 'string' } }, ['body[1]: must be string, and is 1']],
    [
      'has one key too many',
      { id: 'a', b: 1 },
      { ...PODS, additionalProperties: false },
      ['body: b is not in the spec'],
    ],
    [
      'has one too many for all its parts',
      { id: 'a', b: 1 },
      { allOf: [PODS], unevaluatedProperties: false },
      ['body: b is not in the spec'],
    ],
    ['is fine for one of several', { id: 'a' }, { anyOf: [{ type: 'string' }, PODS] }, []],
    ['is fine for none', 1, { oneOf: [{ type: 'string' }, PODS] }, ['body: must be string, and is 1']],
    [
      'lacks what follows from what it has',
      { id: 'a' },
      JSON.parse('{"if":{"required":["id"]},"then":{"required":["b"]}}'),
      ['body: lacks b'],
    ],
    ['is too small', 0, { minimum: 1 }, ['body: must be at least 1']],
    ['is no time', 'x', { type: 'string', format: 'date-time' }, ['body: must be a time']],
  ])('%s', (_, value, schema, expected) => {
    expect(differences(value, schema, resolve)).toEqual(expected)
  })
})

test('a path with a name in it is nearer than one with a place for any', () => {
  const spec = { paths: { '/a/{id}': { get: {} }, '/a/types': { get: { responses: { '200': {} } } } } }
  const referee = new Referee(spec, '')
  const reply = { status: 200, type: 'application/json', text: '{}' }
  referee.see({ method: 'GET', path: '/a/types', query: new URLSearchParams(), headers: {}, body: '', reply })
  expect([...referee.used]).toEqual(['GET /a/types'])
})
