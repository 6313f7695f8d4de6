import { siteLabelFilter } from './site-label.ts'

/** Turns down sites outside the legal areas that the policy allows. */
export const residency = siteLabelFilter({
  name: 'residency',
  rank: 200,
  label: 'residency',
  wrong: {
    code: 'WRONG_RESIDENCY',
    doc: {
      summary: (reason) => `not in ${reason.wanted} (policy)`,
      clears: 'policy',
      why: 'The policy says where data may be processed, and this machine is elsewhere.',
      fix: 'Use a policy that allows this area, or have the platform team change `residency` in this one.',
    },
  },
  notKnown: {
    code: 'RESIDENCY_UNKNOWN',
    doc: {
      summary: (reason) => `does not say whether it is in ${reason.wanted}`,
      clears: 'policy',
      why: 'Neither the source nor the infrastructure file says which legal area this region belongs to.',
      fix: 'Set `residency` for the provider or the region in berth.config.yaml.',
    },
  },
})
