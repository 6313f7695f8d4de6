import type { KnownReply } from './known-reply.ts'

/** A refusal of EC2 as it comes. */
const xml = (code: string, message = 'No.'): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Response><Errors><Error><Code>${code}</Code><Message>${message}</Message></Error></Errors><RequestID>4f</RequestID></Response>`

/** A fleet that could not start what it was asked for, which is a success to EC2. */
const fleet = (...codes: readonly string[]): string => {
  const items = codes.map(
    (code) =>
      `<item><launchTemplateAndOverrides><overrides><instanceType>p5.48xlarge</instanceType><availabilityZone>us-east-1a</availabilityZone></overrides></launchTemplateAndOverrides><lifecycle>on-demand</lifecycle><errorCode>${code}</errorCode><errorMessage>No.</errorMessage></item>`,
  )
  return `<CreateFleetResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><requestId>1</requestId><fleetId>fleet-1</fleetId><errorSet>${items.join('')}</errorSet><fleetInstanceSet/></CreateFleetResponse>`
}

const PARTLY =
  '<CreateFleetResponse xmlns="http://ec2.amazonaws.com/doc/2016-11-15/"><fleetId>fleet-1</fleetId><errorSet><item><errorCode>InsufficientInstanceCapacity</errorCode><errorMessage>No.</errorMessage></item></errorSet><fleetInstanceSet><item><instanceIds><item>i-0123456789abcdef0</item></instanceIds></item></fleetInstanceSet></CreateFleetResponse>'

const SENTENCE =
  'An error occurred (InsufficientInstanceCapacity) when calling the RunInstances operation (reached max retries: 4): We currently do not have sufficient p4d.24xlarge capacity in the Availability Zone you requested (us-east-1d).'

const ARCH =
  "The architecture 'arm64' of the specified instance type does not match the architecture 'x86_64' of the specified AMI."

const TERMS = 'In order to use this AWS Marketplace product you need to accept terms and subscribe.'

const late = (code: string): unknown => ({
  Instances: [{ InstanceId: 'i-0123456789abcdef0' }],
  StateReason: { Code: code, Message: 'x' },
})

type AwsReply = readonly [match: string, status: number, body: unknown, means: string]

const REPLIES: readonly AwsReply[] = [
  ['InsufficientInstanceCapacity', 500, xml('InsufficientInstanceCapacity'), 'SOLD_OUT offer no'],
  [
    'InsufficientInstanceCapacity',
    200,
    fleet('InsufficientInstanceCapacity', 'InsufficientInstanceCapacity'),
    'SOLD_OUT offer no',
  ],
  ['', 400, SENTENCE, 'SOLD_OUT offer no'],
  [
    '',
    200,
    { Errors: [{ ErrorCode: 'InsufficientInstanceCapacity', ErrorMessage: 'No.' }], Instances: [] },
    'SOLD_OUT offer no',
  ],
  ['', 500, { Error: { Code: 'InsufficientInstanceCapacity', Message: 'No.' } }, 'SOLD_OUT offer no'],
  ['', 200, PARTLY, 'SOLD_OUT offer yes'],
  ['', 503, xml('InsufficientHostCapacity'), 'SOLD_OUT offer no'],
  ['UnfulfillableCapacity', 200, fleet('UnfulfillableCapacity'), 'SOLD_OUT offer no'],
  ['UnfulfillableCapacity', 400, xml('SpotMaxPriceTooLow'), 'OFFER_GONE offer no'],
  ['MaxSpotInstanceCountExceeded', 400, xml('MaxSpotInstanceCountExceeded'), 'QUOTA region no'],
  ['MaxSpotInstanceCountExceeded', 200, fleet('MaxFleetCountExceeded'), 'QUOTA region no'],
  ['VcpuLimitExceeded', 400, xml('VcpuLimitExceeded'), 'QUOTA region no'],
  ['VcpuLimitExceeded', 200, fleet('InstanceLimitExceeded'), 'QUOTA region no'],
  ['', 400, xml('VolumeLimitExceeded'), 'QUOTA region no'],
  [
    'Unsupported',
    400,
    xml('Unsupported', 'not supported in your requested Availability Zone'),
    'NO_MATCHING_SHAPE offer no',
  ],
  ['', 200, fleet('Unsupported', 'InsufficientInstanceCapacity'), 'SOLD_OUT offer no'],
  ['ReservationCapacityExceeded', 200, fleet('ReservationCapacityExceeded'), 'SOLD_OUT offer no'],
  ['InsufficientFreeAddressesInSubnet', 400, xml('InsufficientFreeAddressesInSubnet'), 'QUOTA region no'],
  // By the notes: a limit of calls, and whether a machine was started by what failed inside nobody knows.
  ['RequestLimitExceeded', 503, xml('RequestLimitExceeded', 'Request limit exceeded.'), 'RATE_LIMIT none no 5'],
  ['RequestLimitExceeded', 500, xml('InternalError', 'An internal error has occurred'), 'AMBIGUOUS offer maybe'],
  ['RequestLimitExceeded', 200, fleet('InternalError'), 'AMBIGUOUS offer maybe'],
  ['RequestLimitExceeded', 503, xml('Unavailable'), 'TRANSIENT offer maybe'],
  ['RequestLimitExceeded', 503, xml('ServiceUnavailable'), 'TRANSIENT offer maybe'],
  ['RequestLimitExceeded', 500, xml('ServerInternal'), 'TRANSIENT offer maybe'],
  ['', 200, fleet('InsufficientInstanceCapacity', 'InternalError'), 'AMBIGUOUS offer maybe'],
  ['', 400, xml('Throttling', 'Rate exceeded'), 'RATE_LIMIT none no 5'],
  ['', 400, { __type: 'com.amazonaws.pricing#ThrottlingException', message: 'Rate exceeded' }, 'RATE_LIMIT none no 5'],
  ['UnauthorizedOperation', 403, xml('UnauthorizedOperation', 'You are not authorized'), 'AUTH provider no'],
  ['UnauthorizedOperation', 403, xml('AuthFailure.ServiceLinkedRoleCreationNotPermitted'), 'AUTH provider no'],
  [
    'UnauthorizedOperation',
    401,
    xml('AuthFailure', 'AWS was not able to validate the provided access credentials'),
    'AUTH provider no',
  ],
  ['', 403, xml('ExpiredToken'), 'AUTH provider no'],
  ['', 401, xml('OptInRequired', TERMS), 'QUOTA provider no'],
  ['', 401, xml('OptInRequired', 'You are not opted in to this region'), 'QUOTA region no'],
  ['', 400, xml('PendingVerification', 'Your account is currently being verified.'), 'QUOTA provider no'],
  ['Server.InsufficientInstanceCapacity', 200, late('Server.InsufficientInstanceCapacity'), 'SOLD_OUT offer yes'],
  ['Server.InsufficientInstanceCapacity', 200, late('Server.SpotInstanceTermination'), 'SOLD_OUT offer yes'],
  [
    '',
    200,
    '<stateReason><code>Client.InternalError</code><message>Client error on launch</message></stateReason>',
    'TRANSIENT offer yes',
  ],
  ['InvalidParameterValue', 400, xml('InvalidParameterValue', 'Invalid value for diskSize'), 'BAD_REQUEST none no'],
  ['', 400, xml('InvalidParameterValue', ARCH), 'NO_MATCHING_SHAPE offer no'],
  ['', 400, xml('InvalidAMIID.NotFound'), 'BAD_REQUEST none no'],
  // By the notes: the token was used before.
  ['', 400, xml('IdempotentParameterMismatch'), 'AMBIGUOUS offer maybe'],
  ['', 400, xml('IdempotentInstanceTerminated'), 'AMBIGUOUS offer maybe'],
  ['', 400, xml('FluxCapacitorMisaligned'), 'TRANSIENT offer no'],
  ['', 200, fleet('FluxCapacitorMisaligned'), 'AMBIGUOUS offer maybe'],
  ['', 200, fleet(), 'AMBIGUOUS offer maybe'],
  ['', 500, xml('InsufficientInstanceCapacity').slice(0, 120), 'AMBIGUOUS offer maybe'],
  ['', 403, '<html><body>InsufficientInstanceCapacity</body></html>', 'TRANSIENT offer no'],
]

export const AWS: readonly KnownReply[] = REPLIES.map(([match, status, body, means]) => [
  'aws',
  'aws',
  match,
  status,
  body,
  means,
])
