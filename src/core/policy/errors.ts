import type { ErrorDoc } from '../base/error-doc.ts'

/** What can be wrong with the infrastructure file, beyond what any document can get wrong. */
export const CONFIG_ERRORS = {
  POLICY_UNKNOWN: {
    title: 'no such policy',
    why: 'The manifest names a policy that the infrastructure file does not define.',
    fix: 'Use one of the names the message lists, or have the platform team add it to berth.config.yaml.',
  },
  SPOT_NOT_PERMITTED: {
    title: 'the policy does not permit these terms of sale',
    why: 'The manifest (or `--spot`) asks for spot machines, or for none, and the policy of the workload says otherwise. Spot machines are cheaper and may be taken away at any time, so the platform team decides where they may be used.',
    fix: 'Leave `spot` out, or name a policy that permits it; the platform team can set `spot: asked` in the policy, which lets each workload say.',
  },
} as const satisfies Record<string, ErrorDoc>
