import type { ErrorDoc } from '../error-doc.ts'

/** What can be wrong with the infrastructure file, beyond what any document can get wrong. */
export const CONFIG_ERRORS = {
  POLICY_UNKNOWN: {
    title: 'no such policy',
    why: 'The manifest names a policy that the infrastructure file does not define.',
    fix: 'Use one of the names the message lists, or have the platform team add it to berth.config.yaml.',
  },
} as const satisfies Record<string, ErrorDoc>
