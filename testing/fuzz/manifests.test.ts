import { expect, test } from 'vitest'
import { judge } from './judge.ts'
import { fuzzCase } from './manifests.ts'
import { times } from '../../src/core/base/laws.suite.ts'

/** The rest of a million runs at night: `npm run fuzz -- --count 1000000`. */
const CASES = times(20_000)

test(
  `${CASES} odd, broken and hostile manifests are read or refused, and valid ones read`,
  { timeout: 300_000 },
  () => {
    const faults: string[] = []
    const refused: number[] = []
    for (let seed = 0; seed < CASES; seed++) {
      const { kind, input } = fuzzCase(seed)
      const { outcome, fault } = judge(input)
      if (fault !== undefined) faults.push(`case ${seed} (${kind}): ${fault}`)
      if (kind === 'valid' && outcome !== 'manifest') refused.push(seed)
    }
    expect(faults).toEqual([])
    expect(refused).toEqual([])
  },
)
