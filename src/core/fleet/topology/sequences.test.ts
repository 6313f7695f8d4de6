import { beforeAll, describe, expect, test } from 'vitest'
import { lowestCards } from './card-mask.ts'
import { runSequences, WIRINGS, type SequenceFigures } from './sequences.suite.ts'
import { times } from '../../base/laws.suite.ts'

// `npm run bench -- topology` prints the same figures for other seeds.
const RUN = { sequences: times(10_000), seed: 1 }

describe.each(WIRINGS)('random sequences of jobs on $name', (wiring) => {
  let figures: SequenceFigures
  beforeAll(() => {
    figures = runSequences(wiring, RUN)
  })

  test('place many jobs', () => {
    expect(figures.joined).toBeGreaterThan(10 * RUN.sequences)
    expect(figures.refused).toBeGreaterThan(RUN.sequences)
  })

  test('a job crosses an island only when no island could hold it', () => {
    expect(figures.avoidable).toBe(0)
  })

  test('no job has a slower slowest pair than any free set of the fleet would give it', () => {
    expect(figures.slower).toBe(0)
  })

  test('at least 99 % of the jobs have the fastest pairs that were free', () => {
    expect(1 - figures.notBest / figures.joined).toBeGreaterThanOrEqual(0.99)
  })
})

test('the same checks catch a choice that does not look at the wiring', () => {
  const blind = {
    sequences: 200,
    seed: 1,
    choose: (_: unknown, free: number, count: number) => lowestCards(free, count),
  }
  for (const wiring of WIRINGS.filter(({ name }) => name !== 'nvswitch-8')) {
    const { avoidable, slower, notBest, joined } = runSequences(wiring, blind)
    expect(avoidable).toBeGreaterThan(0)
    expect(slower).toBeGreaterThan(0)
    expect(notBest / joined).toBeGreaterThan(0.01)
  }
})
