import type { Fault } from '../../core/life/call/fault.ts'
import type { ApiReply } from '../../ports/provider.ts'
import { replyFault, type ApiFaults } from '../rest/fault-table.ts'

const HOUR_MS = 3_600_000
const SPEC = 'spec of 2026-08-07'

/** How Vast refuses. An order may be refused with a contract in the same reply: that one exists, and has to be ended. */
export const VAST_FAULTS: ApiFaults = {
  isRefusal: (body) => typeof body === 'object' && body !== null && 'success' in body && body.success === false,
  leftover: (body) => {
    const contract: unknown =
      typeof body === 'object' && body !== null && 'new_contract' in body ? body.new_contract : undefined
    const isNumber = typeof contract === 'number' || (typeof contract === 'string' && /^\d{1,15}$/.test(contract))
    return isNumber ? String(contract) : undefined
  },
  rows: [
    // An ask that is gone never comes back under its number.
    {
      text: /no_such_ask|(?:ask|offer|instance type|machine)\b[^.]{0,60}\bis (?:no longer|not) available/i,
      class: 'OFFER_GONE',
      ttlMs: HOUR_MS,
      seen: `${SPEC}: 404/3603, 410/3907`,
    },
    { code: 'cancel_unavail', on: 'create', class: 'OFFER_GONE', ttlMs: HOUR_MS, seen: 'errors.csv: 410/3907' },
    { code: 'no_such_ask', class: 'OFFER_GONE', ttlMs: HOUR_MS, seen: SPEC },
    { text: /invalid user key|auth_error/i, class: 'AUTH', seen: `${SPEC}; seen live as 404` },
    { code: 'auth_error', class: 'AUTH', seen: SPEC },
    {
      text: /is not your own|hosts can only rent/i,
      on: 'create',
      class: 'NO_MATCHING_SHAPE',
      seen: `${SPEC}: 403/3586`,
    },
    { code: 'no_compatible_tag', on: 'create', class: 'NO_MATCHING_SHAPE', seen: 'its driver has no tag of the image' },
    { code: 'insufficient_credit', class: 'BILLING', seen: 'vast-ai documentation: billing' },
    { code: /^(?:invalid_args|invalid_price|invalid_request|no_ssh_key_for_vm)$/, class: 'BAD_REQUEST', seen: SPEC },
    { code: 'rate_limit_exceeded', class: 'RATE_LIMIT', retryAfterMs: 5000, seen: SPEC },
    {
      status: 429,
      class: 'RATE_LIMIT',
      retryAfterMs: 5000,
      seen: 'rate-limits-and-errors: plain text, without a header',
    },
  ],
}

export function classifyVast({ operation, status, headers, body }: ApiReply): Fault {
  return replyFault({ status, headers, text: body }, VAST_FAULTS, { creates: operation === 'create' })
}
