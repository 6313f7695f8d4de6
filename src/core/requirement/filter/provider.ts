import { admitting, chooses, listChoice, printChoice } from '../need/choice.ts'
import type { Filter, Loosening } from './filter.ts'
import { no } from '../reason.ts'

/** Turns down providers that the policy does not allow. */
export const provider: Filter<'site'> = {
  name: 'provider',
  rank: 190,
  about: 'site',
  reasons: {
    PROVIDER_NOT_ALLOWED: {
      summary: () => 'its provider is not allowed by the policy',
      clears: 'policy',
      why: 'The policy lists the providers that this workload may use, and this is not one of them.',
      fix: 'Use another policy, or have the platform team change `providers` in this one.',
    },
  },
  check(site, need) {
    return chooses(need.provider, site.provider)
      ? undefined
      : no('PROVIDER_NOT_ALLOWED', printChoice(need.provider), site.provider)
  },
  loosen(need, refused) {
    const others = [...new Set(refused.map((site) => site.provider))].sort()
    return others.map((other): Loosening => {
      const wider = admitting(need.provider, other)
      return {
        key: 'policy.providers',
        from: listChoice(need.provider),
        to: listChoice(wider),
        need: { ...need, provider: wider },
      }
    })
  },
}
