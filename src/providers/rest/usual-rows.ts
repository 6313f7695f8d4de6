import type { FaultRow } from './fault-row.ts'

/** A field that is missing, or not as it must be: no place takes such an order. */
const WRONG_FORM =
  /^(?:invalid|malformed) (?:request|parameter|argument|body|input|json)|validation (?:failed|error)|\bis (?:a )?required\b|can(?:'|no)t be (?:blank|empty|null)|\bis too (?:long|short)\b|\binvalid value\b|\bmust (?:match|contain|belong|have|start|end|include|use|not be empty|be (?:an? |one of|set|less|greater|at (?:least|most)|between|[<>\d]))|only valid|(?:invalid|illegal) characters?|(?:unknown|unexpected) field/i

/** What is rented. */
const RENTED = String.raw`(?:gpus?|cards?|instances?|machines?|hosts?|nodes?|servers?|pods?|droplets?|vms?)`
const FEW = String.raw`(?:no|not enough|insufficient|no more|no free)`

/**
 * There is none, or not enough, of what is rented: `No GPUs of this kind are available`, `not enough GPU capacity`. What is said of
 * anything else, such as disks and addresses, is not about stock.
 */
const NO_ROOM = new RegExp(
  [
    String.raw`out of stock|sold out|\brun out of (?!disk|storage|memory|time)|\bunable to find (?:a|any) (?:\w+ )?${RENTED}\b`,
    String.raw`\bstock\b[^.;]{0,20}\b(?:insufficient|empty|not enough|exhausted)\b|\b(?:insufficient|not enough) (?:\S+ ){0,2}stock\b`,
    String.raw`\b(?:${FEW}|out of|at|limited|lacks?|exhausted|do(?:es)? not have)(?: (?!disk|storage|volume|address)\S+){0,3} capacity\b`,
    String.raw`\b${FEW} (?!(?:disk|storage)\b)(?:\S+ ){0,2}(?:${RENTED}|(?:gpu|compute) resources)\b[^.;]{0,60}\b(?:available|left|free|remaining)\b`,
    String.raw`\b${FEW} available (?:\S+ ){0,2}(?:${RENTED}|resources)\b`,
    String.raw`\b(?:not enough|insufficient|no free) (?:free |available )?(?:gpus?|(?:gpu|compute|host|node) resources)\b`,
    String.raw`\bfully (?:utili[sz]ed|booked|occupied|allocated)\b|\bno (?:\w+ )?availability\b(?! zone)`,
    String.raw`\b(?:gpus|cards|instances|machines|droplets|vms) are (?:currently|temporarily) (?:unavailable|not available)\b`,
    String.raw`\bresources? (?:is |are )?(?:currently )?(?:not enough|insufficient|exhausted|sold out)\b`,
    String.raw`\bcapacity\b(?! of (?:\S+ ){0,3}(?:disk|storage|volume))[^.;]{0,40}\b(?:is|has been|are) (?:currently |temporarily )?(?:limited|exhausted|reached|unavailable|full)\b`,
  ].join('|'),
  'i',
)

/** Words that mean the same wherever they are said, behind the rows of each API. Stock comes last: a quota may speak of cards, too. */
export const USUAL_ROWS: readonly FaultRow[] = [
  {
    text: /rate.?limit|\b(?:request|call|api)s? limit\b|requests? per (?:second|minute|hour)|too many (?:\w+ )?requests|requests? (?:are |is )?too (?:frequent|fast)|throttl/i,
    class: 'RATE_LIMIT',
    seen: 'errors-notes 5: a rate limit may come as 403',
  },
  { text: /^/, status: 402, class: 'BILLING', seen: 'RFC 9110: payment required' },
  {
    text: /insufficient (?:funds?|balance|credits?)|(?:lacks?|not enough|no|out of|low) (?:credits?|funds|balance|money)|balance (?:is )?(?:too low|insufficient|not enough)|\bpayments?\b|billing (?:address|account|page)|account is inactive|account\b[^.;]{0,20}\b(?:suspended|deactivated|disabled|locked|frozen|on hold)\b|(?:credit|debit) card|card\b[^.;]{0,20}\bdeclined|overdue|unpaid|top up|recharge|(?:at least|minimum of) \$\d|add (?:more )?(?:funds|credits?|money)/i,
    class: 'BILLING',
    seen: 'errors-notes: money is refused as bad_request, 409 and 403',
  },
  {
    text: /(?:verify|confirm) your (?:e-?mail|identity|phone|account)|account (?:is |has |was |must be )?(?:verified before|activated before|not (?:yet )?(?:been )?(?:verified|activated|enabled|approved)|being verified|under review)|not (?:yet )?(?:enabled|activated) (?:for|on|in) your (?:account|team|organi[sz]ation|project)|(?:accept|agree to) (?:the |our )?(?:\w+ )?(?:terms|agreement|license)/i,
    class: 'QUOTA',
    scope: 'provider',
    ttlMs: 3_600_000,
    seen: 'errors-notes 8: the account is not ready, which an operator can change',
  },
  {
    text: /quota|(?:instance|machine|gpu|pod|vm|account|spend(?:ing)?|resource) limit (?:exceeded|reached)|exceed(?:s|ed) (?:the|your) (?:\w+ )?limit|(?:reached|exceeded) (?:the|your) (?:maximum|limit)|maximum number of|\baccount\b[^.;]{0,20}\blimited to \d|limit exceeded|\bmax(?:imum)?\b[^.;]{0,60}\breached\b|\b(?:reached|exceeded|hit) (?:the|your) (?:\w+ ){0,3}(?:limit|maximum|cap)\b|\b(?:limit|maximum)\b[^.;]{0,20}\b(?:reached|exceeded)\b|\bexceed(?:s|ed|ing)? (?!.{0,30}\b(?:size|length|bytes|characters)\b)(?:\w+ ){0,6}(?:limit|allowed)\b|\bover (?:the|your) (?:\w+ ){0,3}limit\b|\blimit (?:for|of) (?:this|your|the) (?:account|team|organi[sz]ation|project|user)\b/i,
    class: 'QUOTA',
    seen: 'errors.csv: quota of several clouds',
  },
  {
    text: /invalid (?:api|user) ?key|invalid (?:bearer )?token|missing bearer token|unauthori[sz]ed|(?:api[ _-]?key|token|credential)s? (?:is |was |are |has |have )?(?:been )?(?:invalid|expired|revoked|deleted|disabled|read[- ]only|not valid)|\bno permissions?\b|permission denied|authentication (?:failed|required)|(?:key|token|credential|role)s?\b[^.;]{0,30}\b(?:lacks?|does not have|has no|without|missing)\b[^.;]{0,20}\b(?:permission|scope|privilege)s?\b|insufficient (?:permission|scope|privilege)s?/i,
    class: 'AUTH',
    seen: 'errors.csv: keys of several clouds; a bad key may come as 404',
  },
  {
    text: /\b(?:bid|price)\b(?:[^.;]|\.\d){0,40}\b(?:below|lower than|less than|under|too low)\b/i,
    class: 'OFFER_GONE',
    seen: 'errors-notes: the price of a bid is too low',
  },
  {
    text: /\b(?:offer|ask|listing)\b[^.;]{0,40}\b(?:(?:has|was) (?:already )?(?:been )?(?:rented|taken|sold|claimed|leased)\b|(?:is|was) (?:no longer|not) available|(?:is gone|expired|withdrawn)\b)/i,
    class: 'OFFER_GONE',
    seen: 'errors.csv: vast; what is on a market goes to one',
  },
  {
    text: /\b(?:not enough|insufficient|out of|no) (?:free |available )?(?:disk|storage|volume)(?: space| capacity)\b/i,
    class: 'NO_MATCHING_SHAPE',
    seen: 'errors.csv: runpod-python issue 297',
  },
  {
    text: NO_ROOM,
    class: 'SOLD_OUT',
    seen: 'errors.csv: crusoe, fluidstack, oci; errors-notes 5: shadeform',
  },
  ...[400, 422].map((status): FaultRow => ({
    text: WRONG_FORM,
    status,
    class: 'BAD_REQUEST',
    seen: 'errors.csv: 422',
  })),
]
