import type { Fault } from '../../core/life/call/fault.ts'
import type { ApiReply } from '../../ports/provider.ts'
import { replyFault, type ApiFaults } from '../rest/fault-table.ts'

const MINUTE_MS = 60_000
const SPEC = 'spec of 2026-08-20'
const CSV = 'errors.csv'

/**
 * How RunPod refuses. A 400 may be a wrong order as well as a lack of capacity, and has no code for either: what its text does not
 * tell is passing, and counts against that offer only.
 */
export const RUNPOD_FAULTS: ApiFaults = {
  // Earlier versions of the API answered 200 with errors.
  isRefusal: (body) => typeof body === 'object' && body !== null && 'errors' in body && !('id' in body),
  rows: [
    {
      text: /no longer any instances available with enough disk|not enough disk|insufficient disk/i,
      class: 'NO_MATCHING_SHAPE',
      created: 'no',
      seen: `${CSV}: runpod-python issue 297`,
    },
    {
      text: /no longer any instances available|no instances? (?:are )?(?:currently |longer )?available|instances? (?:are|is) (?:currently |no longer )?(?:not |un)available(?! (?:for|to)\b)/i,
      class: 'SOLD_OUT',
      created: 'no',
      seen: `${CSV}: fixture of a live reply; v1 as 500`,
    },
    {
      text: /could not find any pods? with (?:the )?required specifications/i,
      class: 'NO_MATCHING_SHAPE',
      created: 'no',
      seen: `${CSV}: 41 of 41 created nothing`,
    },
    {
      text: /does not have the resources to deploy/i,
      class: 'SOLD_OUT',
      created: 'no',
      ttlMs: MINUTE_MS,
      seen: `${CSV}: live wording`,
    },
    {
      text: /not enough free gpus? on the host/i,
      class: 'SOLD_OUT',
      created: 'no',
      scope: 'none',
      ttlMs: MINUTE_MS,
      seen: `${CSV}: runpod-python issue 168, on start of a stopped pod`,
    },
    { code: /^SUPPLY_CONSTRAINT$/, class: 'SOLD_OUT', seen: 'the graph, 2026-06: beside its usual words' },
    { text: /something went wrong/i, on: 'create', class: 'AMBIGUOUS', seen: 'errors-notes: the pod started' },
    // A pool that the account may not use: another one may be open to it.
    { status: 403, on: 'create', class: 'QUOTA', scope: 'offer', seen: `${SPEC}: skip this candidate, keep going` },
    { status: 402, class: 'BILLING', seen: `${SPEC}: insufficient balance` },
    { status: 422, on: 'create', class: 'BAD_REQUEST', seen: `${SPEC}: the body does not match the contract` },
    { status: 405, on: 'create', class: 'BAD_REQUEST', seen: SPEC },
  ],
}

export function classifyRunpod({ operation, status, headers, body }: ApiReply): Fault {
  return replyFault({ status, headers, text: body }, RUNPOD_FAULTS, { creates: operation === 'create' })
}
