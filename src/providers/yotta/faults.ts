import type { Fault } from '../../core/life/call/fault.ts'
import type { ApiReply } from '../../ports/provider.ts'
import { replyFault, type ApiFaults } from '../rest/fault-table.ts'

const DOCS = 'yottalabsai documentation: api-guides'
const NOTES = 'errors-notes: codes that exist'

/** What every good reply has. */
export const GOOD = 10_000

/**
 * How Yotta refuses: mostly with the status 200 and a code in the body. A code that is not known here may come after something was
 * created, because the status does not tell.
 */
export const YOTTA_FAULTS: ApiFaults = {
  isRefusal: (body) => typeof body === 'object' && body !== null && 'code' in body && Number(body.code) !== GOOD,
  rows: [
    { code: '10001', class: 'BAD_REQUEST', seen: DOCS },
    { code: /^(?:10002|50001)$/, on: 'create', class: 'AMBIGUOUS', seen: DOCS },
    { code: /^(?:10002|50001)$/, class: 'TRANSIENT', seen: DOCS },
    { code: '40101', class: 'AUTH', seen: NOTES },
    { code: '429', class: 'RATE_LIMIT', seen: NOTES },
    // It is said of Serverless only, and whether it means sold out is not verified.
    { code: '24000', on: 'create', class: 'AMBIGUOUS', seen: NOTES },
  ],
}

export function classifyYotta({ operation, status, headers, body }: ApiReply): Fault {
  return replyFault({ status, headers, text: body }, YOTTA_FAULTS, { creates: operation === 'create' })
}
