import { no, type Filter } from './filter.ts'

/** Turns down places that called this workload wrong: asking them again would give the same answer. */
export const wrongHere: Filter<'site'> = {
  name: 'wrong-here',
  rank: 186,
  about: 'site',
  reasons: {
    REFUSED_AS_WRONG: {
      summary: () => 'its provider refused this workload as wrong',
      clears: 'never',
      why: 'The provider was asked to start this very workload and said that something about it is wrong there, such as a program that the host does not have. Other places may still take it.',
      fix: 'Look at `berth events NAME` for what the provider said, and change the manifest; a changed manifest is tried everywhere again.',
    },
  },
  check({ provider, region }, { wrongAt }) {
    if (wrongAt.length === 0) return undefined
    const isWrong = wrongAt.includes(provider) || wrongAt.includes(`${provider}/${region}`)
    return isWrong ? no('REFUSED_AS_WRONG', 'a place that takes it', provider) : undefined
  },
}
