import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { bruteForce } from '../core/pack/optimal/brute-force.suite.ts'
import { checkPlaces } from '../core/pack/optimal/check.ts'
import { problem, racked, share, slice, spot, whole } from '../core/pack/optimal/problem.suite.ts'
import { sourceSolver } from '../solver/highs.suite.ts'
import { optimalSpots } from './optimal.ts'
import { cases } from '../core/base/laws.suite.ts'

const SOLVER = sourceSolver()
afterAll(() => SOLVER.close())

const hosts = fc.record({ cpuMilli: fc.integer({ min: 0, max: 4 }), memoryMib: fc.integer({ min: 0, max: 4 }) })

const node = fc
  .record({
    cards: fc.integer({ min: 0, max: 2 }),
    parts: fc.constantFrom('none', 'share', 'mig'),
    model: fc.constantFrom('h100-sxm', 'l40s'),
    failing: fc.constantFrom<readonly number[]>([], [], [0]),
    rack: fc.constantFrom('r1', 'r2', undefined),
    host: hosts,
  })
  .map(({ rack, host, ...rest }) =>
    racked('n', rack, { ...rest, cpuMilli: 4 + host.cpuMilli, memoryMib: 4 + host.memoryMib }),
  )

const models = fc.constantFrom<readonly string[] | undefined>(undefined, undefined, ['h100-sxm'])
const request = fc.oneof(
  fc
    .tuple(fc.integer({ min: 0, max: 2 }), hosts, models)
    .map(([count, host, of]) => whole(count, { ...host, models: of })),
  fc
    .tuple(fc.constantFrom(200, 300, 500, 700), fc.constantFrom(1, 1, 2), hosts)
    .map(([milli, count, host]) => share(milli, { ...host, count })),
  fc
    .tuple(fc.constantFrom(10, 20, 40, 80), fc.constantFrom(1, 1, 1, 2), hosts)
    .map(([gib, count, host]) => slice(gib, { ...host, count })),
)

const gang = fc.record({ nodes: fc.constant(2), within: fc.constantFrom('rack' as const, undefined) })
const pending = fc.record({ request, gang, weight: fc.integer({ min: 1, max: 3 }) }, { requiredKeys: ['request'] })

/** Something that lies on the first card, or on no card. */
const tenants = fc.constantFrom(
  [],
  [{ request: whole(1), spot: spot(0, [0]) }],
  [{ request: share(300), spot: spot(0, [0], { kind: 'share', milli: 300 }) }],
  [{ request: slice(10), spot: spot(0, [0], { kind: 'slice', profile: '1g.10gb', start: 1 }) }],
)

test('what the solver accepts is what trying everything accepts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(node, { minLength: 1, maxLength: 3 }),
      fc.array(pending, { minLength: 1, maxLength: 4 }),
      tenants,
      async (nodes, waiting, there) => {
        const given = problem(nodes, waiting, there)
        const found = await optimalSpots(given, SOLVER, { limitMs: 60_000 })
        expect(found).toMatchObject({ kind: 'planned', work: bruteForce(given), proven: { work: true } })
        if (found.kind === 'planned') expect(checkPlaces(given, found.places)).toEqual([])
      },
    ),
    cases(150),
  )
})
