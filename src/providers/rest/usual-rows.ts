import type { FaultRow } from './fault-row.ts'

/**
 * Words that mean the same wherever they are said, behind the rows of each API. Capacity is not among them but in the two phrases
 * that can mean nothing else: what an API says of capacity is in its own rows, with the place where it was seen.
 */
export const USUAL_ROWS: readonly FaultRow[] = [
  {
    text: /rate.?limit|too many requests|requests? too frequent|throttl/i,
    class: 'RATE_LIMIT',
    seen: 'errors-notes 5: a rate limit may come as 403',
  },
  {
    text: /insufficient (?:funds?|balance|credits?)|(?:lacks?|not enough|no|out of|low) (?:credits?|funds|balance|money)|balance (?:is )?(?:too low|insufficient|not enough)|payment (?:method|required)|billing (?:address|account|page)|account is inactive|overdue|unpaid/i,
    class: 'BILLING',
    seen: 'errors-notes: money is refused as bad_request, 409 and 403',
  },
  {
    text: /quota|(?:instance|machine|gpu|pod|vm|account|spend(?:ing)?|resource) limit (?:exceeded|reached)|exceed(?:s|ed) (?:the|your) (?:\w+ )?limit|(?:reached|exceeded) (?:the|your) (?:maximum|limit)|maximum number of|limit exceeded/i,
    class: 'QUOTA',
    seen: 'errors.csv: quota of several clouds',
  },
  {
    text: /invalid (?:api|user) ?key|invalid (?:bearer )?token|missing bearer token|unauthori[sz]ed|api key (?:was |is )?(?:invalid|expired|revoked|deleted)|authentication (?:failed|required)/i,
    class: 'AUTH',
    seen: 'errors.csv: keys of several clouds; a bad key may come as 404',
  },
  {
    text: /out of stock|sold out/i,
    class: 'SOLD_OUT',
    seen: 'errors.csv: crusoe, fluidstack; errors-notes 5: shadeform',
  },
]
