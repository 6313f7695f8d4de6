import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { NewEvent } from './event.ts'
import { definitionOf, EVENTS } from './kinds.ts'
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

test('facts that do not belong to the kind, and a subject of another kind, do not compile', () => {
  const at = { atMs: 1, project: 'default' }
  const events: readonly NewEvent[] = [
    { ...at, subject: 'workload/a', kind: 'scaled', facts: { generation: 1, by: 'ada', replicas: 2 } },
    // @ts-expect-error: replicas are missing
    { ...at, subject: 'workload/a', kind: 'scaled', facts: { generation: 1, by: 'ada' } },
    // @ts-expect-error: a number is expected
    { ...at, subject: 'workload/a', kind: 'scaled', facts: { generation: 1, by: 'ada', replicas: 'two' } },
    // @ts-expect-error: it has no such fact
    { ...at, subject: 'workload/a', kind: 'scaled', facts: { generation: 1, by: 'ada', replicas: 2, colour: 'red' } },
    // @ts-expect-error: it is told of workloads
    { ...at, subject: 'provider/a', kind: 'scaled', facts: { generation: 1, by: 'ada', replicas: 2 } },
    // @ts-expect-error: there is no such kind
    { ...at, subject: 'workload/a', kind: 'restarting', facts: {} },
  ]
  expect(events).toHaveLength(6)
})
