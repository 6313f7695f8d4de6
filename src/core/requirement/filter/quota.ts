import type { Filter } from './filter.ts'
import { no, unknown } from '../reason.ts'

/** Turns down offers that exceed the account's quota. */
export const quota: Filter<'state'> = {
  name: 'quota',
  rank: 240,
  about: 'state',
  reasons: {
    QUOTA_EXHAUSTED: {
      summary: () => 'over the account’s quota',
      clears: 'time',
      why: 'The provider limits how many of these machines the account may have, and fewer are left than the workload asks for.',
      fix: 'Ask the provider for a higher quota, or stop something that uses it.',
    },
    QUOTA_UNKNOWN: {
      summary: () => 'does not say what the account’s quota is',
      clears: 'never',
      why: 'The source does not report quotas, and the policy does not accept an unknown.',
      fix: 'Accept it in the policy (`unknown: { accept: [quota] }`).',
    },
  },
  miss: () => 0,
  check(state, need, nowMs) {
    const wanted = String(need.nodes)
    const refused = state.refusedWhy === 'quota' && state.refusedUntilMs !== undefined && state.refusedUntilMs > nowMs
    if (refused) return no('QUOTA_EXHAUSTED', wanted, '0')
    if (state.quotaLeft === undefined) return unknown('QUOTA_UNKNOWN', wanted)
    return state.quotaLeft >= need.nodes ? undefined : no('QUOTA_EXHAUSTED', wanted, String(state.quotaLeft))
  },
}
