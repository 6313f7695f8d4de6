import { AWS } from './known-aws.ts'
import type { KnownReply } from './known-reply.ts'

const detail = (text: string): unknown => ({ title: 'Problem', status: 400, detail: text })
const error = (text: string): unknown => ({ error: text, status: 500 })
const coded = (code: string, message = 'No.'): unknown => ({ error: { code, message, suggestion: 'Wait.' } })

const NO_LONGER = 'There are no longer any instances available with'
const NONE_NOW = 'create pod: There are no instances currently available.'
const NO_PODS = 'create pod: could not find any pods with required specifications'
const NOT_HERE = 'This machine does not have the resources to deploy your pod. Please try a different machine'
const PINNED = 'There are not enough free GPUs on the host machine to start this pod.'
const WINDOW = 'rate limit exceeded for the minute window'

const RUNPOD: readonly KnownReply[] = [
  ['runpod', 'runpod-v2', NO_LONGER, 400, detail(`${NO_LONGER} the requested specifications`), 'SOLD_OUT offer no'],
  [
    'runpod',
    'runpod-v1',
    'create pod: There are no longer',
    500,
    error(`create pod: ${NO_LONGER} the requested specifications.`),
    'SOLD_OUT offer no',
  ],
  ['runpod', 'runpod-v1', NONE_NOW, 500, error(NONE_NOW), 'SOLD_OUT offer no'],
  ['runpod', 'runpod-v1', NO_PODS, 500, error(NO_PODS), 'NO_MATCHING_SHAPE offer no'],
  ['runpod', 'runpod', 'This machine does not have', 400, detail(NOT_HERE), 'SOLD_OUT offer no'],
  [
    'runpod',
    'runpod',
    `${NO_LONGER} enough disk`,
    400,
    detail(`${NO_LONGER} enough disk space.`),
    'NO_MATCHING_SHAPE offer no',
  ],
  ['runpod', 'runpod', PINNED, 400, detail(PINNED), 'SOLD_OUT none no'],
  [
    'runpod',
    'runpod-graphql',
    'any',
    200,
    { errors: [{ message: 'Something went wrong.' }], data: null },
    'AMBIGUOUS offer maybe',
  ],
  ['runpod', 'runpod', 'internal server error', 502, error('upstream connect error'), 'AMBIGUOUS offer maybe'],
  ['runpod', 'runpod-v2', '.detail "missing bearer', 401, detail('missing bearer token'), 'AUTH provider no'],
  // By the notes: at a create, this pool is not ours, and others may be.
  ['runpod', 'runpod-v2', 'access denied', 403, detail('access denied'), 'QUOTA offer no'],
  [
    'runpod',
    'runpod-v2',
    'Request validation failed.',
    422,
    detail('Request validation failed.'),
    'BAD_REQUEST none no',
  ],
  ['runpod', 'runpod-v2', 'Retry-After', 429, detail(WINDOW), 'RATE_LIMIT none no'],
  ['runpod', 'runpod-v2', '', 402, detail('Insufficient balance.'), 'BILLING provider no'],
  ['runpod', 'runpod-v2', '', 400, detail('gpu and cpu cannot both be set'), 'TRANSIENT offer no'],
]

const LAUNCH = 'instance-operations/launch'

const LAMBDA: readonly KnownReply[] = [
  [
    'lambda',
    'lambda',
    `${LAUNCH}/insufficient-capacity`,
    400,
    coded(`${LAUNCH}/insufficient-capacity`),
    'SOLD_OUT offer no',
  ],
  ['lambda', 'lambda', 'global/quota-exceeded', 400, coded('global/quota-exceeded'), 'QUOTA provider no'],
  ['lambda', 'lambda', 'global/invalid-parameters', 400, coded('global/invalid-parameters'), 'BAD_REQUEST none no'],
  [
    'lambda',
    'lambda',
    `${LAUNCH}/file-system-in`,
    400,
    coded(`${LAUNCH}/file-system-in-wrong-region`),
    'NO_MATCHING_SHAPE region no',
  ],
  ['lambda', 'lambda', 'global/invalid-api-key', 401, coded('global/invalid-api-key'), 'AUTH provider no'],
  ['lambda', 'lambda', 'global/account-inactive', 403, coded('global/account-inactive'), 'BILLING provider no'],
  ['lambda', 'lambda', 'global/account-inactive', 403, coded('global/invalid-address'), 'BILLING provider no'],
  [
    'lambda',
    'lambda',
    'provider/',
    503,
    coded('provider/internal-unavailable', 'Provider unavailable'),
    'AMBIGUOUS region maybe',
  ],
  ['lambda', 'lambda', 'provider/', 400, coded('provider/quota', 'Quota limit reached'), 'AMBIGUOUS region maybe'],
  [
    'lambda',
    'lambda',
    'Regions with capacity',
    400,
    coded('x', 'Regions with capacity available: us-west-1'),
    'SOLD_OUT offer no',
  ],
  ['lambda', 'lambda', 'any', 429, coded('global/too-many-requests'), 'RATE_LIMIT none no 12'],
  ['lambda', 'lambda', '', 404, coded('global/object-does-not-exist', 'No such file system'), 'BAD_REQUEST none no'],
]

const vast = (error: string, msg: string): unknown => ({ success: false, error, msg, ask_id: 1 })
const GONE_404 = 'error 404/3603: no_such_ask Instance type by id 1 is not available.'
const GONE_410 = 'error 410/3907: no_such_ask Instance type 1 is no longer available.'
const CREDIT = 'Your account lacks credit; see the billing page.'

const VAST: readonly KnownReply[] = [
  ['vast', 'vast', 'error 404/3603: no_such_ask', 404, vast('invalid_args', GONE_404), 'OFFER_GONE offer no'],
  ['vast', 'vast', 'error 410/3907: no_such_ask', 410, vast('no_such_ask', GONE_410), 'OFFER_GONE offer no'],
  ['vast', 'vast', 'any', 200, { success: false, new_contract: 7, msg: 'cannot start' }, 'TRANSIENT offer yes'],
  ['vast', 'vast', 'invalid_args', 400, vast('invalid_args', 'error 400/3467: Invalid args'), 'BAD_REQUEST none no'],
  ['vast', 'vast', 'invalid_args', 400, vast('invalid_price', 'too low'), 'BAD_REQUEST none no'],
  ['vast', 'vast', 'auth_error', 401, vast('auth_error', 'Invalid user key'), 'AUTH provider no'],
  ['vast', 'vast', '', 404, { error: null, msg: 'Invalid user key' }, 'AUTH provider no'],
  [
    'vast',
    'vast',
    'API requests too frequent',
    429,
    'API requests too frequent: endpoint threshold=4.5',
    'RATE_LIMIT none no 5',
  ],
  ['vast', 'vast', '"API requests too frequent', 429, { detail: 'API requests too frequent' }, 'RATE_LIMIT none no 5'],
  ['vast', 'vast', '', 403, vast('insufficient_credit', CREDIT), 'BILLING provider no'],
  ['vast', 'vast', '', 400, vast('odd', 'the moon is full'), 'TRANSIENT offer no'],
]

const SHADEFORM: readonly KnownReply[] = [
  ['shadeform', 'shadeform', '{"message":"Invalid API key"}', 401, { message: 'Invalid API key' }, 'AUTH provider no'],
  ['shadeform', 'shadeform', '', 409, { code: 'OUT_OF_STOCK', message: 'Out of stock' }, 'SOLD_OUT offer no'],
  ['shadeform', 'shadeform', '', 409, { error: 'OUT_OF_STOCK' }, 'SOLD_OUT offer no'],
  ['shadeform', 'shadeform', '', 409, { code: 'INSUFFICIENT_FUNDS', message: 'Add funds' }, 'BILLING provider no'],
  ['shadeform', 'shadeform', '', 409, { message: 'conflict' }, 'AMBIGUOUS offer maybe'],
  ['shadeform', 'shadeform', '', 500, { message: 'provider error: out of stock' }, 'SOLD_OUT offer maybe'],
]

const yotta = (code: number, message = 'error'): unknown => ({ message, code, data: null })

const YOTTA: readonly KnownReply[] = [
  ['yotta', 'yotta', 'business error even on 200', 200, yotta(77_777), 'AMBIGUOUS offer maybe'],
  ['yotta', 'yotta', '10001', 200, yotta(10_001), 'BAD_REQUEST none no'],
  ['yotta', 'yotta', '10002', 200, yotta(10_002), 'AMBIGUOUS offer maybe'],
  ['yotta', 'yotta', '10002', 500, yotta(10_002), 'AMBIGUOUS offer maybe'],
  ['yotta', 'yotta', '24000 (Serverless', 200, yotta(24_000), 'AMBIGUOUS offer maybe'],
  ['yotta', 'yotta', '', 200, yotta(40_101), 'AUTH provider no'],
  ['yotta', 'yotta', '', 200, yotta(50_001), 'AMBIGUOUS offer maybe'],
  ['yotta', 'yotta', '', 200, yotta(429), 'RATE_LIMIT none no'],
  ['yotta', 'yotta', '', 200, yotta(11_001, 'Insufficient balance'), 'BILLING provider no'],
]

const status = (reason: string, message: string): unknown => ({ kind: 'Status', status: 'Failure', reason, message })

const KUBERNETES: readonly KnownReply[] = [
  ['kubernetes', 'kubernetes', '-', 401, status('Unauthorized', 'Unauthorized'), 'AUTH provider no'],
  [
    'kubernetes',
    'kubernetes',
    '-',
    403,
    status('Forbidden', 'pods is forbidden: User "u" cannot create resource "pods" in API group ""'),
    'AUTH provider no',
  ],
  [
    'kubernetes',
    'kubernetes',
    '',
    403,
    status('Forbidden', 'pods "a" is forbidden: exceeded quota: gpus, requested: 8, used: 8, limited: 8'),
    'QUOTA region no',
  ],
  [
    'kubernetes',
    'kubernetes',
    '',
    422,
    status('Invalid', 'Pod "a" is invalid: spec.x: Required value'),
    'BAD_REQUEST none no',
  ],
  [
    'kubernetes',
    'kubernetes',
    '',
    500,
    status('InternalError', 'etcdserver: request timed out'),
    'AMBIGUOUS offer maybe',
  ],
  ['kubernetes', 'kubernetes', '', 503, 'apiserver not ready', 'AMBIGUOUS offer maybe'],
]

const said = (id: string, message: string): unknown => ({ id, message, request_id: 'r' })

const DIGITALOCEAN: readonly KnownReply[] = [
  [
    'digitalocean',
    'digitalocean',
    '.message',
    422,
    said('unprocessable_entity', 'Size is not available in this region.'),
    'SOLD_OUT offer no',
  ],
  [
    'digitalocean',
    'digitalocean',
    '',
    422,
    said('unprocessable_entity', 'You specified an invalid image for Droplet creation.'),
    'BAD_REQUEST none no',
  ],
  ['digitalocean', 'digitalocean', '', 422, said('unprocessable_entity', 'No.'), 'NO_MATCHING_SHAPE offer no'],
  ['digitalocean', 'digitalocean', 'id unauthorized', 401, said('unauthorized', 'No.'), 'AUTH provider no'],
  ['digitalocean', 'digitalocean', '', 429, said('too_many_requests', 'No.'), 'RATE_LIMIT none no'],
  ['digitalocean', 'digitalocean', '', 500, said('server_error', 'No.'), 'AMBIGUOUS offer maybe'],
]

/** Replies that were seen or are documented, one at least for each row of the table of facts. */
export const KNOWN_REPLIES: readonly KnownReply[] = [
  ...RUNPOD,
  ...LAMBDA,
  ...VAST,
  ...SHADEFORM,
  ...YOTTA,
  ...KUBERNETES,
  ...DIGITALOCEAN,
  ...AWS,
]
