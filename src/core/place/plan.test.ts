import { describe, expect, test } from 'vitest'
import { gpuNeed } from '../requirement/filter/facts.suite.ts'
import { atLeast } from '../requirement/need/range.ts'
import { fitCount, offerCount } from './plan.ts'
import { askPlanFor, planFor, sold, type Scene } from './capacity.suite.ts'

const TOO_LARGE = { need: gpuNeed({ count: atLeast(99) }) }

describe('a plan', () => {
  test('fits when every replica of every ask has its place', () => {
    const capacity = [sold('a', 1)]
    expect(planFor(capacity, { role: 'one' }, { role: 'two' }).fits).toBe(true)
    expect(planFor(capacity, { role: 'one' }, { role: 'two', ...TOO_LARGE }).fits).toBe(false)
    expect(planFor(capacity, { role: 'one', ...TOO_LARGE }, { role: 'two' }).fits).toBe(false)
  })

  test('remembers what it was asked and over what', () => {
    const plan = planFor([sold('a', 1)], { role: 'one', policy: { name: 'p' } })
    expect(plan).toMatchObject({ workload: 'w', policy: { name: 'p' }, asks: [{ ask: { role: 'one', replicas: 1 } }] })
    expect(plan.snapshot.rows.instance).toHaveLength(1)
  })

  test('counts what fits and what was looked at', () => {
    const capacity = [sold('a', 1), sold('b', 2), sold('c', 3, { cpu: 8 }), sold('d', 4, { gpu: undefined })]
    const plan = planFor(capacity)
    expect(offerCount(plan)).toBe(4)
    expect(plan.asks.map(fitCount)).toEqual([3])
  })
})

describe('a shortage', () => {
  const capacity = [sold('a', 1, { stock: { level: 'low', units: 2, seenAtMs: undefined } })]
  const shortage = (scene: Scene) => askPlanFor(capacity, scene).shortage

  test('is that nothing fits', () => {
    expect(shortage(TOO_LARGE)).toBe('nothing-fits')
    expect(askPlanFor([], {}).shortage).toBe('nothing-fits')
  })

  test('is that not enough is left', () => {
    expect(shortage({ replicas: 2 })).toBeUndefined()
    expect(shortage({ replicas: 3 })).toBe('not-enough-left')
  })

  test('is that replicas which should survive a loss lie in one domain', () => {
    expect(shortage({ replicas: 2, spread: 'provider' })).toBe('one-domain-only')
    expect(shortage({ replicas: 1, spread: 'provider' })).toBeUndefined()
    const two = [...capacity, sold('b', 2, { provider: 'beta' })]
    expect(askPlanFor(two, { replicas: 2, spread: 'provider' }).shortage).toBeUndefined()
    expect(askPlanFor(two, { replicas: 3, spread: 'provider' }).shortage).toBeUndefined()
  })

  test('is one domain, too, when that has less than was wanted', () => {
    expect(shortage({ replicas: 3, spread: 'provider' })).toBe('one-domain-only')
    const one = [sold('a', 1, { stock: { level: 'low', units: 1, seenAtMs: undefined } })]
    expect(askPlanFor(one, { replicas: 3, spread: 'provider' }).shortage).toBe('not-enough-left')
  })

  test('is not there when nothing is wanted', () => {
    expect(shortage({ replicas: 0, ...TOO_LARGE })).toBeUndefined()
  })
})
