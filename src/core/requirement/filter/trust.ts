import { siteLabelFilter } from './site-label.ts'

/** Turns down sites outside the trust domains that the policy allows. */
export const trust = siteLabelFilter({
  name: 'trust',
  rank: 210,
  label: 'trust',
  wrong: {
    code: 'WRONG_TRUST',
    doc: {
      summary: (reason) => `not in trust domain ${reason.wanted} (policy)`,
      clears: 'policy',
      why: 'The policy says with whom the workload may share hardware and operators, and this site has another label.',
      fix: 'Use a policy that allows it, or have the platform team change `trust` in this one.',
    },
  },
  notKnown: {
    code: 'TRUST_UNKNOWN',
    doc: {
      summary: (reason) => `does not say whether it is in trust domain ${reason.wanted}`,
      clears: 'policy',
      why: 'The infrastructure file puts no trust label on this provider.',
      fix: 'Set `trust` for the provider in berth.config.yaml.',
    },
  },
})
