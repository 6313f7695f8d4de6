import { describe, expect, test } from 'vitest'
import { inState } from './candidate.suite.ts'
import { egress } from './egress.ts'

describe('the egress score', () => {
  test('falls with the price of traffic out', () => {
    expect(inState(egress, { egressUsdPerGib: 0 })).toBe(1)
    expect(inState(egress, { egressUsdPerGib: 0.1 })).toBe(0.5)
    expect(inState(egress, { egressUsdPerGib: 0.3 })).toBeCloseTo(0.25, 12)
  })

  test('is in the middle where the provider does not say', () => {
    expect(inState(egress, { egressUsdPerGib: undefined })).toBe(0.5)
  })
})
