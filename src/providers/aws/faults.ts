import { createdBy, type Fault, type FaultClass } from '../../core/life/call/fault.ts'
import type { ApiReply } from '../../ports/provider.ts'
import type { FaultRow } from '../rest/fault-row.ts'
import { faultOf, type RestReply } from '../rest/fault-table.ts'
import type { RefusalText } from '../rest/words.ts'
import { awsWords } from './words.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const EC2 = 'EC2 API reference, error codes'
const KARPENTER = 'errors.csv: karpenter'
const NOTES = 'errors-notes'

/**
 * How AWS refuses. Its statuses say little: sold out is a 500, a limit of calls a 503, terms that were not accepted a 401, and a
 * fleet refuses with a 200.
 */
const AWS_ROWS: readonly FaultRow[] = [
  // What is said of a machine after the order was accepted: it exists, or did.
  {
    code: /^Server\.InsufficientInstanceCapacity$/,
    class: 'SOLD_OUT',
    created: 'yes',
    seen: 'errors.csv: StateReason',
  },
  { code: /^Server\.Spot\w+$/, class: 'SOLD_OUT', created: 'yes', seen: 'errors.csv: StateReason' },
  {
    code: /^(?:Server|Client)\.(?:Internal|Volume|User|InstanceInitiated|InstanceTerminated|Scheduled|InvalidSnapshot|InvalidKMSKey)[\w.]+$/,
    class: 'TRANSIENT',
    created: 'yes',
    seen: NOTES,
  },
  // What an order started is not listed yet.
  {
    code: /^Invalid(?:InstanceID|FleetId|SpotInstanceRequestID|ReservationID)\.NotFound$/,
    on: 'create',
    class: 'AMBIGUOUS',
    seen: `${NOTES} 3`,
  },
  {
    code: /^Invalid(?:InstanceID|FleetId|SpotInstanceRequestID|ReservationID)\.NotFound$/,
    on: 'others',
    class: 'TRANSIENT',
    seen: `${NOTES} 3`,
  },
  // Something is there, and busy.
  {
    code: /^(?:Incorrect\w*State(?:Exception)?|Invalid(?:Instance)?State\w*|\w*Conflict\w*|\w*InProgress\w*|ResourceInUse\w*)$/,
    on: 'create',
    class: 'AMBIGUOUS',
    seen: EC2,
  },
  // The token or the name was used before: an earlier try went through.
  {
    code: /^Idempotent\w+|\.Already(?:Exists|Assigned|Associated)(?:Exception)?$|\.Duplicate$/,
    class: 'AMBIGUOUS',
    seen: `${NOTES} 1`,
  },

  {
    code: /^(?:Client\.)?(?:RequestLimitExceeded|RequestThrottled\w*|Throttl\w+|TooManyRequests\w*|EC2ThrottledException|BandwidthLimitExceeded|SlowDown|PriorRequestNotComplete)$/,
    class: 'RATE_LIMIT',
    created: 'no',
    retryAfterMs: 5000,
    seen: NOTES,
  },

  {
    code: /^(?:Insufficient(?!Address)\w*Capacity\w*|UnfulfillableCapacity)$/,
    class: 'SOLD_OUT',
    created: 'no',
    seen: KARPENTER,
  },
  { code: 'ReservationCapacityExceeded', class: 'SOLD_OUT', created: 'no', ttlMs: 10 * MINUTE_MS, seen: KARPENTER },
  { code: 'SpotMaxPriceTooLow', class: 'OFFER_GONE', created: 'no', seen: NOTES },
  { code: 'Unsupported', class: 'NO_MATCHING_SHAPE', created: 'no', ttlMs: DAY_MS, seen: KARPENTER },
  {
    code: /^Invalid(?:Parameter|FleetConfig)/,
    text: /(?:architecture|virtualization|boot mode).{0,120}(?:match|support)|unsupported instance ?types?|instance type.{0,160}(?:not (?:available|supported|offered)|do(?:es)? not exist)/is,
    class: 'NO_MATCHING_SHAPE',
    created: 'no',
    seen: EC2,
  },
  {
    code: /^(?:InvalidInstanceType|Unsupported\w+|\w+Unsupported|(?:Unavailable|Incompatible)HostRequirements|\w+NotAvailableInZone|[\w.]+NotSupported)$/,
    class: 'NO_MATCHING_SHAPE',
    created: 'no',
    seen: EC2,
  },

  {
    code: /^(?:VcpuLimitExceeded|InstanceLimitExceeded)$/,
    class: 'QUOTA',
    created: 'no',
    ttlMs: 30 * MINUTE_MS,
    seen: KARPENTER,
  },
  { code: /^(?:MaxSpotInstanceCountExceeded|MaxFleetCountExceeded)$/, class: 'QUOTA', created: 'no', seen: KARPENTER },
  {
    code: /^(?:InsufficientFreeAddressesInSubnet|SubnetIsFull|InsufficientCidrBlocks|InsufficientAddressCapacity)$/,
    class: 'QUOTA',
    created: 'no',
    seen: `${NOTES} 8`,
  },
  {
    code: /^(?:\w+LimitExceeded\w*|\w+QuotaExceeded\w*|\w+CountExceeded|\w+TargetCapacityExceeded|Max\w+Exceeded)$/,
    class: 'QUOTA',
    created: 'no',
    seen: EC2,
  },
  {
    code: 'OptInRequired',
    text: /marketplace|terms|subscri(?:be|ption)/i,
    class: 'QUOTA',
    created: 'no',
    scope: 'provider',
    ttlMs: 60 * MINUTE_MS,
    seen: `${NOTES} 5, 6, 8`,
  },
  {
    code: 'PendingVerification',
    text: /account/i,
    class: 'QUOTA',
    created: 'no',
    scope: 'provider',
    ttlMs: 60 * MINUTE_MS,
    seen: `${NOTES} 6`,
  },
  {
    code: /^(?:OptInRequired|PendingVerification)$/,
    class: 'QUOTA',
    created: 'no',
    ttlMs: 60 * MINUTE_MS,
    seen: `${NOTES} 6, 8`,
  },
  {
    code: /^InvalidParameter/,
    text: /not eligible for free tier/i,
    class: 'QUOTA',
    created: 'no',
    scope: 'instance',
    ttlMs: 60 * MINUTE_MS,
    seen: 'accounts on the free plan: another sort may run',
  },
  { code: 'Blocked', class: 'BILLING', created: 'no', seen: EC2 },

  {
    code: /^(?:UnauthorizedOperation|AuthFailure(?:\..*)?|AccessDenied\w*|NotAuthorized\w*|InvalidClientTokenId|InvalidAccessKeyId|UnrecognizedClientException|SignatureDoesNotMatch|InvalidSignature\w*|IncompleteSignature|MissingAuthenticationToken\w*|ExpiredToken\w*|RequestExpired|InvalidSecurity(?:\.RequestHasExpired)?)$/,
    class: 'AUTH',
    created: 'no',
    seen: KARPENTER,
  },

  {
    code: /^(?:InternalError|InternalFailure|InternalServer\w*|InternalServiceError)$/,
    on: 'create',
    class: 'AMBIGUOUS',
    seen: NOTES,
  },
  // Overloaded: likely not done, and nobody can tell.
  {
    code: /^(?:ServerInternal|ServiceUnavailable\w*|Unavailable|RequestTimeout\w*)$/,
    on: 'create',
    class: 'TRANSIENT',
    created: 'maybe',
    seen: 'errors.csv: skypilot',
  },
  {
    code: /^(?:Internal\w+|ServerInternal|ServiceUnavailable\w*|Unavailable|RequestTimeout\w*)$/,
    class: 'TRANSIENT',
    seen: 'errors.csv: skypilot',
  },

  // Read after write: what was made a moment ago may not be there yet.
  {
    code: /^InvalidLaunchTemplate(?:Id|Name)\.(?:NotFound|VersionNotFound|NotFoundException)$/,
    class: 'TRANSIENT',
    created: 'no',
    seen: `${NOTES} 3`,
  },
  {
    code: /^(?:InvalidParameter\w*|MissingParameter|UnknownParameter|InvalidInput|InvalidRequest|Invalid(?:Format|Filter|Tenancy|InstanceAttributeValue|InstanceCreditSpecification)|UnknownVolumeType|InvalidUserData\.\w+|InvalidBlockDeviceMapping|InvalidAMIID\.\w+|InvalidAMIAttribute\w*|InvalidSubnet(?:ID\.\w+)?|InvalidSubnetID\.NotFound|InvalidGroup\.\w+|InvalidGroupId\.\w+|InvalidSecurityGroupID\.\w+|InvalidSecurity\w+|InvalidKeyPair\.\w+|InvalidIamInstanceProfile\w*|InvalidPlacementGroup\.\w+|InvalidLaunchTemplate\w+\.?\w*|InvalidFleetConfig\w*|InvalidTag\w*\.?\w*|TagLimitExceeded|ValidationError\w*|MalformedQueryString|InvalidAction|InvalidQueryParameter|InvalidParameterCombination|Missing\w+|\w+NotSpecified|Invalid\w+\.(?:NotFound|Malformed|Unknown|Format))$/,
    class: 'BAD_REQUEST',
    created: 'no',
    seen: 'errors.csv: dstack',
  },
  { status: 429, class: 'RATE_LIMIT', created: 'no', retryAfterMs: 5000, seen: EC2 },
]

interface Asked {
  readonly creates: boolean
}

/** The fault that a reply means, whatever is in it. */
export function awsFault({ status, headers, text }: RestReply, asked: Asked): Fault {
  const { refusals, instances, isCut } = awsWords(text, headers['content-type'])
  const said = refusals === undefined || refusals.length === 0 ? undefined : refusals
  const faults =
    said === undefined
      ? [faultOf({ status, headers, code: undefined, text, isOwn: false }, AWS_ROWS, asked)]
      : said.map((words) => faultOf({ status, headers, ...plain(words), isOwn: true }, AWS_ROWS, asked))
  const fault = together(faults)
  // Half a reply says nothing for sure.
  if (isCut) return { class: asked.creates ? 'AMBIGUOUS' : 'TRANSIENT', message: fault.message }
  if (!asked.creates) return fault
  const [instance, ...others] = instances
  // A set of machines that is not empty, or a name in a text, is no proof that there is none.
  const isNamed = /<(?:fleetInstanceSet|instancesSet)>\s*<item>|"InstanceIds"\s*:\s*\[\s*"/.test(text)
  if (instance === undefined)
    return isNamed || /(?<![\w-])i-(?=[a-z]*\d)[a-z\d]{1,40}\b/.test(text) ? unproven(fault) : fault
  const known = { ...fault, class: fault.class === 'AMBIGUOUS' ? ('TRANSIENT' as const) : fault.class }
  // What is known to exist is no longer unknown: it is ended, and the order goes elsewhere.
  return { ...known, created: 'yes', ...(others.length === 0 && { instance }) }
}

/** A refusal that speaks of a machine is no proof that there is none. */
function unproven(fault: Fault): Fault {
  return createdBy(fault) === 'no' ? { ...fault, created: 'maybe' } : fault
}

/** Trails and older tools write `Client.` before the code of a call, too, and not only before that of a machine. */
function plain({ code, text }: RefusalText): RefusalText {
  const isOfMachine = AWS_ROWS.some(({ code: known, created }) => created === 'yes' && fits(known, code))
  return { code: isOfMachine ? code : code?.replace(/^(?:Client|Server)\./, ''), text }
}

function fits(known: FaultRow['code'], code: string | undefined): boolean {
  return known instanceof RegExp && code !== undefined && known.test(code)
}

/** What a fleet says of what it could not start, and of what it did: the words of each override. */
export function fleetFault(refusals: readonly RefusalText[]): Fault {
  const asked = { creates: true }
  const said = refusals.map((words) => faultOf({ status: 200, headers: {}, ...words, isOwn: true }, AWS_ROWS, asked))
  if (said.length > 0) return together(said)
  return { class: 'AMBIGUOUS', message: 'the fleet has no machine and does not say why' }
}

/**
 * A fleet refuses each override with words of its own. What leaves most open wins: something may exist, then "not now" before
 * "never"; only if all say that the order is wrong, it is.
 */
const RANK: readonly FaultClass[] = [
  'AMBIGUOUS',
  'RATE_LIMIT',
  'SOLD_OUT',
  'TRANSIENT',
  'OFFER_GONE',
  'QUOTA',
  'AUTH',
  'BILLING',
  'NO_MATCHING_SHAPE',
  'BAD_REQUEST',
]

function together(faults: readonly Fault[]): Fault {
  const sorted = faults.toSorted((one, two) => RANK.indexOf(one.class) - RANK.indexOf(two.class))
  const [first] = sorted
  if (first === undefined) return { class: 'AMBIGUOUS', message: 'it did not say why' }
  const created = ['yes', 'maybe'].find((each) => faults.some((fault) => fault.created === each))
  return { ...first, ...((created === 'yes' || created === 'maybe') && { created }) }
}

export function classifyAws({ operation, status, headers, body }: ApiReply): Fault {
  return awsFault({ status, headers, text: body }, { creates: operation === 'create' })
}
