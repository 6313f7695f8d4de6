import { describe, expect, test } from 'vitest'
import { inState } from './candidate.suite.ts'
import { reliability } from './reliability.ts'

describe('the reliability score', () => {
  test('is the share of orders that came up and stayed up', () => {
    expect(inState(reliability, { reliability: 0.9, health: 'ok' })).toBe(0.9)
    expect(inState(reliability, { reliability: 0, health: undefined })).toBe(0)
  })

  test('counts degraded hardware half', () => {
    expect(inState(reliability, { reliability: 0.9, health: 'degraded' })).toBe(0.45)
  })

  test('is in the middle where nothing is known', () => {
    expect(inState(reliability, { reliability: undefined, health: undefined })).toBe(0.5)
    expect(inState(reliability, { reliability: undefined, health: 'degraded' })).toBe(0.25)
  })
})
