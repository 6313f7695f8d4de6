import { no, unknown, type Filter } from './filter.ts'

/** Turns down what the account may not order more of. */
export const quota: Filter<'state'> = {
  name: 'quota',
  rank: 240,
  about: 'state',
  reasons: {
    QUOTA_EXHAUSTED: {
      summary: () => 'over the account’s quota',
      clears: 'time',
      why: 'The provider limits how many of these the account may have, and what is left is less than what is asked for.',
      fix: 'Ask the provider for a higher quota, or stop something that holds it.',
    },
    QUOTA_UNKNOWN: {
      summary: () => 'does not say what the account’s quota is',
      clears: 'never',
      why: 'The source does not report quotas, and the policy insists on knowing.',
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
