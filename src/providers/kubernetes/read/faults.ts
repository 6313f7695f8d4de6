import * as z from 'zod'
import type { Fault } from '../../../core/life/call/fault.ts'
import type { ApiReply } from '../../../ports/provider.ts'
import type { FaultRow } from '../../rest/fault-row.ts'
import { faultOf, isCut } from '../../rest/fault-table.ts'

/** A refusal of the API server, as it came. */
export interface KubeRefusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** What a refusal says of itself. */
export interface StatusReply {
  /** `AlreadyExists`, `Forbidden`, …; empty: it does not say, or something in front of the API server answered. */
  readonly reason: string
  readonly message: string
}

/**
 * What replies mean. A status of 403 may be about rights, quota, policy or a namespace on its way out, so words decide. What the
 * order cannot help is no fault of the order: another cluster may take it.
 */
const KNOWN: readonly Omit<FaultRow, 'seen'>[] = [
  // Admission, before anything is stored.
  { text: /quota evaluation timed out/i, class: 'TRANSIENT', scope: 'provider', created: 'no' },
  { text: /failed to complete (?:validation|mutation) in/i, class: 'TRANSIENT', scope: 'provider', created: 'no' },
  {
    text: /exceeded quota|insufficient (?:\S+ )?quota|quota\b[^.;]{0,40} exceeded|exceeds? (?:the |its )?quota/i,
    class: 'QUOTA',
    created: 'no',
  },
  { text: /failed quota:.*must specify/i, class: 'NO_MATCHING_SHAPE', scope: 'provider', created: 'no' },
  { text: /violates PodSecurity/i, class: 'NO_MATCHING_SHAPE', scope: 'provider', created: 'no' },
  { text: /denied the request|denied by|ValidatingAdmissionPolicy/i, class: 'NO_MATCHING_SHAPE', created: 'no' },
  { text: /failed calling webhook|failed to call webhook/i, class: 'TRANSIENT', scope: 'provider', created: 'no' },
  {
    text: /(?:maximum|minimum) .* usage per|limit to request ratio/i,
    class: 'NO_MATCHING_SHAPE',
    scope: 'provider',
    created: 'no',
  },
  {
    text: /error looking up service account|no PriorityClass with name|RuntimeClass .* not found/i,
    class: 'NO_MATCHING_SHAPE',
    scope: 'provider',
    created: 'no',
  },
  {
    text: /not yet ready to handle request|status unknown for quota/i,
    class: 'TRANSIENT',
    scope: 'provider',
    created: 'no',
  },
  { text: /because it is being terminated/i, class: 'TRANSIENT', scope: 'provider', created: 'no' },
  { text: /namespaces? "[^"]*" not found/i, class: 'TRANSIENT', scope: 'provider', created: 'no' },
  // Rights.
  { text: /cannot \w+ resource/i, code: 'Forbidden', class: 'AUTH', created: 'no' },
  { code: 'Unauthorized', class: 'AUTH', created: 'no' },
  // Whatever else forbids an object, and not the right to make one, is a rule of the cluster.
  { text: /" is forbidden: /i, code: 'Forbidden', class: 'NO_MATCHING_SHAPE', scope: 'provider', created: 'no' },
  // Read after write: it may not be there yet.
  { text: /^(?:pods|jobs\.batch|podgroups\S*) "[^"]*" not found/, on: 'create', class: 'AMBIGUOUS' },
  // The order.
  { code: 'Invalid', class: 'BAD_REQUEST', created: 'no' },
  { code: 'BadRequest', class: 'BAD_REQUEST', created: 'no' },
  { code: 'RequestEntityTooLarge', class: 'BAD_REQUEST', created: 'no' },
  // Not now.
  { code: 'TooManyRequests', class: 'RATE_LIMIT', created: 'no' },
  // The quota is counted before anything is stored; what is said of the object itself is said after that.
  {
    text: /operation cannot be fulfilled(?! on (?:pods|jobs|rayjobs|rayservices|\w*groups)\b)/i,
    code: 'Conflict',
    class: 'TRANSIENT',
    created: 'no',
  },
  { code: 'Conflict', on: 'create', class: 'AMBIGUOUS' },
  { code: 'Conflict', class: 'TRANSIENT', created: 'no' },
]

const ROWS: readonly FaultRow[] = KNOWN.map((row) => ({ ...row, seen: 'API server 1.36' }))

/** The fault of a reply. After a create without a clear answer, something may exist. */
export function faultFrom(refusal: KubeRefusal, call: { readonly creates: boolean }): Fault {
  const { status, headers, text } = refusal
  const said = statusOf(text)
  const words = {
    status,
    headers: { ...said?.wait, ...headers },
    code: said === undefined || said.reason === '' ? undefined : said.reason,
    text: said?.message ?? text.slice(0, 300),
    isOwn: said !== undefined,
  }
  const fault = faultOf(words, ROWS, call)
  // Whatever is missing, nobody can tell.
  return call.creates && isCut(refusal) ? { ...fault, class: 'AMBIGUOUS' } : fault
}

export function classifyKubernetes({ operation, status, headers, body }: ApiReply): Fault {
  return faultFrom({ status, headers, text: body }, { creates: operation === 'create' })
}

export function replyOf({ text }: Pick<KubeRefusal, 'text'>): StatusReply {
  const said = statusOf(text)
  return { reason: said?.reason ?? '', message: said?.message ?? '' }
}

interface Said extends StatusReply {
  readonly wait: Readonly<Record<string, string>>
}

/** Undefined: the API server did not write this. */
function statusOf(text: string): Said | undefined {
  try {
    const { data } = statusForm.safeParse(JSON.parse(text))
    if (data === undefined) return undefined
    const seconds = data.details?.retryAfterSeconds
    return {
      reason: data.reason,
      message: data.message,
      wait: seconds === undefined || seconds <= 0 ? {} : { 'retry-after': `${seconds}` },
    }
  } catch {
    return undefined
  }
}

const statusForm = z.object({
  kind: z.literal('Status'),
  reason: z.string().catch(''),
  message: z.string().catch(''),
  details: z
    .object({ retryAfterSeconds: z.number().optional().catch(undefined) })
    .optional()
    .catch(undefined),
})
