import { describe, expect, test } from 'vitest'
import { sized } from '../../../src/core/base/laws.suite.ts'
import { CLOUDS } from '../../clouds/cases.ts'
import { simulate } from '../simulate.ts'
import { drawRented } from './draw.ts'
import type { RentedFate } from './trouble.ts'

/** What each of these seeds found, when the adapters of all clouds first met the controller. */
const FOUND: readonly (readonly [seed: number, found: string])[] = [
  [3, 'offers that do not say what their host is were never used'],
  [17, 'work that ends, nobody knows how, was rented again and again for ever'],
  [20, 'a machine of Lambda that never became healthy held its slot for ever'],
  [68, 'a place that had called an order wrong was asked again while the others could not be reached'],
  [211, 'replicas that were to be spread filled one provider that had room for some of them'],
]

/** The clouds that there were then: with others, the same seed is another run. */
const FIRST = ['runpod', 'lambda', 'vast', 'shadeform', 'yotta']

const SEEDS = sized({ quick: 0, whole: 10 })

describe('all rented clouds at once, behind their real adapters', () => {
  test.runIf(SEEDS > 0).each(FOUND)('seed %i: %s', async (seed) => {
    expect((await simulate(drawRented(seed, FIRST))).violations).toEqual([])
  })

  test.runIf(SEEDS > 0)(`${SEEDS} schedules break nothing`, { timeout: 900_000 }, async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { violations } = await simulate(drawRented(seed))
      expect({ seed, violations }).toEqual({ seed, violations: [] })
    }
  })

  test('the same seed gives the same run', async () => {
    const scenario = losing('shadeform', 'lost')
    expect(await simulate(scenario)).toEqual(await simulate(scenario))
  })
})

/** One service on one cloud, whose replies to orders all go wrong in the same way for a minute and a half. */
function losing(provider: string, fate: RentedFate) {
  const drawn = drawRented(1)
  const [wish] = drawn.actions.flatMap((action) => (action.kind === 'apply' ? [action.wish] : []))
  if (wish === undefined) throw new Error('the seed has no workload')
  const plain = { shape: 'small', replicas: 2, spread: 'none', seconds: undefined, secrets: [], isPlain: true } as const
  // Lambda has no small machine.
  const shape = provider === 'lambda' ? 'large' : plain.shape
  const trouble = { kind: 'replies', call: 'create', fate, rate: 1 } as const
  return {
    ...drawn,
    stormMs: 180_000,
    planes: 1,
    rented: [provider],
    actions: [{ kind: 'apply', at: 1000, wish: { ...wish, ...plain, shape } } as const],
    faults: [{ kind: 'rented', at: 0, forMs: 90_000, provider, trouble } as const],
  }
}

describe.each(Object.keys(CLOUDS))('%s, with and without a token', (provider) => {
  test.each<RentedFate>(['lost', 'broken-after'])('replies that are %s leave no orphan and no double', async (fate) => {
    const { violations, ends } = await simulate(losing(provider, fate))
    expect(violations).toEqual([])
    expect(Object.values(ends)).toEqual(['2 up'])
  })
})
