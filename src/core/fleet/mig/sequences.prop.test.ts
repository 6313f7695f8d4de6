import { expect, test } from 'vitest'
import { forbidden } from './published.suite.ts'
import { playSequences } from './sequences.suite.ts'
import { times } from '../../base/laws.suite.ts'

const SEQUENCES = times(100_000)

test('no sequence of requests and departures reaches a geometry that drivers forbid, or turns work away for nothing', () => {
  const { wrong, firstWrong, sequences, taken, refused, givenBack } = playSequences(0, SEQUENCES)
  expect({ wrong, firstWrong }).toEqual({ wrong: 0, firstWrong: undefined })
  expect(sequences).toBe(SEQUENCES)
  for (const happened of [taken, refused, givenBack]) expect(happened).toBeGreaterThan(SEQUENCES)
})

test.each([
  ['1g.10gb', 7, 'cannot start at 7'],
  ['3g.40gb', 2, 'cannot start at 2'],
  ['1g.5gb', 0, 'has no 1g.5gb'],
  ['1g.20gb', 4, 'share unit 4'],
])('the checker would see %s at %i', (profile, start, why) => {
  const lying = { kind: 'slice', profile: '2g.20gb', start: 4 } as const
  expect(forbidden('h100-sxm', [lying])).toBeUndefined()
  expect(forbidden('h100-sxm', [lying, { kind: 'slice', profile, start }])).toContain(why)
})
