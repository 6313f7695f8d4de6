import { describe, expect, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import type { NewEvent } from './event.ts'
import { definitionOf, EVENTS, type FactsOf } from './kinds.ts'
import { eventSchema } from './wire.ts'

const schema = eventSchema({ seq: z.int() })

describe('an event on the wire', () => {
  test.each(Object.keys(EVENTS))('of kind %s has a schema of its own', (kind) => {
    const { about, example, means } = definitionOf(kind) ?? {}
    const event = { seq: 1, subject: `${about}/a`, kind, facts: { ...example, later: 'of a later version' } }
    expect(schema.parse(event)).toEqual(event)
    const described = z.toJSONSchema(schema)
    expect(JSON.stringify(described)).toContain(JSON.stringify(means))
  })

  test('of another version is passed on as it is', () => {
    for (const event of [
      { seq: 1, subject: 'workload/a', kind: 'of-tomorrow', facts: { n: 1 } },
      { seq: 1, subject: 'workload/a', kind: 'placed', facts: { nothing: null } },
      { seq: 1, subject: 'provider/a', kind: 'accepted', facts: { kind: 'sim' } },
    ])
      expect(schema.parse(event)).toEqual(event)
  })

  test('is not anything at all', () => {
    for (const event of [
      { seq: 1, kind: 'up' },
      { seq: 1, subject: 'workload/a', kind: 'up', facts: { list: [1] } },
    ])
      expect(schema.safeParse(event).success).toBe(false)
  })
})

type Scaled<S extends string, F> = { atMs: 1; project: 'default'; subject: S; kind: 'scaled'; facts: F }
type Facts = { generation: 1; by: 'ada'; replicas: 2 }

test('wrong facts, a subject of another kind and an unknown kind do not compile', () => {
  expectTypeOf<Scaled<'workload/a', Facts>>().toExtend<NewEvent>()
  expectTypeOf<Scaled<'provider/a', Facts>>().not.toExtend<NewEvent>()
  expectTypeOf<Scaled<'workload/a', Omit<Facts, 'replicas'>>>().not.toExtend<NewEvent>()
  expectTypeOf<Scaled<'workload/a', Omit<Facts, 'replicas'> & { replicas: 'two' }>>().not.toExtend<NewEvent>()
  expectTypeOf<Omit<Scaled<'workload/a', Facts>, 'kind'> & { kind: 'restarting' }>().not.toExtend<NewEvent>()
  expectTypeOf<FactsOf<'scaled'>>().toEqualTypeOf<{
    readonly generation: number
    readonly by: string
    readonly role?: string
    readonly replicas: number
  }>()
})
