import { NOT_KNOWN, type Score } from './score.ts'

/** The share of orders that came up and stayed up; hardware reported as degraded counts half. */
export const reliability: Score = {
  name: 'reliability',
  rewards: 'providers and hardware that start reliably and stay up',
  of: ({ state }) => (state.reliability ?? NOT_KNOWN) * (state.health === 'degraded' ? 0.5 : 1),
}
