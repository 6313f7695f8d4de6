import { describe, expect, test } from 'vitest'
import { must } from '../../base/assert.ts'
import { oneOf } from '../../requirement/need/choice.ts'
import { atLeast, atMost } from '../../requirement/need/range.ts'
import { rowCount } from '../../offer/snapshot.ts'
import { describeVerdicts } from './every-verdict.ts'
import { everyVerdict } from './every-verdict.suite.ts'
import { planFor, sold } from '../capacity.suite.ts'
import { verdictOf } from '../tally.ts'

const OFFERS = [
  sold('taken', 1),
  sold('passed', 2),
  sold('dear', 9, { spotUsdPerHour: 1 }),
  sold('unsold', undefined),
  sold('small', 3, { cpu: 8, memoryGib: undefined }),
  sold('bare', 3, { gpu: undefined }),
  sold('suspect', 3, { quarantine: 'NAME_UNKNOWN' }),
]

const SCENE = {
  need: { cpu: atLeast(16), memoryGib: atLeast(8), usdPerHour: atMost(4), unknownAccepted: oneOf(['quota']) },
}

describe('the verdict on every offer', () => {
  const planned = () =>
    planFor(OFFERS, { ...SCENE, role: 'one' }, { ...SCENE, role: 'two', need: { market: oneOf(['spot']) } })

  test('agrees with the verdict on each', () => {
    const plan = planned()
    for (const ask of plan.asks) {
      const { machine, circumstance } = everyVerdict(ask, plan)
      for (let row = 0; row < rowCount(plan.snapshot); row++) {
        const { judgement } = ask
        expect({ machine: machine[row], circumstance: circumstance[row] }).toEqual(
          verdictOf(plan.snapshot, judgement, row),
        )
      }
    }
  })

  test('is taken, passed over or refused, with every reason', () => {
    const plan = planned()
    const verdicts = [...describeVerdicts(plan)].filter((verdict) => verdict.role === 'one')
    const short = verdicts.map(({ offer, verdict, score, reasons }) => {
      const codes = reasons.map(({ code, requirement, wanted, found }) => `${code} ${requirement} ${wanted} ${found}`)
      return [offer.id, verdict, score, ...codes].join('; ')
    })
    expect(short.toSorted()).toEqual([
      'bare; refused; ; NO_GPU gpu a GPU none',
      'dear; refused; ; OVER_PRICE price $4.00 $9.00',
      'passed; passed over; 0.5',
      'small; refused; ; TOO_LITTLE_CPU cpu 16 8; MEMORY_UNKNOWN memory 8Gi undefined',
      'suspect; refused; ; QUARANTINED quarantine a row that can be believed NAME_UNKNOWN',
      'taken; taken; 1',
      'unsold; refused; ; NOT_SOLD_SO market on-demand no price',
    ])
  })

  test('prices each offer on the terms of the ask', () => {
    const plan = planned()
    const verdicts = [...describeVerdicts(plan)]
    expect(verdicts).toHaveLength(2 * OFFERS.length)
    const find = (role: string, id: string) =>
      must(
        verdicts.find((verdict) => verdict.role === role && verdict.offer.id === id),
        'every offer has a verdict',
      )
    expect(find('one', 'dear').offer).toMatchObject({ usd_per_hour: 9, terms: 'on-demand' })
    expect(find('one', 'unsold').offer).toMatchObject({ usd_per_hour: undefined, terms: undefined })
    expect(find('two', 'dear')).toMatchObject({ verdict: 'taken', offer: { usd_per_hour: 1, terms: 'spot' } })
    expect(find('two', 'taken')).toMatchObject({ verdict: 'refused', score: undefined })
  })
})
