import type { Fault } from '../../core/life/call/fault.ts'
import type { ApiReply } from '../../ports/provider.ts'
import { replyFault, type ApiFaults } from '../rest/fault-table.ts'
import { usualWords } from '../rest/words.ts'

const SPEC = 'DigitalOcean API 2.0'
const TABLE = 'errors.csv: digitalocean; errors-notes: 422 splits by text'

/** How DigitalOcean refuses. Its codes are those of HTTP, so a refused order is told apart by its text. */
export const DIGITALOCEAN_FAULTS: ApiFaults = {
  said: (body) => {
    const words = usualWords(body)
    // Its code is called `id`.
    const id = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined
    return typeof id === 'string' && words !== undefined ? { ...words, code: id } : words
  },
  rows: [
    {
      text: /(?:size|region)\b[^.;]{0,40}\bis (?:currently |temporarily )?(?:not |un)available|(?<!\b(?:networking|ipv6|backups?|monitoring|images?|snapshots?|volumes?|vpcs?|features?)\b[^.;]{0,40})not available in this region|limited availability|(?<!\bimage\b[^.;]{0,40})temporarily disabled|(?:no|out of|at|insufficient|not enough|lacks?|limited) (?:\w+ )?capacity|capacity\b[^.;]{0,40}\b(?:is|has been) (?:currently )?(?:limited|exhausted|reached|unavailable)/i,
      status: 422,
      class: 'SOLD_OUT',
      created: 'no',
      seen: TABLE,
    },
    { text: /past due|payment method|billing/i, class: 'BILLING', seen: `${SPEC}: forbidden` },
    {
      text: /droplet limit/i,
      class: 'QUOTA',
      scope: 'provider',
      seen: `${SPEC}: droplet limit`,
    },
    {
      text: /image\b[^.;]{0,60}\bnot available in the selected region/i,
      class: 'NO_MATCHING_SHAPE',
      scope: 'region',
      seen: `${SPEC}; api-v2 issue 36`,
    },
    {
      text: /invalid size|\bsize\b[^.;]{0,20}\b(?:invalid|not valid)\b/i,
      status: 422,
      class: 'NO_MATCHING_SHAPE',
      created: 'no',
      seen: TABLE,
    },
    {
      text: /image|user.?data|ssh.?key|name (?:is|must)/i,
      status: 422,
      class: 'BAD_REQUEST',
      created: 'no',
      seen: TABLE,
    },
    // Neither stock nor the order, as far as anybody knows: this machine cannot run it.
    { status: 422, on: 'create', class: 'NO_MATCHING_SHAPE', created: 'no', seen: TABLE },
    { code: 'unauthorized', class: 'AUTH', seen: SPEC },
    { code: 'forbidden', class: 'AUTH', seen: SPEC },
    { code: 'too_many_requests', class: 'RATE_LIMIT', seen: SPEC },
  ],
}

export function classifyDigitalocean({ operation, status, headers, body }: ApiReply): Fault {
  return replyFault({ status, headers, text: body }, DIGITALOCEAN_FAULTS, { creates: operation === 'create' })
}
