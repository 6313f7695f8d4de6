import type { Filter } from './filter.ts'
import { no } from '../reason.ts'

/** Turns down providers that rejected this workload as invalid: another order would get the same answer. */
export const wrongHere: Filter<'site'> = {
  name: 'wrong-here',
  rank: 186,
  about: 'site',
  reasons: {
    REFUSED_AS_WRONG: {
      summary: () => 'its provider rejected this workload as invalid',
      clears: 'never',
      why: 'The provider was asked to start this workload and rejected it, for example because the host does not have the program. Other providers may still accept it.',
      fix: 'See `berth events NAME` for what the provider said, and change the manifest. Berth tries a changed manifest everywhere again.',
    },
  },
  check({ provider, region }, { wrongAt }) {
    if (wrongAt.length === 0) return undefined
    const isWrong = wrongAt.includes(provider) || wrongAt.includes(`${provider}/${region}`)
    return isWrong ? no('REFUSED_AS_WRONG', 'a provider that accepts it', provider) : undefined
  },
}
