import * as z from 'zod'
import { describe, expect, test } from 'vitest'
import { placed, service, workloadOf } from '../keep.suite.ts'
import { FRESH_STATUS } from '../status.ts'
import { checkOf } from './check.ts'
import { ROW_FORMATS } from './formats.ts'

const MORE = 'env: { A: "1" }\nports: [{ name: http, port: 80, health: /ok }]\nstorage: [{ mount: /a, size: 1Gi }]\n'
const WORKLOAD = workloadOf(service(2, MORE))
const node = {
  id: 'n1',
  spot: { node: 0, cards: [1], taken: { kind: 'slice', profile: '1g.10gb', start: 0 } },
  request: { cpuMilli: 1, memoryMib: 1, diskMib: 1, count: 1, part: { kind: 'share', milli: 500 }, models: ['l4'] },
}
const { order, ...placement } = placed(WORKLOAD, '0', 'stopping', { exit: { kind: 'code', code: 3 } })
const BODIES = [
  ['workload', WORKLOAD],
  ['placement', { ...placement, order: { ...order, place: { ...order.place, node } } }],
  ['status', { ...FRESH_STATUS, uid: 'u', generation: 1, resumePoints: { '0': 1 }, completed: [1] }],
  [
    'template',
    { version: 1, text: '', parameters: [{ name: 'a', type: 'text', default: 1 }], createdMs: 1, createdBy: '' },
  ],
  ['provider', { kind: 'sim', settings: { any: ['thing'] }, state: 'open' }],
] as const
const WRONG = [null, 'wrong', 7, true, [], [7], {}, { kind: 'wrong' }]

describe.each(BODIES)('the check of a %s', (kind, written) => {
  const { schema, check } = ROW_FORMATS[kind]
  const body: unknown = JSON.parse(JSON.stringify(written))

  test('says what its schema says, of the body and of everything that could stand in its place', () => {
    expect([check(body), schema.safeParse(body).success]).toEqual([true, true])
    let count = 0
    for (const path of pathsIn(body)) {
      for (const wrong of [...WRONG, undefined]) {
        const spoilt = withAt(body, path, wrong)
        expect([path, wrong, check(spoilt)]).toEqual([path, wrong, schema.safeParse(spoilt).success])
        count++
      }
    }
    expect(count).toBeGreaterThan(30)
  })
})

test('a part that no row is made of is not taken for one', () => {
  expect(() => checkOf(z.object({ at: z.date() }))).toThrow('rows are not made of date')
})

type Path = readonly (string | number)[]

function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path]
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value)
  return [path, ...entries.flatMap(([key, inside]) => pathsIn(inside, [...path, key]))]
}

function withAt(value: unknown, [key, ...rest]: Path, wrong: unknown): unknown {
  if (key === undefined) return wrong
  if (Array.isArray(value)) return value.map((inside, index) => (index === key ? withAt(inside, rest, wrong) : inside))
  // A path leads through objects and lists only.
  const object = value as Readonly<Record<string, unknown>>
  return { ...object, [key]: withAt(object[key], rest, wrong) }
}
