import { page, problem, coded, vast, yotta, repliesOf, type UnseenReply } from '../forms.ts'
import { SECOND_OF_MACHINES } from './second-machines.ts'

/** As the older API of RunPod puts it, whose texts come back in the newer one. */
const graph = (message: string, code: string): unknown => ({
  errors: [{ message, path: ['podFindAndDeployOnDemand'], extensions: { code } }],
  data: { podFindAndDeployOnDemand: null },
})
const v1 = (error: string): unknown => ({ error, status: 500 })

const RUNPOD = repliesOf('runpod', [
  [
    'a pod that was created and could not be read back',
    500,
    v1('create pod: query pod: column NetworkVolume.userId does not exist'),
    'AMBIGUOUS maybe',
  ],
  [
    'no room, in a success',
    200,
    graph(
      'There are no longer any instances available with the requested specifications. Please refresh and try again.',
      'RUNPOD',
    ),
    'SOLD_OUT no',
  ],
  ['a key, in a success', 200, graph('Unauthorized request, please check your API key.', 'UNAUTHENTICATED'), 'AUTH no'],
  [
    'nobody knows what, in a success',
    200,
    graph('Something went wrong. Please try again later or contact support.', 'INTERNAL_SERVER_ERROR'),
    'AMBIGUOUS maybe',
  ],
  [
    'money as a wrong order',
    400,
    problem(400, 'Your account balance is too low. Please add at least $0.50 to deploy.'),
    'BILLING no',
  ],
  ['a pod that is on its way', 409, problem(409, 'Pod is already being deployed'), 'AMBIGUOUS maybe'],
  ['a service that is away', 503, problem(503, 'Service temporarily unavailable'), 'AMBIGUOUS maybe'],
  ['a limit with the wait in the text', 429, problem(429, 'Too many requests. Retry after 12s'), 'RATE_LIMIT no'],
  ['a firewall', 403, page('Attention Required! | Cloudflare'), 'TRANSIENT no', 'text/html'],
  [
    'a key without the right',
    403,
    problem(403, 'API key does not have permission for this operation: pods:write'),
    'AUTH no',
  ],
  [
    'a host that is full, as an error of theirs',
    500,
    v1('create pod: This machine does not have the resources to deploy your pod. Please try a different machine.'),
    'SOLD_OUT no',
  ],
  ['a caller that went', 499, problem(499, 'client closed request'), 'AMBIGUOUS maybe'],
  [
    'created, and then it failed',
    400,
    problem(400, 'Pod created but failed to start: image pull error', { id: 'k3x9' }),
    'AMBIGUOUS maybe',
  ],
  [
    'a number out of range',
    422,
    {
      title: 'Unprocessable Entity',
      status: 422,
      detail: 'Request validation failed.',
      errors: [{ field: 'gpu.count', message: 'must be <= 8' }],
    },
    'BAD_REQUEST no',
  ],
])

const LAMBDA = repliesOf('lambda', [
  ['more than one', 400, coded('global/invalid-parameters', 'Requested too many instances.'), 'BAD_REQUEST no'],
  [
    'a number out of range',
    400,
    coded('global/invalid-parameters', 'quantity: Input should be less than or equal to 1'),
    'BAD_REQUEST no',
  ],
  [
    'no room, said of parameters',
    400,
    coded(
      'global/invalid-parameters',
      'Region us-west-9 does not have capacity. Regions with capacity available: us-east-1, us-west-2',
    ),
    'SOLD_OUT no',
  ],
  ['an account that is not active', 403, coded('global/account-inactive', 'Your account is inactive.'), 'BILLING no'],
  ['something in front that counts', 429, 'error code: 1015', 'RATE_LIMIT no'],
  ['a service that is away', 503, coded('global/service-unavailable', 'Please try again.'), 'AMBIGUOUS maybe'],
  [
    'a service behind it that is full',
    400,
    coded('provider/insufficient-capacity', 'Upstream refused.'),
    'AMBIGUOUS maybe',
  ],
  [
    'a key that was deleted',
    401,
    coded('global/invalid-api-key', 'API key was invalid, expired, or deleted.'),
    'AUTH no',
  ],
  [
    'two at most',
    400,
    coded('global/quota-exceeded', 'Your request would exceed your quota of 2 instances.'),
    'QUOTA no',
  ],
  [
    'orders too fast',
    400,
    coded('instance-operations/launch/too-many-launches', 'Too many launch requests. Please wait 12 seconds.'),
    'RATE_LIMIT no',
  ],
  ['nothing at all', 520, '', 'AMBIGUOUS maybe'],
  [
    'a host name that is taken',
    400,
    coded('global/invalid-parameters', "hostname 'berth-1' is already taken by another instance"),
    'AMBIGUOUS maybe',
  ],
  [
    'a key of SSH that was deleted',
    404,
    coded('global/object-does-not-exist', 'Specified SSH key name does not exist.'),
    'BAD_REQUEST no',
  ],
])

const VAST = repliesOf('vast', [
  ['a login', 401, vast('auth_error', 'This action requires login'), 'AUTH no'],
  [
    'no money, in a success',
    200,
    vast('insufficient_credit', 'Your account lacks credit; see the billing page.'),
    'BILLING no',
  ],
  ['an error of theirs', 500, vast('internal_error', 'Internal error'), 'AMBIGUOUS maybe'],
  ['a machine that is off', 400, vast('machine_offline', 'Machine 12 is offline'), 'TRANSIENT no'],
  ['a proxy', 503, 'upstream connect error or disconnect/reset before headers', 'AMBIGUOUS maybe'],
  [
    'a contract whose image is not there',
    200,
    { success: false, new_contract: 555_123, msg: 'docker image not found' },
    'TRANSIENT yes',
  ],
  [
    'a limit, in a success',
    200,
    vast('rate_limit_exceeded', 'API requests too frequent endpoint threshold=2.0'),
    'RATE_LIMIT no',
  ],
  ['a conflict', 409, vast('conflict', 'ask is being rented'), 'AMBIGUOUS maybe'],
  [
    'an account that is not verified',
    403,
    vast('not_authorized', 'You must verify your email before renting.'),
    'QUOTA no',
  ],
  ['half a reply', 200, '{"success": true, "new_con', 'AMBIGUOUS maybe'],
  ['a page', 200, page('Vast.ai'), 'AMBIGUOUS maybe', 'text/html'],
  [
    'an offer that another one took',
    400,
    vast('no_such_ask', 'error 400/3602: no_such_ask Offer 12 is no longer available.'),
    'OFFER_GONE no',
  ],
  ['a wrong disk, in a success', 200, vast('invalid_args', 'error 400/3467: Invalid args: disk'), 'BAD_REQUEST no'],
])

const SHADEFORM = repliesOf('shadeform', [
  [
    'out of stock, with another name for the code',
    409,
    { error_code: 'OUT_OF_STOCK', error: 'The requested instance type is out of stock' },
    'SOLD_OUT no',
  ],
  [
    'a field that is missing',
    400,
    { message: 'Invalid request body: shade_instance_type is required' },
    'BAD_REQUEST no',
  ],
  ['an error of theirs', 500, { message: 'Internal server error' }, 'AMBIGUOUS maybe'],
  ['an empty wallet', 400, { message: 'Insufficient credits. Please add funds to your wallet.' }, 'BILLING no'],
  ['a limit', 429, { message: 'Too Many Requests' }, 'RATE_LIMIT no'],
  ['a quota', 400, { code: 'QUOTA_EXCEEDED', message: 'Instance quota exceeded' }, 'QUOTA no'],
  ['a gateway', 504, { message: 'Endpoint request timed out' }, 'AMBIGUOUS maybe'],
  ['a name that is not unique', 409, { message: 'Instance name must be unique' }, 'AMBIGUOUS maybe'],
  ['a name that exists', 400, { message: 'An instance with the same name exists in your account' }, 'AMBIGUOUS maybe'],
  [
    'a cloud behind it that is full, as an error of theirs',
    500,
    { message: 'failed to launch instance: NotEnoughCapacity' },
    'SOLD_OUT maybe',
  ],
  ['a success without a name', 200, { message: 'accepted' }, 'AMBIGUOUS maybe'],
])

const YOTTA = repliesOf('yotta', [
  ['no money', 200, yotta(11_002, 'Insufficient balance, please recharge'), 'BILLING no'],
  ['a key', 200, yotta(401, 'Unauthorized'), 'AUTH no'],
  ['an error of theirs', 500, yotta(50_001, 'internal'), 'AMBIGUOUS maybe'],
  ['a number that is no power of two', 200, yotta(10_001, 'gpuCount must be a power of 2'), 'BAD_REQUEST no'],
  ['a limit', 200, yotta(429, 'Too many requests, retry in 3 seconds'), 'RATE_LIMIT no'],
  ['no cards', 200, yotta(20_001, 'GPU resources in region us-east-1 are sold out'), 'SOLD_OUT no'],
  ['a success without a pod', 200, yotta(10_000, 'success'), 'AMBIGUOUS maybe'],
  ['half a reply', 200, '{"code": 10001, "mess', 'AMBIGUOUS maybe'],
  ['a key without the right', 403, yotta(40_301, 'API key has no permission to create pods'), 'AUTH no'],
  ['too many pods', 200, yotta(30_005, 'Exceeded the maximum number of pods for this account'), 'QUOTA no'],
  ['a name twice', 200, yotta(10_001, 'duplicate pod name'), 'AMBIGUOUS maybe'],
  ['an error of theirs, as a success', 200, yotta(10_002, 'System error'), 'AMBIGUOUS maybe'],
])

/** A second round, from public issues and pages; the meaning of each was decided before the program was asked. */
export const SECOND_ROUND: readonly UnseenReply[] = [
  ...RUNPOD,
  ...LAMBDA,
  ...VAST,
  ...SHADEFORM,
  ...YOTTA,
  ...SECOND_OF_MACHINES,
]
