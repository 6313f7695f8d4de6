import type { Fault } from '../../core/life/call/fault.ts'
import type { ApiReply } from '../../ports/provider.ts'
import { replyFault, type ApiFaults } from '../rest/fault-table.ts'

const MINUTE_MS = 60_000
const SPEC = 'Lambda Cloud API 1.10.0'

/** One launch in twelve seconds, one other call a second. */
export const LAUNCH_EACH_MS = 12_000

/** How Lambda refuses. Its codes are stable, and its texts are not: rows are by code wherever there is one. */
export const LAMBDA_FAULTS: ApiFaults = {
  rows: [
    { text: /regions with capacity available:/i, class: 'SOLD_OUT', seen: 'errors.csv: skypilot' },
    { text: /not enough capacity to fulfill/i, class: 'SOLD_OUT', seen: SPEC },
    { code: 'instance-operations/launch/insufficient-capacity', class: 'SOLD_OUT', seen: SPEC },
    { code: 'global/quota-exceeded', class: 'QUOTA', scope: 'provider', ttlMs: 60 * MINUTE_MS, seen: SPEC },
    {
      code: 'instance-operations/launch/file-system-in-wrong-region',
      class: 'NO_MATCHING_SHAPE',
      scope: 'region',
      seen: SPEC,
    },
    { code: 'global/invalid-parameters', class: 'BAD_REQUEST', seen: SPEC },
    { code: 'global/object-does-not-exist', class: 'BAD_REQUEST', seen: `${SPEC}: a wrong key or file system` },
    { code: 'global/invalid-api-key', class: 'AUTH', seen: SPEC },
    { code: 'global/forbidden', class: 'AUTH', seen: SPEC },
    { code: 'global/account-inactive', class: 'BILLING', seen: SPEC },
    { code: 'global/invalid-address', class: 'BILLING', seen: SPEC },
    // What a service behind Lambda says: nobody knows how far the order got.
    { code: /^provider\//, on: 'create', class: 'AMBIGUOUS', scope: 'region', ttlMs: MINUTE_MS, seen: SPEC },
    { code: /^provider\//, class: 'TRANSIENT', scope: 'region', ttlMs: MINUTE_MS, seen: SPEC },
    { code: /^global\/(?:internal|unknown)/, on: 'create', class: 'AMBIGUOUS', seen: SPEC },
    { status: 429, on: 'create', class: 'RATE_LIMIT', retryAfterMs: LAUNCH_EACH_MS, seen: SPEC },
    { status: 429, class: 'RATE_LIMIT', retryAfterMs: 1000, seen: SPEC },
  ],
}

export function classifyLambda({ operation, status, headers, body }: ApiReply): Fault {
  return replyFault({ status, headers, text: body }, LAMBDA_FAULTS, { creates: operation === 'create' })
}
