import type { ErrorDoc } from '../base/error-doc.ts'

/** Errors of the infrastructure file, apart from those that any document can have. */
export const CONFIG_ERRORS = {
  POLICY_UNKNOWN: {
    title: 'no such policy',
    why: 'The manifest names a policy that the infrastructure file does not define.',
    fix: 'Use one of the names that the message lists, or have the platform team add the policy to berth.config.yaml.',
  },
  SPOT_NOT_PERMITTED: {
    title: 'the policy does not permit these terms of sale',
    why: 'The manifest (or `--spot`) asks for spot machines or rules them out, and the policy of the workload does not permit that. Spot machines are cheaper, but the provider may take them away at any time, so the platform team decides where they may be used.',
    fix: 'Leave `spot` out, or name a policy that permits it. The platform team can set `spot: asked` in the policy, which lets each workload choose.',
  },
} as const satisfies Record<string, ErrorDoc>
