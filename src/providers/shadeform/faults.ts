import type { Fault } from '../../core/life/call/fault.ts'
import type { ApiReply } from '../../ports/provider.ts'
import { replyFault, type ApiFaults } from '../rest/fault-table.ts'

const SPEC = 'spec of 2026-03-05'
const NOTES = 'errors-notes 5: code and text before the 409'

const OUT_OF_STOCK = /out[ _-]of[ _-]stock/i
const NO_FUNDS = /insufficient[ _-](?:funds|balance|credits?)/i

/** How Shadeform refuses. Its spec has no refusals at all; what is here was seen, and the rest is not known. */
export const SHADEFORM_FAULTS: ApiFaults = {
  refusals: [409],
  rows: [
    // With the status of a refusal nothing was created; a broker that fails on its way may have created something.
    { text: OUT_OF_STOCK, status: 409, class: 'SOLD_OUT', created: 'no', seen: NOTES },
    { text: OUT_OF_STOCK, class: 'SOLD_OUT', seen: NOTES },
    { code: OUT_OF_STOCK, status: 409, class: 'SOLD_OUT', created: 'no', seen: NOTES },
    { code: OUT_OF_STOCK, class: 'SOLD_OUT', seen: NOTES },
    { text: NO_FUNDS, status: 409, class: 'BILLING', created: 'no', seen: NOTES },
    { code: NO_FUNDS, status: 409, class: 'BILLING', created: 'no', seen: NOTES },
    { code: NO_FUNDS, class: 'BILLING', seen: NOTES },
    { code: /^(?:QUOTA|LIMIT)_EXCEEDED$/i, status: 409, class: 'QUOTA', created: 'no', scope: 'provider', seen: NOTES },
    { text: /invalid api key/i, class: 'AUTH', seen: 'shadeform documentation: authentication' },
    { code: /^(?:VALIDATION_ERROR|INVALID_REQUEST|BAD_REQUEST)$/i, class: 'BAD_REQUEST', seen: SPEC },
    { status: 422, on: 'create', class: 'BAD_REQUEST', seen: SPEC },
  ],
}

export function classifyShadeform({ operation, status, headers, body }: ApiReply): Fault {
  return replyFault({ status, headers, text: body }, SHADEFORM_FAULTS, { creates: operation === 'create' })
}
