import { describe, expect, test } from 'vitest'
import { inWords, need, NOW_MS, state } from './facts.suite.ts'
import { health } from './health.ts'

describe('health', () => {
  test('hardware that works will do, degraded or not', () => {
    expect(health.check(state({ health: 'ok' }), need(), NOW_MS)).toBeUndefined()
    expect(health.check(state({ health: 'degraded' }), need(), NOW_MS)).toBeUndefined()
  })

  test('hardware that fails is turned down until it is repaired', () => {
    const reason = health.check(state({ health: 'failing' }), need(), NOW_MS)
    expect(reason).toEqual({ code: 'UNHEALTHY', wanted: 'healthy', found: 'failing' })
    expect(inWords(health, reason)).toBe('reported as failing; clears: time')
  })

  test('a source that does not report health is an unknown', () => {
    const reason = health.check(state({ health: undefined }), need(), NOW_MS)
    expect(reason).toEqual({ code: 'HEALTH_UNKNOWN', wanted: 'healthy', found: undefined })
    expect(inWords(health, reason)).toBe('does not say whether it is healthy; clears: never')
  })
})
