import { describe, expect, test } from 'vitest'
import type { Reserve } from '../../manifest/manifest.ts'
import { replicasInReserve } from './reserve.ts'

function percent(value: number): Reserve {
  return { kind: 'share', share: value / 100 }
}

describe('the replicas in reserve', () => {
  test.each([
    [undefined, 5, 0],
    [{ kind: 'count', count: 3 }, 0, 3],
    [{ kind: 'count', count: 3 }, 9, 3],
    [percent(25), 0, 0],
    [percent(25), 1, 1],
    [percent(25), 4, 1],
    [percent(25), 5, 2],
    [percent(100), 7, 7],
    [percent(0), 7, 0],
    [percent(12.5), 8, 1],
    [percent(12.5), 9, 2],
    [percent(0.01), 9999, 1],
  ] satisfies [Reserve | undefined, number, number][])('of %j with %d running are %d', (reserve, running, wanted) => {
    expect(replicasInReserve(reserve, running)).toBe(wanted)
  })

  test('are not one too many because a product is a hair above a whole number', () => {
    expect(0.07 * 100).toBeGreaterThan(7)
    expect(replicasInReserve(percent(7), 100)).toBe(7)
  })
})
