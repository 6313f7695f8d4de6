import { describe, expect, test } from 'vitest'
import { OBJECTIVES } from '../../policy/policy.ts'
import { SCORE_NAMES, SCORES } from './all-scores.ts'
import { scored } from './candidate.suite.ts'

describe('all scores together', () => {
  test('have names of their own and say what they reward', () => {
    expect(new Set(SCORE_NAMES).size).toBe(SCORES.length)
    expect(SCORES.length).toBeGreaterThanOrEqual(6)
    for (const score of SCORES) expect(score.rewards, score.name).toMatch(/^[a-z].*[^.]$/)
  })

  test('every objective weighs only scores that exist, to a sum of one', () => {
    for (const [objective, weights] of Object.entries(OBJECTIVES)) {
      expect(SCORE_NAMES, objective).toEqual(expect.arrayContaining(Object.keys(weights)))
      const sum = Object.values(weights).reduce((total, weight) => total + weight, 0)
      expect(sum, objective).toBeCloseTo(1, 12)
    }
  })

  test('a lower price never scores lower, and no score leaves the range from 0 to 1', () => {
    const prices = [0, 0.01, 2, 2.01, 4, 1_000]
    for (const score of SCORES) {
      const scores = prices.map((usdPerHour) =>
        scored(score, { usdPerHour }, { usdPerHourMin: Math.min(2, usdPerHour) }),
      )
      expect(scores, score.name).toEqual(scores.toSorted((one, two) => two - one))
      expect(Math.min(...scores), score.name).toBeGreaterThanOrEqual(0)
      expect(Math.max(...scores), score.name).toBeLessThanOrEqual(1)
    }
  })
})
