import { beforeAll, describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { WIRINGS } from '../../fleet/topology/sequences.suite.ts'
import { runEngine, type TopologyFigures } from './topology.suite.ts'
import { times } from '../../base/laws.suite.ts'

// `npm run bench -- topology` runs 10,000 on each wiring and prints the figures.
const SEQUENCES = times(1500)
const [first, ...others] = WIRINGS
const ANY = [must(first, 'there are wirings'), ...others] as const
const NAMED = ['nvswitch-8', 'dual-socket-pcie-8', 'paired-nvlink-8'].map((name) => ({
  name,
  wirings: [must(find(name), name)] as const,
}))

describe.each([...NAMED, { name: 'all wirings side by side', wirings: ANY }])(
  'the engine, on random sequences of jobs on $name',
  ({ wirings }) => {
    let figures: TopologyFigures
    beforeAll(() => {
      figures = runEngine(wirings, { sequences: SEQUENCES, seed: 1 })
    })

    test('places many jobs and has to refuse many', () => {
      expect(figures.joined).toBeGreaterThan(10 * SEQUENCES)
      expect(figures.refused).toBeGreaterThan(SEQUENCES)
    })

    test('lets a job cross an island only when no island in the fleet could hold it', () => {
      expect(figures.avoidable).toBe(0)
    })

    test('never takes cards with a slower slowest pair than cards of the same wiring would give', () => {
      expect(figures.slower).toBe(0)
    })

    test('takes the fastest pairs there are for at least 99 % of the jobs', () => {
      expect(1 - figures.notBest / figures.joined).toBeGreaterThanOrEqual(0.99)
    })
  },
)

test('jobs have to cross islands now and then, or nothing would be shown', () => {
  const { crossings } = runEngine([must(find('dual-socket-pcie-8'), 'it is there')], { sequences: 200, seed: 2 })
  expect(crossings).toBeGreaterThan(5)
})

test('the same checks catch an engine that is not told how cards are wired', () => {
  const blind = { sequences: 100, seed: 1, told: () => undefined }
  for (const wiring of WIRINGS.filter(({ name }) => name !== 'nvswitch-8')) {
    const { avoidable, slower, notBest, joined } = runEngine([wiring], blind)
    expect(avoidable).toBeGreaterThan(0)
    expect(slower).toBeGreaterThan(0)
    expect(notBest / joined).toBeGreaterThan(0.01)
  }
})

function find(name: string): (typeof WIRINGS)[number] | undefined {
  return WIRINGS.find((wiring) => wiring.name === name)
}
