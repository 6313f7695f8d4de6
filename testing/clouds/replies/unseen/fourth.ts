import { coded, page, problem, repliesOf, vast, yotta, type UnseenReply } from '../forms.ts'
import { FOURTH_OF_MACHINES } from './fourth-machines.ts'

const invalid = (message: string): unknown => coded('global/invalid-parameters', message)
const graph = (message: string): unknown => ({ errors: [{ message }], data: null })
const v1 = (error: string): unknown => ({ error, status: 500 })

const RUNPOD = repliesOf('runpod', [
  [
    'no room for a bid',
    400,
    problem(
      400,
      'There are no longer any instances available with the request specifications. Please try again later.',
    ),
    'SOLD_OUT no',
  ],
  [
    'a host that is full, in a success',
    200,
    graph('This machine does not have the resources to deploy your pod. Please try a different machine'),
    'SOLD_OUT no',
  ],
  [
    'no cards of a kind',
    400,
    problem(400, 'No GPUs of the requested type are available in data center EU-RO-1.'),
    'SOLD_OUT no',
  ],
  ['no capacity', 400, problem(400, 'Not enough GPU capacity in the selected data center.'), 'SOLD_OUT no'],
  ['no room, as an error of theirs', 500, problem(500, 'There are no instances currently available.'), 'SOLD_OUT no'],
  ['a bid that is too low', 400, problem(400, 'Your bid of $0.20 is below the minimum bid of $0.34.'), 'OFFER_GONE no'],
  ['funds', 402, problem(402, 'Your account has insufficient funds to deploy this pod.'), 'BILLING no'],
  ['a pool of others', 403, problem(403, 'Your account has no access to this GPU pool.'), 'QUOTA no'],
  ['a key that only reads', 403, problem(403, 'This API key is read-only.'), 'AUTH no'],
  ['a deadline of theirs', 500, v1('create pod: context deadline exceeded'), 'AMBIGUOUS maybe'],
  ['a name that is used', 500, v1('create pod: pod name already in use'), 'AMBIGUOUS maybe'],
  ['too many pods', 400, problem(400, 'Max pods per account reached (20).'), 'QUOTA no'],
  ['a quota of cards', 400, problem(400, 'GPU quota exceeded: your account may use 8 H100.'), 'QUOTA no'],
  ['a page with limits in it', 503, page('Worker exceeded resource limits'), 'AMBIGUOUS maybe', 'text/html'],
  ['something in front that is not there', 530, 'error code: 1033', 'AMBIGUOUS maybe'],
  ['a firewall, in a line', 403, 'error code: 1020', 'TRANSIENT no'],
  [
    'a number out of range',
    422,
    {
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'Request validation failed.',
      errors: [{ location: 'body.containerDiskInGb', message: 'expected number <= 2000' }],
    },
    'BAD_REQUEST no',
  ],
  [
    'a pod that was started elsewhere',
    400,
    problem(400, 'The pod could not be scheduled and has been queued'),
    'AMBIGUOUS maybe',
  ],
])

const LAMBDA = repliesOf('lambda', [
  [
    'another code for no room',
    400,
    coded('instance-operations/launch/no-capacity', 'No capacity is available for gpu_8x_h100_sxm5 in us-east-1.'),
    'SOLD_OUT no',
  ],
  ['a right', 403, coded('global/forbidden', 'You do not have permission to launch instances.'), 'AUTH no'],
  [
    'an account that is suspended',
    403,
    coded('global/account-suspended', 'Your account has been suspended. Please contact support.'),
    'BILLING no',
  ],
  ['a quota of a region', 400, coded('global/quota-exceeded', 'GPU quota exceeded in us-west-1.'), 'QUOTA no'],
  [
    'files elsewhere',
    400,
    coded('instance-operations/launch/file-system-in-wrong-region', 'File system is not in this region.'),
    'NO_MATCHING_SHAPE no',
  ],
  [
    'files that are gone',
    404,
    coded('global/object-does-not-exist', 'Specified file system does not exist.'),
    'BAD_REQUEST no',
  ],
  ['a service behind it', 503, coded('provider/internal-unavailable', 'Provider is unavailable.'), 'AMBIGUOUS maybe'],
  ['a gateway', 502, page('502 Bad Gateway'), 'AMBIGUOUS maybe', 'text/html'],
  [
    'a wait in the text',
    429,
    coded('global/too-many-requests', 'Too many requests. Try again in 9 seconds.'),
    'RATE_LIMIT no',
  ],
  ['keys of SSH', 400, invalid('ssh_key_names: exactly one SSH key name must be specified.'), 'BAD_REQUEST no'],
  ['a card that was declined', 402, coded('global/payment-required', 'Your card was declined.'), 'BILLING no'],
  ['the same once more', 409, coded('global/conflict', 'A launch with this name is in progress.'), 'AMBIGUOUS maybe'],
  ['nothing launched, in a success', 200, { data: { instance_ids: [] } }, 'AMBIGUOUS maybe'],
  [
    'a quota, and a machine',
    400,
    coded('global/quota-exceeded', 'Quota exceeded.', { data: { instance_ids: ['0920582c7ff041399e34823a0be62549'] } }),
    'QUOTA maybe',
  ],
  [
    'an address for bills',
    400,
    coded('global/invalid-billing-address', 'A valid billing address is required.'),
    'BILLING no',
  ],
  [
    'data that is too long',
    400,
    coded('instance-operations/launch/invalid-user-data', 'user_data must be at most 1048576 bytes.'),
    'BAD_REQUEST no',
  ],
])

const VAST = repliesOf('vast', [
  ['funds', 400, vast('insufficient_credit', 'Insufficient credit: add funds to your account.'), 'BILLING no'],
  [
    'a key without the right',
    403,
    vast('forbidden', 'API key does not have the instance_write permission.'),
    'AUTH no',
  ],
  [
    'an ask that is gone, in a success',
    200,
    vast('no_such_ask', 'error 404/3603: no_such_ask Instance type by id 81 is not available.'),
    'OFFER_GONE no',
  ],
  [
    'an ask that another one has',
    400,
    vast('ask_rented', 'This offer has already been rented by another user.'),
    'OFFER_GONE no',
  ],
  ['a limit in plain text', 429, 'API requests too frequent: endpoint threshold=4.5', 'RATE_LIMIT no'],
  ['a key, as if it were an address', 404, vast('auth_error', 'Invalid user key'), 'AUTH no'],
  ['a success without a contract', 200, { success: true }, 'AMBIGUOUS maybe'],
  [
    'a contract under a wrong order',
    200,
    vast('invalid_args', 'onstart is too long', { new_contract: 991 }),
    'BAD_REQUEST yes',
  ],
  [
    'too many of them',
    200,
    vast('limit', 'Your account has reached the maximum number of instances.', { new_contract: null }),
    'QUOTA no',
  ],
  [
    'a disk that is too large',
    400,
    vast('invalid_args', 'error 400/3467: invalid_args disk must be less than 500'),
    'BAD_REQUEST no',
  ],
  [
    'a disk that is not there',
    400,
    vast('no_disk', 'Not enough disk space on machine 4411: requested 800 GB.'),
    'NO_MATCHING_SHAPE no',
  ],
  ['an error in plain text', 500, 'Internal Server Error', 'AMBIGUOUS maybe'],
  ['a way to pay', 402, vast('payment_required', 'Please add a payment method.'), 'BILLING no'],
  ['an account that is suspended', 403, vast('account_suspended', 'Your account has been suspended.'), 'BILLING no'],
  [
    'an ask that is gone, and a contract',
    410,
    vast('no_such_ask', 'no longer available', { instance_id: 5 }),
    'OFFER_GONE maybe',
  ],
])

const SHADEFORM = repliesOf('shadeform', [
  [
    'out of stock, as a wrong order',
    400,
    { message: 'Instance type A100_80Gx8 is out of stock in region us-east.' },
    'SOLD_OUT no',
  ],
  ['out of stock, as an error of theirs', 500, { message: 'hyperstack: out of stock' }, 'SOLD_OUT maybe'],
  [
    'no capacity',
    409,
    { code: 'INSUFFICIENT_CAPACITY', message: 'Insufficient capacity in the requested region.' },
    'SOLD_OUT no',
  ],
  ['a key that has expired', 403, { message: 'API key has expired' }, 'AUTH no'],
  ['an empty wallet', 409, { code: 'INSUFFICIENT_FUNDS', message: 'Please top up your wallet.' }, 'BILLING no'],
  [
    'a region of no cloud',
    400,
    { code: 'INVALID_REGION', message: 'region must be one of [us-east-1, canada-1]' },
    'BAD_REQUEST no',
  ],
  ['a wait in the text', 429, { message: 'Rate limit exceeded. Try again in 30 seconds.' }, 'RATE_LIMIT no'],
  [
    'a form, field by field',
    422,
    { detail: [{ loc: ['body', 'cloud'], msg: 'field required', type: 'value_error.missing' }] },
    'BAD_REQUEST no',
  ],
  [
    'a limit of money',
    409,
    { code: 'SPENDING_LIMIT_REACHED', message: 'You have reached your spending limit.' },
    'QUOTA no',
  ],
  ['a gateway', 502, { message: 'Bad Gateway' }, 'AMBIGUOUS maybe'],
  ['too many machines', 400, { message: 'Max instances per organization (10) reached.' }, 'QUOTA no'],
  ['a name that is there', 409, { message: 'Instance with name berth-1 already exists.' }, 'AMBIGUOUS maybe'],
  ['a quota of the cloud behind it', 500, { error: 'provider error: quota exceeded for account' }, 'QUOTA maybe'],
])

const YOTTA = repliesOf('yotta', [
  ['funds', 200, yotta(11_001, 'Account balance is insufficient, please top up.'), 'BILLING no'],
  ['no cards', 200, yotta(20_003, 'No available GPU resources in this region, please try again later.'), 'SOLD_OUT no'],
  ['not enough cards', 200, yotta(20_004, 'Insufficient GPU resources.'), 'SOLD_OUT no'],
  ['a key that has expired', 200, yotta(40_102, 'API key has expired'), 'AUTH no'],
  ['a right', 200, yotta(403, 'Forbidden: no permission to create pods'), 'AUTH no'],
  ['a wrong card', 200, yotta(10_001, 'gpuType is invalid'), 'BAD_REQUEST no'],
  ['a service that is away', 200, yotta(24_000, 'Service unavailable'), 'AMBIGUOUS maybe'],
  ['a limit in plain text', 429, 'Too Many Requests', 'RATE_LIMIT no'],
  ['a quota', 200, yotta(30_001, 'Pod quota exceeded'), 'QUOTA no'],
  ['a success with nothing in it', 200, yotta(10_000, 'success', {}), 'AMBIGUOUS maybe'],
  [
    'a pod under an unknown code',
    200,
    yotta(30_007, 'Image pull failed: manifest unknown', { podId: 99 }),
    'AMBIGUOUS maybe',
  ],
  ['an account that is not verified', 200, yotta(40_302, 'Your account has not been verified'), 'QUOTA no'],
  ['a page', 502, page('502 Bad Gateway'), 'AMBIGUOUS maybe', 'text/html'],
])

/** A fourth round, whose meanings were written down before the program was asked: 25 of them were told wrongly then. */
export const FOURTH_ROUND: readonly UnseenReply[] = [
  ...RUNPOD,
  ...LAMBDA,
  ...VAST,
  ...SHADEFORM,
  ...YOTTA,
  ...FOURTH_OF_MACHINES,
]
