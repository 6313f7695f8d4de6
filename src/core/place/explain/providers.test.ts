import { expect, test } from 'vitest'
import { atLeast } from '../../requirement/need/range.ts'
import { countProviders } from './providers.ts'
import { askPlanFor, sold } from '../capacity.suite.ts'

test('counts by provider what fits, what does not, and what for', () => {
  const capacity = [
    sold('a', 1),
    sold('b', 2),
    sold('c', 3, { region: 'us-1', cpu: 8 }),
    sold('d', 1, { provider: 'beta', cpu: 8 }),
    sold('e', 1, { provider: 'beta', memoryGib: 1 }),
    sold('f', 1, { provider: 'beta', memoryGib: 1, region: 'us-1' }),
    sold('g', 1, { provider: 'gamma', gpu: undefined }),
    sold('h', 1, { provider: 'gamma', gpu: undefined, region: 'us-1' }),
    sold('i', 1, { provider: 'gamma', health: 'failing' }),
    sold('j', 1, { provider: 'delta' }),
    sold('k', 1, { provider: 'delta', quarantine: 'NAME_UNKNOWN' }),
    sold('l', 1, { provider: 'epsilon' }),
  ]
  const { snapshot, judgement, tally } = askPlanFor(capacity, { need: { cpu: atLeast(16), memoryGib: atLeast(8) } })
  const counts = countProviders(snapshot, judgement, tally).map(
    ({ provider, fitting, refused, mostly }) => `${provider} ${fitting} ${refused} ${mostly?.name}`,
  )
  expect(counts.toSorted()).toEqual([
    'alpha 2 1 cpu',
    'beta 0 3 memory',
    'delta 1 1 quarantine',
    'epsilon 1 0 undefined',
    'gamma 0 3 gpu',
  ])
})

test('of two filters that turn down as many names the first', () => {
  const capacity = [sold('a', 1, { memoryGib: 1 }), sold('b', 1, { cpu: 8 })]
  const { snapshot, judgement, tally } = askPlanFor(capacity, { need: { cpu: atLeast(16), memoryGib: atLeast(8) } })
  expect(countProviders(snapshot, judgement, tally)[0]?.mostly?.name).toBe('cpu')
})
