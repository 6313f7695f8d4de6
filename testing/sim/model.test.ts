import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawScenario, type Scenario } from './scenario.ts'
import type { UserAction } from './users/action.ts'
import { Controller } from '../../src/controller/controller.ts'
import { START_MS } from '../../src/controller/loop.suite.ts'
import { World } from './world.ts'
import type { Wish } from './users/wishes.ts'
import { sized } from '../../src/core/base/laws.suite.ts'

/** What somebody may do to one of three services, in a few words. */
type Command =
  | { readonly kind: 'apply'; readonly name: string; readonly replicas: number }
  | { readonly kind: 'scale'; readonly name: string; readonly replicas: number }
  | { readonly kind: 'stop' | 'remove'; readonly name: string }

const name = fc.constantFrom('work-a', 'work-b', 'work-c')
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ kind: fc.constant('apply' as const), name, replicas: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ kind: fc.constant('scale' as const), name, replicas: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ kind: fc.constantFrom('stop' as const, 'remove' as const), name }),
)

/** The smallest thing that behaves as users expect: how many replicas run under each name. */
function reference(commands: readonly Command[]): ReadonlyMap<string, number> {
  const running = new Map<string, number>()
  const isStopped = new Set<string>()
  for (const { kind, name: of, ...rest } of commands) {
    const isThere = running.has(of)
    if (kind === 'apply') {
      running.set(of, 'replicas' in rest ? rest.replicas : 0)
      isStopped.delete(of)
    } else if (kind === 'scale' && isThere) running.set(of, 'replicas' in rest ? rest.replicas : 0)
    else if (kind === 'stop' && isThere) isStopped.add(of)
    else if (kind === 'remove') {
      running.delete(of)
      isStopped.delete(of)
    }
  }
  return new Map([...running].map(([of, replicas]) => [of, isStopped.has(of) ? 0 : replicas]))
}

/** Longer than any provider's queue. */
const CALM_MS = 2_400_000

/** Far enough apart that a removal is over before the next command. */
const EVERY_MS = 90_000

function actionsOf(commands: readonly Command[], wish: Wish): readonly UserAction[] {
  return commands.map((each, index): UserAction => {
    const at = index * EVERY_MS + 1000
    if (each.kind !== 'apply') return { ...each, at }
    return { kind: 'apply', at, wish: { ...wish, name: each.name, replicas: each.replicas, edition: index } }
  })
}

const WISH: Wish = {
  name: '',
  project: 'default',
  kind: 'service',
  shape: 'small',
  replicas: 1,
  nodes: 1,
  spread: 'none',
  drains: false,
  seconds: undefined,
  exits: '0',
  restarts: undefined,
  completions: 1,
  maxDurationSeconds: undefined,
  checkpointSeconds: undefined,
  policy: undefined,
  secrets: [],
  edition: 1,
}

test('whatever users do, in the end there runs what a few lines of arithmetic say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(command, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 500 }),
      async (commands, seed) => {
        const stormMs = commands.length * EVERY_MS
        const scenario: Scenario = {
          ...drawScenario(seed),
          stormMs,
          faults: [],
          projects: {},
          actions: actionsOf(commands, WISH),
        }
        const world = new World(scenario, { make: (deps) => new Controller(deps) })
        await world.begin()
        await world.loop.run(START_MS + stormMs + CALM_MS, () => world.invariants.violations.length > 0)
        expect(world.invariants.violations).toEqual([])
        const { workloads, placements } = world.invariants.mirror
        const found = [...workloads.keys()].map((key) => {
          const up = [...placements].filter(([row, { phase }]) => row.startsWith(`${key}/`) && phase === 'running')
          return [key.slice('default/'.length), up.length] as const
        })
        expect(new Map(found)).toEqual(reference(commands))
      },
    ),
    { numRuns: sized({ quick: 8, whole: 40 }), seed: 7 },
  )
})
