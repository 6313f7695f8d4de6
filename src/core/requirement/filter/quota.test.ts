import { describe, expect, test } from 'vitest'
import type { State } from '../../offer/machine.ts'
import { inWords, need, NOW_MS, state } from './facts.suite.ts'
import { quota } from './quota.ts'

const TWO_NODES = need({ nodes: 2 })

function refused(why: State['refusedWhy'], untilMs: number | undefined): State {
  return state({ refusedWhy: why, refusedUntilMs: untilMs, refusals: 1 })
}

describe('quota', () => {
  test('as much quota as there are nodes will do', () => {
    expect(quota.check(state({ quotaLeft: 2 }), TWO_NODES, NOW_MS)).toBeUndefined()
    expect(quota.check(state({ quotaLeft: 3 }), TWO_NODES, NOW_MS)).toBeUndefined()
  })

  test('less quota is turned down', () => {
    const reason = quota.check(state({ quotaLeft: 1 }), TWO_NODES, NOW_MS)
    expect(reason).toEqual({ code: 'QUOTA_EXHAUSTED', wanted: '2', found: '1' })
    expect(inWords(quota, reason)).toBe('over the account’s quota; clears: time')
  })

  test('a refusal for lack of quota counts until it expires, whatever the source says is left', () => {
    expect(quota.check(refused('quota', NOW_MS + 1), need(), NOW_MS)).toEqual({
      code: 'QUOTA_EXHAUSTED',
      wanted: '1',
      found: '0',
    })
    expect(quota.check(refused('quota', NOW_MS), need(), NOW_MS)).toBeUndefined()
    expect(quota.check(refused('quota', undefined), need(), NOW_MS)).toBeUndefined()
    expect(quota.check(refused('sold-out', NOW_MS + 1), need(), NOW_MS)).toBeUndefined()
  })

  test('a source that does not report quotas is an unknown', () => {
    const reason = quota.check(state({ quotaLeft: undefined }), need(), NOW_MS)
    expect(reason).toEqual({ code: 'QUOTA_UNKNOWN', wanted: '1', found: undefined })
    expect(inWords(quota, reason)).toBe('does not say what the account’s quota is; clears: never')
  })
})
