import { page, problem, coded, vast, yotta, type UnseenReply } from '../forms.ts'
import { UNSEEN_OF_MACHINES } from './first-machines.ts'

const RUNPOD: readonly UnseenReply[] = [
  ['runpod', 'a page of the gateway that gave up', 504, page('504 Gateway Time-out'), 'AMBIGUOUS maybe', 'text/html'],
  [
    'runpod',
    'a gateway in front that waited too long',
    524,
    page('A timeout occurred'),
    'AMBIGUOUS maybe',
    'text/html',
  ],
  [
    'runpod',
    'a page with words of capacity',
    520,
    page('There are no instances currently available'),
    'AMBIGUOUS maybe',
    'text/html',
  ],
  [
    'runpod',
    'a name that is taken, said as a wrong order',
    422,
    problem(422, 'A pod with this name already exists.'),
    'AMBIGUOUS maybe',
  ],
  [
    'runpod',
    'a key of idempotency that was used',
    400,
    problem(400, 'Idempotency-Key has already been used.'),
    'AMBIGUOUS maybe',
  ],
  [
    'runpod',
    'a pod beside the refusal',
    400,
    problem(400, 'failed to attach the network volume', { podId: 'abc123' }),
    'TRANSIENT maybe',
  ],
  ['runpod', 'money', 402, problem(402, 'Your balance is too low to deploy this pod.'), 'BILLING no'],
  [
    'runpod',
    'a limit of the account',
    400,
    problem(400, 'You have reached your maximum of 40 GPUs. Spend limit exceeded.'),
    'QUOTA no',
  ],
  [
    'runpod',
    'an image that is no name',
    422,
    problem(422, 'Request validation failed: image must match pattern'),
    'BAD_REQUEST no',
  ],
  ['runpod', 'a limit of calls by something in front', 429, 'error code: 1015', 'RATE_LIMIT no'],
  ['runpod', 'a key that was deleted', 401, problem(401, 'api key was revoked'), 'AUTH no'],
]

const LAMBDA: readonly UnseenReply[] = [
  ['lambda', 'a gateway in JSON', 504, { message: 'Endpoint request timed out' }, 'AMBIGUOUS maybe'],
  [
    'lambda',
    'half a gang was started',
    400,
    coded('instance-operations/launch/insufficient-capacity', 'Not enough capacity to fulfill launch request.', {
      data: { instance_ids: ['0920582c7ff041399e34823a0be62549'] },
    }),
    'SOLD_OUT maybe',
  ],
  [
    'lambda',
    'a name that is taken',
    400,
    coded('global/invalid-parameters', 'An instance with the name berth-1 already exists.'),
    'AMBIGUOUS maybe',
  ],
  [
    'lambda',
    'an error of theirs',
    500,
    coded('global/internal-error', 'An internal error occurred.'),
    'AMBIGUOUS maybe',
  ],
  [
    'lambda',
    'a firewall',
    403,
    page('Access denied | cloud.lambdalabs.com used Cloudflare'),
    'TRANSIENT no',
    'text/html',
  ],
  [
    'lambda',
    'a key of SSH that is not there',
    400,
    coded('global/invalid-parameters', 'SSH key name is not registered.'),
    'BAD_REQUEST no',
  ],
  ['lambda', 'a quota', 400, coded('global/quota-exceeded', 'Quota exceeded: vCPU'), 'QUOTA no'],
  ['lambda', 'no code at all', 400, { error: 'moonquake' }, 'TRANSIENT no'],
]

const VAST: readonly UnseenReply[] = [
  [
    'vast',
    'maintenance',
    503,
    { success: false, msg: 'The service is not available, try again later' },
    'AMBIGUOUS maybe',
  ],
  [
    'vast',
    'maintenance, said as a success',
    200,
    { success: false, msg: 'This feature is not available' },
    'AMBIGUOUS maybe',
  ],
  [
    'vast',
    'a contract, as a text',
    200,
    { success: false, new_contract: '7384', msg: 'insufficient credit' },
    'BILLING yes',
  ],
  [
    'vast',
    'a contract with a gone ask',
    410,
    vast('no_such_ask', 'no longer available', { new_contract: 12 }),
    'OFFER_GONE yes',
  ],
  [
    'vast',
    'an ask that somebody took',
    410,
    vast('no_such_ask', 'error 410/3907: no_such_ask Instance type 5 is no longer available.'),
    'OFFER_GONE no',
  ],
  ['vast', 'a proxy that gave up', 502, page('502 Bad Gateway'), 'AMBIGUOUS maybe', 'text/html'],
  [
    'vast',
    'an order that is there already',
    400,
    vast('invalid_args', 'duplicate request: instance already created'),
    'AMBIGUOUS maybe',
  ],
  ['vast', 'no money', 400, vast('insufficient_credit', 'Your account lacks credit'), 'BILLING no'],
  ['vast', 'a refusal without a word', 200, { success: false }, 'AMBIGUOUS maybe'],
  ['vast', 'a bid that is too low', 400, vast('invalid_price', 'bid below minimum'), 'BAD_REQUEST no'],
]

const SHADEFORM: readonly UnseenReply[] = [
  [
    'shadeform',
    'out of stock, with what was made',
    409,
    { code: 'OUT_OF_STOCK', message: 'out of stock', instance_id: 'd290f1ee' },
    'SOLD_OUT maybe',
  ],
  ['shadeform', 'a cloud behind it that gave up', 504, { message: 'upstream provider timed out' }, 'AMBIGUOUS maybe'],
  [
    'shadeform',
    'a name that is taken',
    422,
    { code: 'VALIDATION_ERROR', message: 'name already in use' },
    'AMBIGUOUS maybe',
  ],
  ['shadeform', 'a conflict', 409, { error: 'CONFLICT', message: 'request is being processed' }, 'AMBIGUOUS maybe'],
  ['shadeform', 'no funds', 402, { error: 'INSUFFICIENT_FUNDS' }, 'BILLING no'],
  [
    'shadeform',
    'a region that does not exist',
    400,
    { code: 'BAD_REQUEST', message: 'unknown region' },
    'BAD_REQUEST no',
  ],
  ['shadeform', 'nothing', 502, '', 'AMBIGUOUS maybe'],
]

const YOTTA: readonly UnseenReply[] = [
  ['yotta', 'a code nobody knows, with a pod', 200, yotta(20_011, 'partially created', { id: 77 }), 'AMBIGUOUS maybe'],
  ['yotta', 'a code as a text', 200, yotta('10001', 'image is required'), 'BAD_REQUEST no'],
  ['yotta', 'a wrong order for a name that is taken', 200, yotta(10_001, 'pod name already exists'), 'AMBIGUOUS maybe'],
  ['yotta', 'an error of theirs', 200, yotta(50_001, 'system busy'), 'AMBIGUOUS maybe'],
  ['yotta', 'a page', 200, page('Yotta'), 'AMBIGUOUS maybe', 'text/html'],
  ['yotta', 'a key', 401, yotta(40_101, 'Invalid API key'), 'AUTH no'],
]

/** Replies as these APIs, or what stands before them, may give them: none was in front of whoever wrote the tables. */
export const UNSEEN_REPLIES: readonly UnseenReply[] = [
  ...RUNPOD,
  ...LAMBDA,
  ...VAST,
  ...SHADEFORM,
  ...YOTTA,
  ...UNSEEN_OF_MACHINES,
]
