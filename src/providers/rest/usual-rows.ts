import type { FaultRow } from './fault-row.ts'

/** A field that is missing, or not as it must be: no place takes such an order. */
export const WRONG_FORM =
  /^(?:invalid|malformed) (?:request|parameter|argument|body|input|json)|validation (?:failed|error)|\bis (?:a )?required\b|can(?:'|no)t be (?:blank|empty|null)|\bis too (?:long|short)\b|\binvalid value\b|\bis (?:invalid|malformed|not valid)\b|\b(?:invalid|malformed) (?:\w+ )?(?:image|name)|\bimages?\b[^.;]{0,60}\b(?:do(?:es)?(?: not|n't) exist|(?:could )?not (?:be )?found)|\bmust (?:match|contain|belong|have|start|end|include|use|not be empty|be (?:an? |one of|set|less|greater|at (?:least|most)|between|[<>\d]))|only valid|(?:invalid|illegal) characters?|(?:unknown|unexpected) field|\bbad user input\b|\bparse failed\b|\bsyntax error\b/i

/** What is rented. */
const RENTED = String.raw`(?:gpus?|cards?|instances?|machines?|hosts?|nodes?|servers?|pods?|droplets?|vms?)`
const FEW = String.raw`(?:no|not enough|insufficient|no more|no free)`
/** How what is rented is told apart: `instance type`, `size`, `H100`, `RTX 4090`. */
const SORT = String.raw`(?:gpus?|(?:gpu|instance|machine|server|node|vm|pod|droplet) (?:types?|sizes?|models?)|sizes?|sku|shape|flavou?r|plan|(?:RTX|GTX|GeForce|Tesla|Quadro) ?\w+|[ABGHLTV][BH]?\d{1,4}S?|MI\d{3}X?)`
const AWAY = String.raw`(?:currently |temporarily |presently )?(?:un|not )available`

/** What has a capacity, too, and is not rented. */
const OTHER_ROOM = String.raw`(?<!\b(?:volume|disk|storage|network|balancer|memory|bandwidth|address|subnet)s? )`

/**
 * There is none, or not enough, of what is rented: `No GPUs of this kind are available`, `not enough GPU capacity`. What is said of
 * anything else, such as disks and addresses, is not about stock.
 */
const NO_ROOM = new RegExp(
  [
    String.raw`out[ -]of[ -]stock|sold[ -]out|\bunder-?stocked\b|\b(?:not (?:currently )?in|zero) stock\b|\bstock: ?0\b|\b(?:resource|gpu|capacity) pool\b[^.;]{0,20}\b(?:empty|exhausted)\b|\bout of (?:\S+ )?${RENTED}\b|\brun out of (?!disk|storage|memory|time)`,
    String.raw`\b(?:unable to|could not|couldn't|cannot|can't|failed to) (?:find|allocate|acquire) (?:an?|any|enough|free|available|suitable) (?:\S+ ){0,2}${RENTED}\b(?! (?:types?|ports?|with (?:id|name)|named?|id)\b)`,
    String.raw`\b(?:no|any) (?:suitable|matching|eligible|free|available) (?:\S+ )?(?:gpus?|cards?|machines?|hosts?|nodes?|servers?)\b[^.;]{0,20}\bfound\b|\b(?:0 (?:\S+ )?${RENTED}|${RENTED}\b[^.;]{0,20}\bnone|no (?:\w+ )?offers) (?:is |are )?(?:currently )?(?:available|left|free)\b`,
    String.raw`\b(?:zone|region|data ?cent(?:er|re)|cluster|host|machine|node)s? (?:\S+ )?(?:is|are) (?:currently |already )?(?:full|at capacity)\b`,
    String.raw`\b(?:stock|inventory|supply)\b[^.;]{0,20}\b(?:insufficient|empty|not enough|exhausted|shortage|depleted)\b|\b(?:insufficient|not enough|no|low) (?:\S+ ){0,2}(?:stock|inventory|supply)\b|\bshortage of\b|\b(?:resource|gpu|capacity) shortage\b|\bquantity\b[^.;]{0,20}\b(?:(?:un|not )available|insufficient)\b|\binsufficient quantity\b`,
    String.raw`(?<!\b(?:service|api|system|queue) is )\b(?:${FEW}|out of|at|limited|lacks?|exhausted|do(?:es)? not have)(?: (?!disk|storage|volume|address|network|memory|bandwidth|subnet|balancer)\S+){0,3} capacity\b`,
    String.raw`\b${FEW} (?!(?:disk|storage)\b)(?:\S+ ){0,2}(?:${RENTED}|(?:gpu|compute) resources)\b(?! (?:keys?|names?|images?|templates?|ports?|drivers?)\b)[^.;]{0,60}\b(?:available|left|free|remaining)\b`,
    String.raw`(?:\bnot|n't) any (?:\S+ ){0,2}${RENTED}\b[^.;]{0,40}\b(?:available|left|free|remaining)\b|\bonly \d+ (?:\S+ )?(?:is |are )?available\b|\bexceeds? (?:the )?(?:number of )?available ${RENTED}\b`,
    String.raw`\b${FEW} available (?:\S+ ){0,2}(?:${RENTED}|resources)\b`,
    String.raw`\b(?:not enough|insufficient|no free) (?:free |available )?(?:gpus?|(?:gpu|compute|host|node) resources)\b`,
    String.raw`\bfully (?:utili[sz]ed|booked|occupied|allocated)\b|\bno (?:\w+ )?availability\b(?! zone)`,
    String.raw`\b(?:gpus|cards|instances|machines|droplets|vms) are (?:currently|temporarily) (?:unavailable|not available)\b`,
    String.raw`\b${SORT}(?: [\w.-]*\d[\w.-]*)?(?: (?:is|are))? ${AWAY}(?! (?:for|to)\b)`,
    String.raw`\b(?:(?:gpu|instance|machine|server|node|vm|pod|droplet) types?|sku|shape|flavou?r|plan)\b(?:(?!image|volume|cuda|template|driver|disk)[^.;]){0,40}\b(?:is|are) ${AWAY}(?! (?:for|to)\b)`,
    String.raw`\ball (?:(?!is\b|are\b)\S+ ){0,3}${RENTED}\b[^.;]{0,40}\bare (?:currently |already )?(?:in use|rented|taken|busy|occupied|reserved|allocated)\b`,
    String.raw`\b(?:gpus?|cards?|machine|host|offer)\b(?! ?name)[^.;]{0,20}\b(?:is|are|was|were|has been|have been) (?:already |currently )(?:being )?(?:rented|in use|taken|occupied)\b`,
    String.raw`\b${SORT} (?:is|are) (?:all )?(?:occupied|rented|taken)\b`,
    String.raw`\bno (?:\w+ )?resources (?:are )?(?:currently )?available(?: (?:in|for|at|on|now|right)\b|[.;]|$)`,
    String.raw`\blimited availability\b|\b(?:insufficient|not enough) (?:(?!disk|storage|network|address)\w+ )?resources\b|\b(?:gpus?|cards?|machine|host|offer)\b(?! ?name)[^.;]{0,40}\b(?:rented|taken|leased) by (?:others?|another|some)`,
    String.raw`\b(?:resources? (?:is |are )?|(?:gpus?|cards?) (?:is |are ))(?:currently )?(?:not enough|insufficient|exhausted|sold out)\b`,
    String.raw`(?:\bnot|n't) have (?:enough|sufficient) (?:(?!disk|storage|network|memory|address)\w+ )?(?:resources|gpus|cards|machines|hosts|servers)\b`,
    String.raw`\b(?:nvidia|geforce|radeon|instinct)\b(?:(?!image|volume|cuda|template|driver|disk)[^.;]){0,60}\b(?:is|are) ${AWAY}(?! (?:for|to)\b)|\baccelerators?(?:\(s\))? (?:is|are) ${AWAY}(?! (?:for|to)\b)`,
    String.raw`${OTHER_ROOM}\bcapacity\b(?! of (?:\S+ ){0,3}(?:disk|storage|volume))[^.;]{0,40}\b(?:is|has been|are) (?:currently |temporarily )?(?:limited|exhausted|reached|unavailable|full)\b`,
    String.raw`${OTHER_ROOM}\bcapacity (?:exhausted|exceeded|depleted)\b`,
  ].join('|'),
  'i',
)

/** What stands in front of an API says this of the servers of that API, in its words: they are none that are rented. */
const NO_ONE_ANSWERS =
  /^(?!.*\bgpus?\b).*(?:\bno (?:\w+ ){0,2}(?:servers?|hosts?|backends?|endpoints?|upstreams?|nodes?|instances?)\b(?! types?\b)|\bload ?balancer\b)/i

/** Words that mean the same wherever they are said, behind the rows of each API. Stock comes last: a quota may speak of cards, too. */
export const USUAL_ROWS: readonly FaultRow[] = [
  {
    text: /(?<!\b(?:spend|spending|cost) )\brate.?limit|\b(?:request|call|api)s? limit\b|(?:requests?|calls?|queries|launch(?:es)?|operations?) per (?:second|minute|hour)|too many (?:\w+ )?(?:requests|calls)|requests? (?:are |is )?too (?:frequent|fast|quick)|too (?:frequently|quickly)|\bslow(?:ing)? down\b|throttl|\b(?:launch|request|call|api|creation) rate\b[^.;]{0,20}\bexceeded\b|^rate exceeded\b/i,
    class: 'RATE_LIMIT',
    seen: 'errors-notes 5: a rate limit may come as 403',
  },
  {
    text: /^\W*(?:usage )?limits? (?:is |was |has been )?exceeded\W*$/i,
    status: 429,
    class: 'RATE_LIMIT',
    seen: 'AWS API Gateway, usage plans: of what, it does not say',
  },
  { text: /^/, status: 402, class: 'BILLING', seen: 'RFC 9110: payment required' },
  {
    text: /(?:insufficient|lacks?|not enough|have enough|no|out of|low|negative|outstanding) (?:\w+ ){0,2}(?:credits?|funds?|balance|money)\b|\b(?:funds?|balance|credits?|wallet)\b[^.;]{0,30}\b(?:too low|insufficient|not enough|exhausted|depleted|empty|negative|used up|below)\b|\barrears\b|\bnon-?payment\b|\bpayments?\b|\bbilling\b|\bcharge\b[^.;]{0,20}\bcard\b|account is inactive|account\b[^.;]{0,40}\b(?:suspended|deactivated|disabled|locked|frozen|on hold)\b|(?:credit|debit) card|card\b[^.;]{0,20}\bdeclined|overdue|unpaid|top up|recharge|(?<!\b(?:bid|price)\b(?:[^.;]|\.\d){0,40})(?:at least|minimum of) \$\d|add (?:more )?(?:funds|credits?|money)/i,
    class: 'BILLING',
    seen: 'errors-notes: money is refused as bad_request, 409 and 403',
  },
  {
    text: /\bpast due\b|\binvoices?\b|\bpre-?payment\b|\b(?:credits?|funds?|balance)\b[^.;]{0,20}\bra?un out\b|\b(?:trial|subscription)\b[^.;]{0,20}\b(?:expired|ended|over|inactive|cancell?ed)\b|\bdeposit\b[^.;]{0,20}\brequired\b|\b(?:delinquent|bad standing|you owe|fund your account|charge failed)\b|\bminimum (?:account )?balance\b|\bbalance must be\b/i,
    class: 'BILLING',
    seen: 'DigitalOcean: forbidden; Shadeform, 2026-09: INSUFFICIENT_FUNDS',
  },
  {
    text: /(?:verify|confirm) your (?:e-?mail|identity|phone|account)|account (?:is |has |was |must be )?(?:verified before|activated before|not (?:yet )?(?:been )?(?:verified|activated|enabled|approved)|being verified|under review)|not (?:yet )?(?:enabled|activated) (?:for|on|in) your (?:account|team|organi[sz]ation|project)|(?:accept|agree to) (?:the |our )?(?:\w+ )?(?:terms|agreement|license)|\brequest access\b|\bcontact sales\b|\bnot entitled\b|\bkyc\b|\bverification (?:is )?required\b|\baccount is pending\b|\baccess not granted\b|\b(?:no|not have|n't have) access to (?:this|these|that|the) (?:gpus?|instances?|machines?|droplets?|sizes?|pool)\b|\b(?:need|needs|requires?) (?:\w+ )?approval\b|\b(?:request|ask for) (?:an? )?(?:\w+ )?(?:limit|quota) increase\b/i,
    class: 'QUOTA',
    scope: 'provider',
    ttlMs: 3_600_000,
    seen: 'errors-notes 8: the account is not ready, which an operator can change',
  },
  {
    text: /quota|(?:instance|machine|gpu|pod|vm|account|spend(?:ing)?|resource) limit (?:exceeded|reached)|exceed(?:s|ed) (?:the|your) (?:\w+ )?limit|(?:reached|exceeded) (?:the|your) (?:maximum|limit)|maximum number of|\baccounts?\b[^.;]{0,20}\blimited to \d|limit exceeded|\bmax(?:imum)?\b[^.;]{0,60}\breached\b|\b(?:reached|exceeded|hit) (?:the|your|its|their) (?:\w+ ){0,3}(?:limit|maximum|cap)\b|\b(?:limit|maximum|cap)\b[^.;]{0,20}\b(?:reached|exceeded)\b|\bexceed(?:s|ed|ing)? (?!.{0,30}\b(?:size|length|bytes|characters)\b)(?:\w+ ){0,6}(?:limit|allowed)\b|\bover (?:the|your) (?:\w+ ){0,3}limit\b|\blimit (?:for|of) (?:this|your|the) (?:account|team|organi[sz]ation|project|user)\b|\b(?:accounts?|teams?|organi[sz]ations?|projects?|you) (?:may|can|is allowed to|are allowed to) (?:only )?(?:have|run|rent|use|launch|create|own|deploy) (?:at most|up to|only|no more than) \d|\bonly \d+ [^.;]{0,40}\b(?:allowed|permitted)\b|\btoo many (?:\w+ )?(?:instances|gpus|pods|machines|vms|droplets|servers|cards)\b|\b(?:limit is|current limit:?) \d|\b(?:max|maximum) (?:\w+ )?(?:instances|gpus|pods|machines|vms|droplets|servers|cards)\b/i,
    class: 'QUOTA',
    seen: 'errors.csv: quota of several clouds',
  },
  {
    text: /\b(?:may|can) only (?:have|run|rent|use|launch|create|own|deploy) \d|\b(?:cannot|can't|can not|may not) (?:have|run|rent|use|launch|create|own|deploy) more than \d|\b(?:account|user|team|project|gpu|instance|pod) limit\W{1,3}\d|\baccounts?\b[^.;]{0,20}\brestricted to \d|\bat your (?:\w+ ){0,2}limit\b|\bnumber of \w+ exceeded\b|\bbudget\b[^.;]{0,20}\b(?:exceeded|reached)\b|\b(?:all of )?your (?:\w+ )?(?:allotment|allowance)\b|\blimit of \d[\d,]*\b(?! ?(?:bytes|characters|[kmgt]i?b|seconds|minutes)\b)|\b(?:plan|tier|subscription) (?:only )?(?:allows?|permits?|(?:does not|doesn't) (?:allow|permit|include))\b|\b(?:free|trial)(?: tier)? accounts?\b/i,
    class: 'QUOTA',
    seen: 'errors-notes 8: what an operator can change',
  },
  {
    text: /invalid (?:\w+-)?(?:api|user)[ -]?key|invalid (?:bearer )?token|missing bearer token|unauthori[sz]ed|(?<!\b(?:registry|docker|image|ssh|s3)\b[^.;]{0,20})(?:api[ _-]?key|token|credential)s? (?:is |was |are |has |have )?(?:been )?(?:invalid|expired|revoked|deleted|disabled|read[- ]only|not valid)|\b(?:key|token|credential)s?\b[^.;]{0,30}\bread[- ]only\b|\bno permissions?\b|permission denied|authentication (?:failed|required)|(?:key|token|credential|role)s?\b[^.;]{0,30}\b(?:lacks?|does not have|has no|without|(?:is )?missing)\b[^.;]{0,40}\b(?:permission|scope|privilege)s?\b|\bnot authori[sz]ed to (?:perform|make|create|call)\b|insufficient (?:permission|scope|privilege)s?|\bunauthenticated\b|\bsession (?:has |is )?expired\b|\b(?:please|must) (?:re-?)?(?:authenticate|log ?in)\b/i,
    class: 'AUTH',
    seen: 'errors.csv: keys of several clouds; a bad key may come as 404',
  },
  {
    text: /\bnot authenticated\b|\bmissing (?:the )?scope\b|(?<!\b(?:registry|docker|image|ssh|s3)\b[^.;]{0,20})\b(?:invalid|bad|wrong|incorrect|expired|missing|no) (?!(?:registry|docker|image|ssh|s3)\b)(?:\w+ )?(?:credentials?|signature|(?:api|access|auth|bearer)[ _-]?(?:keys?|tokens?))\b|\bjwt\b[^.;]{0,20}\b(?:expired|invalid|malformed|missing)\b/i,
    class: 'AUTH',
    seen: 'errors.csv: 401 of several clouds',
  },
  {
    text: /\b(?:bid|price)\b(?:[^.;]|\.\d){0,40}\b(?:below|lower than|less than|under|too low|must be at least)\b|\bprices?\b[^.;]{0,30}\b(?:changed|increased|risen|rose|gone up|went up)\b|\boutbid\b/i,
    class: 'OFFER_GONE',
    seen: 'errors-notes: the price of a bid is too low',
  },
  {
    text: /\b(?:offer|ask|listing)\b[^.;]{0,40}\b(?:(?:(?:has|was|is) (?:already )?(?:been )?|already )(?:rented|taken|sold|claimed|leased)\b|(?:(?:is|was) )?(?:no longer|not) available|(?:is gone|expired|withdrawn)\b)/i,
    class: 'OFFER_GONE',
    seen: 'errors.csv: vast; what is on a market goes to one',
  },
  {
    text: /\b(?:not enough|insufficient|out of|no) (?:free |available )?(?:disk|storage|volume)(?: space| capacity)\b/i,
    class: 'NO_MATCHING_SHAPE',
    seen: 'errors.csv: runpod-python issue 297',
  },
  ...[502, 503, 504].flatMap((status): readonly FaultRow[] => [
    { text: NO_ONE_ANSWERS, status, on: 'create', class: 'AMBIGUOUS', seen: 'errors-notes 10' },
    { text: NO_ONE_ANSWERS, status, on: 'others', class: 'TRANSIENT', seen: 'errors-notes 10' },
  ]),
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
