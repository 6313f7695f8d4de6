import type { Filter } from './filter.ts'
import { no, unknown } from '../reason.ts'

/** Turns down hardware that is known to fail. Degraded hardware passes, with a lower score. */
export const health: Filter<'state'> = {
  name: 'health',
  rank: 220,
  about: 'state',
  reasons: {
    UNHEALTHY: {
      summary: () => 'reported as failing',
      clears: 'time',
      why: 'Its health checks fail: Xid or ECC errors, throttling, or a host that does not answer.',
      fix: 'Wait for the repair, or drain the node.',
    },
    HEALTH_UNKNOWN: {
      summary: () => 'does not say whether it is healthy',
      clears: 'never',
      why: 'The source does not report health, and the policy does not accept an unknown.',
      fix: 'Accept it in the policy (`unknown: { accept: [health] }`).',
    },
  },
  check(state) {
    if (state.health === undefined) return unknown('HEALTH_UNKNOWN', 'healthy')
    return state.health === 'failing' ? no('UNHEALTHY', 'healthy', 'failing') : undefined
  },
}
