import { droplet, ec2, fleet, kube, page, repliesOf } from '../forms.ts'

const refused = (message: string, more: object = {}): unknown => droplet('unprocessable_entity', message, more)
const forbidden = (message: string): unknown => kube(403, 'Forbidden', message)
const errorOf = (code: string): string => `<item><errorCode>${code}</errorCode><errorMessage>No.</errorMessage></item>`
const errors = (...codes: readonly string[]): string => `<errorSet>${codes.map(errorOf).join('')}</errorSet>`
const MACHINE =
  '<fleetInstanceSet><item><instanceIds><item>i-0123456789abcdef0</item></instanceIds></item></fleetInstanceSet>'

const DIGITALOCEAN = repliesOf('digitalocean', [
  ['too many droplets', 422, refused('creating this/these droplet(s) will exceed your droplet limit'), 'QUOTA no'],
  ['no cards', 422, refused('No GPU Droplets are available in this region at this time.'), 'SOLD_OUT no'],
  ['a size that is sold out', 422, refused('gpu-h100x1-80gb is sold out in nyc2.'), 'SOLD_OUT no'],
  [
    'a region without room',
    422,
    refused('We are currently out of capacity for this size, please try later.'),
    'SOLD_OUT no',
  ],
  ['a way to pay', 402, droplet('payment_required', 'Please add a payment method.'), 'BILLING no'],
  ['a token, with another sign', 401, droplet('Unauthorized', 'Unable to authenticate you'), 'AUTH no'],
  ['no name', 422, refused("Name can't be blank"), 'BAD_REQUEST no'],
  ['data that is too long', 422, refused('user_data is too long (maximum is 65536 characters)'), 'BAD_REQUEST no'],
  [
    'an image that does not exist',
    422,
    refused('You specified an invalid image for Droplet creation.'),
    'BAD_REQUEST no',
  ],
  ['a gateway', 504, page('504 Gateway Time-out'), 'AMBIGUOUS maybe', 'text/html'],
  ['a name on its way', 409, droplet('conflict', 'A droplet with the same name is being created.'), 'AMBIGUOUS maybe'],
  [
    'a droplet beside the refusal',
    422,
    refused('The volume could not be attached.', { droplet: { id: 3_164_494 } }),
    'NO_MATCHING_SHAPE maybe',
  ],
  ['a quota of cards', 422, refused('The GPU quota of your team has been reached.'), 'QUOTA no'],
])

const AWS = repliesOf('aws', [
  [
    'a host that is full',
    400,
    ec2('InsufficientCapacityOnHost', 'Dedicated host h-04cdeb3857121b990 has insufficient capacity.'),
    'SOLD_OUT no',
  ],
  [
    'no room and a quota, in a fleet',
    200,
    fleet(errors('VcpuLimitExceeded', 'InsufficientInstanceCapacity')),
    'SOLD_OUT no',
  ],
  [
    'no room at one, a machine at another',
    200,
    fleet(errors('InsufficientInstanceCapacity') + MACHINE),
    'SOLD_OUT yes',
  ],
  ['spot machines', 400, ec2('MaxSpotInstanceCountExceeded', 'Max spot instance count exceeded'), 'QUOTA no'],
  ['machines', 400, ec2('InstanceLimitExceeded', 'Your quota allows for 0 more running instance(s).'), 'QUOTA no'],
  [
    'a price',
    400,
    ec2(
      'SpotMaxPriceTooLow',
      'Your Spot request price of 0.1 is lower than the minimum required Spot request fulfillment price of 0.5.',
    ),
    'OFFER_GONE no',
  ],
  [
    'types of machines',
    400,
    ec2(
      'InvalidFleetConfig',
      'Invalid: Parameter: InstanceTypes. Unsupported instancetypes specified in the batch request',
    ),
    'NO_MATCHING_SHAPE no',
  ],
  ['a key', 401, ec2('AuthFailure', 'AWS was not able to validate the provided access credentials'), 'AUTH no'],
  [
    'a service that is away',
    503,
    ec2('Unavailable', 'The service is unavailable. Please try again shortly.'),
    'TRANSIENT maybe',
  ],
  ['an error of theirs', 500, ec2('InternalError', 'An internal error has occurred'), 'AMBIGUOUS maybe'],
  [
    'a token',
    400,
    ec2(
      'IdempotentParameterMismatch',
      'Arguments on this idempotent request are inconsistent with arguments used in previous request(s).',
    ),
    'AMBIGUOUS maybe',
  ],
  [
    'a token of something that ended',
    400,
    ec2('IdempotentInstanceTerminated', 'The instance was terminated.'),
    'AMBIGUOUS maybe',
  ],
  [
    'read back too early',
    400,
    ec2('InvalidInstanceID.NotFound', "The instance ID 'i-0123456789abcdef0' does not exist"),
    'AMBIGUOUS maybe',
  ],
  [
    'terms',
    401,
    ec2('OptInRequired', 'In order to use this AWS Marketplace product you need to accept terms and subscribe.'),
    'QUOTA no',
  ],
  [
    'a region',
    400,
    ec2(
      'PendingVerification',
      'Your request for accessing resources in this region is being validated, and you will not be able to launch additional resources in this region until the validation is complete.',
    ),
    'QUOTA no',
  ],
  [
    'a machine that ended at once',
    200,
    '<DescribeInstancesResponse><stateReason><code>Client.InternalError</code><message>Client error on launch</message></stateReason></DescribeInstancesResponse>',
    'TRANSIENT yes',
  ],
  ['a network that is full', 400, ec2('InsufficientFreeAddressesInSubnet', 'Not enough free addresses.'), 'QUOTA no'],
  [
    'a reservation that is used up',
    400,
    ec2('ReservationCapacityExceeded', 'The capacity reservation is full.'),
    'SOLD_OUT no',
  ],
  ['disks', 400, ec2('MaxIOPSLimitExceeded', 'You have exceeded your maximum IOPS.'), 'QUOTA no'],
  [
    'a disk of no zone',
    400,
    ec2('VolumeTypeNotAvailableInZone', 'The volume type is not available in this zone.'),
    'NO_MATCHING_SHAPE no',
  ],
  [
    'calls, as JSON',
    400,
    { __type: 'com.amazon.coral.service#ThrottlingException', message: 'Rate exceeded' },
    'RATE_LIMIT no',
  ],
  [
    'an account, as the tool prints it',
    400,
    'An error occurred (Blocked) when calling the RunInstances operation: This account is currently blocked and not recognized as a valid account.',
    'BILLING no',
  ],
  [
    'a product',
    400,
    ec2('UnsupportedOperation', 'The instance configuration for this AWS Marketplace product is not supported.'),
    'NO_MATCHING_SHAPE no',
  ],
  [
    'a snapshot',
    400,
    ec2('InvalidSnapshot.NotFound', "The snapshot 'snap-1a2b3c4d' does not exist."),
    'BAD_REQUEST no',
  ],
  ['a network', 400, ec2('InvalidVpcID.NotFound', "The vpc ID 'vpc-1a2b3c4d' does not exist"), 'BAD_REQUEST no'],
  [
    'no network',
    400,
    ec2(
      'VPCIdNotSpecified',
      'No default VPC for this user. GroupName is only supported for EC2-Classic and default VPC.',
    ),
    'BAD_REQUEST no',
  ],
])

const KUBERNETES = repliesOf('kubernetes', [
  [
    'a quota of cards',
    403,
    forbidden(
      'pods "a" is forbidden: exceeded quota: gpus, requested: requests.nvidia.com/gpu=8, used: requests.nvidia.com/gpu=4, limited: requests.nvidia.com/gpu=8',
    ),
    'QUOTA no',
  ],
  [
    'a right',
    403,
    forbidden(
      'pods is forbidden: User "system:serviceaccount:berth:berth" cannot create resource "pods" in API group "" in the namespace "gpu"',
    ),
    'AUTH no',
  ],
  [
    'a security level',
    403,
    forbidden('pods "a" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false'),
    'NO_MATCHING_SHAPE no',
  ],
  [
    'a webhook that does not answer',
    500,
    kube(
      500,
      'InternalError',
      'Internal error occurred: failed calling webhook "v.example": Post "https://v.svc:443/": context deadline exceeded',
    ),
    'TRANSIENT no',
  ],
  ['a name', 409, kube(409, 'AlreadyExists', 'pods "a" already exists'), 'AMBIGUOUS maybe'],
  [
    'a request that took too long',
    504,
    kube(504, 'Timeout', 'Timeout: request did not complete within requested timeout - context deadline exceeded'),
    'AMBIGUOUS maybe',
  ],
  ['a store that is slow', 500, kube(500, 'InternalError', 'etcdserver: request timed out'), 'AMBIGUOUS maybe'],
  [
    'a server that is away',
    503,
    kube(503, 'ServiceUnavailable', 'the server is currently unable to handle the request'),
    'AMBIGUOUS maybe',
  ],
  [
    'a policy',
    403,
    forbidden('admission webhook "validation.gatekeeper.sh" denied the request: [tags] image must have a tag'),
    'NO_MATCHING_SHAPE no',
  ],
  [
    'a policy that calls it a wrong request',
    400,
    kube(400, 'BadRequest', 'admission webhook "vjob.example" denied the request: queue gpu is not open'),
    'NO_MATCHING_SHAPE no',
  ],
  ['a namespace', 404, kube(404, 'NotFound', 'namespaces "gpu" not found'), 'TRANSIENT no'],
  [
    'a quota that is counted elsewhere',
    409,
    kube(
      409,
      'Conflict',
      'Operation cannot be fulfilled on resourcequotas "gpus": the object has been modified; please apply your changes to the latest version and try again',
    ),
    'TRANSIENT no',
  ],
  [
    'a quota that is not counted in time',
    500,
    kube(500, 'InternalError', 'Internal error occurred: resource quota evaluation timed out'),
    'TRANSIENT no',
  ],
  [
    'limits',
    403,
    forbidden('pods "a" is forbidden: maximum cpu usage per Container is 2, but limit is 8'),
    'NO_MATCHING_SHAPE no',
  ],
  [
    'a form',
    422,
    kube(
      422,
      'Invalid',
      'Pod "a" is invalid: spec.containers[0].resources.limits: Invalid value: "-1": must be greater than or equal to 0',
    ),
    'BAD_REQUEST no',
  ],
  ['a balancer in front', 502, page('502 Bad Gateway'), 'AMBIGUOUS maybe', 'text/html'],
])

export const FOURTH_OF_MACHINES = [...DIGITALOCEAN, ...AWS, ...KUBERNETES]
