import type { FaultRow } from './fault-row.ts'

/** A field that is missing, or not as it must be: no place takes such an order. */
const WRONG_FORM =
  /^(?:invalid|malformed) (?:request|parameter|argument|body|input|json)|validation (?:failed|error)|\bis (?:a )?required\b|\bmust (?:match|contain|not be empty|be (?:an? |one of|set|less|greater|at (?:least|most)|between|[<>\d]))|only valid|(?:invalid|illegal) characters?|(?:unknown|unexpected) field/i

/**
 * Words that mean the same wherever they are said, behind the rows of each API. Capacity is not among them but in the two phrases
 * that can mean nothing else: what an API says of capacity is in its own rows, with the place where it was seen.
 */
export const USUAL_ROWS: readonly FaultRow[] = [
  {
    text: /rate.?limit|too many (?:\w+ )?requests|requests? (?:are )?too (?:frequent|fast)|throttl/i,
    class: 'RATE_LIMIT',
    seen: 'errors-notes 5: a rate limit may come as 403',
  },
  {
    text: /insufficient (?:funds?|balance|credits?)|(?:lacks?|not enough|no|out of|low) (?:credits?|funds|balance|money)|balance (?:is )?(?:too low|insufficient|not enough)|\bpayments?\b|billing (?:address|account|page)|account is inactive|overdue|unpaid/i,
    class: 'BILLING',
    seen: 'errors-notes: money is refused as bad_request, 409 and 403',
  },
  {
    text: /(?:verify|confirm) your (?:e-?mail|identity|phone|account)|account (?:is |has |was )?(?:not (?:yet )?(?:been )?(?:verified|activated|enabled|approved)|being verified|under review)|not (?:yet )?(?:enabled|activated) (?:for|on|in) your (?:account|team|organi[sz]ation|project)|(?:accept|agree to) (?:the |our )?(?:\w+ )?(?:terms|agreement|license)/i,
    class: 'QUOTA',
    scope: 'provider',
    ttlMs: 3_600_000,
    seen: 'errors-notes 8: the account is not ready, which an operator can change',
  },
  {
    text: /quota|(?:instance|machine|gpu|pod|vm|account|spend(?:ing)?|resource) limit (?:exceeded|reached)|exceed(?:s|ed) (?:the|your) (?:\w+ )?limit|(?:reached|exceeded) (?:the|your) (?:maximum|limit)|maximum number of|limit exceeded/i,
    class: 'QUOTA',
    seen: 'errors.csv: quota of several clouds',
  },
  {
    text: /invalid (?:api|user) ?key|invalid (?:bearer )?token|missing bearer token|unauthori[sz]ed|api key (?:was |is )?(?:invalid|expired|revoked|deleted)|authentication (?:failed|required)|(?:key|token|credential|role)s?\b[^.;]{0,30}\b(?:lacks?|does not have|has no|without|missing)\b[^.;]{0,20}\b(?:permission|scope|privilege)s?\b|insufficient (?:permission|scope|privilege)s?/i,
    class: 'AUTH',
    seen: 'errors.csv: keys of several clouds; a bad key may come as 404',
  },
  {
    text: /out of stock|sold out/i,
    class: 'SOLD_OUT',
    seen: 'errors.csv: crusoe, fluidstack; errors-notes 5: shadeform',
  },
  ...[400, 422].map((status): FaultRow => ({
    text: WRONG_FORM,
    status,
    class: 'BAD_REQUEST',
    seen: 'errors.csv: 422',
  })),
]
