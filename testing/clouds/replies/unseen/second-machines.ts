import { page, droplet, ec2, fleet, kube, repliesOf, type UnseenReply } from '../forms.ts'

const refused = (message: string): unknown => droplet('unprocessable_entity', message)

const DIGITALOCEAN = repliesOf('digitalocean', [
  [
    'a wrong name',
    422,
    refused('Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)'),
    'BAD_REQUEST no',
  ],
  ['a right that is missing', 403, droplet('forbidden', 'You do not have access for the attempted action.'), 'AUTH no'],
  ['a token', 401, droplet('unauthorized', 'Unable to authenticate you'), 'AUTH no'],
  [
    'money',
    422,
    refused('This size is currently restricted, please send an additional payment to unlock.'),
    'BILLING no',
  ],
  ['a limit of calls', 429, droplet('too_many_requests', 'API Rate limit exceeded.'), 'RATE_LIMIT no'],
  ['an error of theirs', 500, droplet('server_error', 'Unexpected server-side error'), 'AMBIGUOUS maybe'],
  ['a service that is away', 503, droplet('service_unavailable', 'Server is unavailable'), 'AMBIGUOUS maybe'],
  ['a limit of droplets', 422, refused('You have reached the GPU droplet limit for your account'), 'QUOTA no'],
  [
    'a size that does not exist',
    422,
    refused('You specified an invalid size for Droplet creation.'),
    'NO_MATCHING_SHAPE no',
  ],
  [
    'an image of another region',
    422,
    refused(
      'The image you specified is not available in the selected region, you can transfer it to this region from the images pages.',
    ),
    'NO_MATCHING_SHAPE no',
  ],
  ['keys of SSH', 422, refused('ssh_keys: [1] are invalid key identifiers for Droplet creation.'), 'BAD_REQUEST no'],
  [
    'an account without GPUs',
    422,
    refused('GPU Droplets are not enabled for your account. Please contact support to request access.'),
    'QUOTA no',
  ],
  ['a region that is full', 422, refused('Capacity in nyc2 is limited. Please choose another region.'), 'SOLD_OUT no'],
  ['a size that is gone', 422, refused('Size gpu-h100x8-640gb is currently unavailable.'), 'SOLD_OUT no'],
])

const SDK_JS = {
  name: 'InsufficientInstanceCapacity',
  $fault: 'server',
  $metadata: { httpStatusCode: 500, attempts: 3 },
  Code: 'InsufficientInstanceCapacity',
  message: 'There is no Spot capacity available that matches your request.',
}
const SDK_GO =
  "operation error EC2: CreateFleet, https response error StatusCode: 400, RequestID: 3e9fe392-f4a6-4499-8c1b-54e5c903a0ba, api error MaxFleetCountExceeded: You've reached your quota for maximum Fleet Requests for this account."
const errorOf = (code: string, message: string): string =>
  `<item><lifecycle>on-demand</lifecycle><errorCode>${code}</errorCode><errorMessage>${message}</errorMessage></item>`
const WRONG_ZONE =
  'Your requested instance type (p4d.24xlarge) is not supported in your requested Availability Zone (us-east-1e). Please retry your request by not specifying an Availability Zone.'

const AWS = repliesOf('aws', [
  ['as the SDK of JavaScript throws it', 500, SDK_JS, 'SOLD_OUT no'],
  ['as the SDK of Go prints it', 400, SDK_GO, 'QUOTA no'],
  [
    'a launch template that may not be used',
    403,
    ec2('UnauthorizedOperation', 'You are not authorized to use launch template: lt-0638ed6a3b7addbf5'),
    'AUTH no',
  ],
  [
    'tags of requests that are not made',
    400,
    ec2(
      'InvalidParameterValue',
      'You cannot specify tags for Spot instances requests if there are no Spot instances requests being created by the request.',
    ),
    'BAD_REQUEST no',
  ],
  [
    'a role without the right, in a fleet',
    200,
    fleet(
      `<errorSet>${errorOf('UnauthorizedOperation', 'You are not authorized to perform this operation.')}</errorSet><fleetInstanceSet/>`,
    ),
    'AUTH no',
  ],
  [
    'a machine that ended at its start',
    200,
    '<DescribeInstancesResponse><stateReason><code>Client.InvalidKMSKey.InvalidState</code><message>The KMS key is disabled</message></stateReason></DescribeInstancesResponse>',
    'TRANSIENT yes',
  ],
  [
    'a code as the trail has it',
    403,
    { errorCode: 'Client.UnauthorizedOperation', errorMessage: 'You are not authorized to perform: ec2:CreateFleet' },
    'AUTH no',
  ],
  [
    'a disk that is too small',
    400,
    ec2('InvalidBlockDeviceMapping', "Volume of size 200GB is smaller than snapshot 'snap-1', expect size>= 300GB"),
    'BAD_REQUEST no',
  ],
  ['a zone without the machine', 400, ec2('Unsupported', WRONG_ZONE), 'NO_MATCHING_SHAPE no'],
  ['a zone without the machine, as a fleet', 400, ec2('InvalidFleetConfiguration', WRONG_ZONE), 'NO_MATCHING_SHAPE no'],
  [
    'a group that is gone',
    400,
    ec2('InvalidPlacementGroup.Unknown', 'The placement group is unknown.'),
    'BAD_REQUEST no',
  ],
  [
    'a limit of machines',
    400,
    ec2(
      'InstanceLimitExceeded',
      'You have requested more instances (2) than your current instance limit of 1 allows for the specified instance type.',
    ),
    'QUOTA no',
  ],
  [
    'a bid that is too low',
    400,
    ec2('SpotMaxPriceTooLow', 'Your Spot request price of 0.1 is lower than the minimum required price of 0.2.'),
    'OFFER_GONE no',
  ],
  [
    'a limit of calls, in a fleet',
    200,
    fleet(`<errorSet>${errorOf('RequestLimitExceeded', 'Request limit exceeded.')}</errorSet><fleetInstanceSet/>`),
    'RATE_LIMIT no',
  ],
  [
    'no room for all of them',
    400,
    ec2('UnfulfillableCapacity', 'Unable to fulfill capacity due to your request configuration.'),
    'SOLD_OUT no',
  ],
  [
    'two of four',
    200,
    fleet(
      `<errorSet>${errorOf('InsufficientInstanceCapacity', 'no')}</errorSet><fleetInstanceSet><item><instanceIds><item>i-0123456789abcdef0</item><item>i-0123456789abcdef1</item></instanceIds></item></fleetInstanceSet>`,
    ),
    'SOLD_OUT yes',
  ],
])

const KUBERNETES = repliesOf('kubernetes', [
  [
    'rules of OpenShift',
    403,
    kube(403, 'Forbidden', 'pods "a" is forbidden: unable to validate against any security context constraint: []'),
    'NO_MATCHING_SHAPE no',
  ],
  [
    'a policy on users',
    403,
    kube(403, 'Forbidden', 'pods "a" is forbidden: pod.Spec.SecurityContext.RunAsUser is forbidden'),
    'NO_MATCHING_SHAPE no',
  ],
  [
    'a limit that has to be set',
    422,
    kube(
      422,
      'Invalid',
      'Pod "a" is invalid: spec.containers[0].resources.limits: Required value: Limit must be set for non overcommitable resources',
    ),
    'BAD_REQUEST no',
  ],
  [
    'a webhook that is not there',
    500,
    kube(
      500,
      'InternalError',
      'Internal error occurred: failed calling webhook "pods.kueue.x-k8s.io": failed to call webhook: Post "https://kueue.svc:443/mutate": dial tcp 10.0.0.1:443: connect: connection refused',
    ),
    'TRANSIENT no',
  ],
  [
    'a service that is away',
    503,
    kube(503, 'ServiceUnavailable', 'the server is currently unable to handle the request'),
    'AMBIGUOUS maybe',
  ],
  [
    'priority and fairness',
    429,
    kube(429, 'TooManyRequests', 'The request is rejected by API Priority & Fairness'),
    'RATE_LIMIT no',
  ],
  ['a namespace that is not there', 404, kube(404, 'NotFound', 'namespaces "gpu" not found'), 'TRANSIENT no'],
  [
    'a field that it does not know',
    400,
    kube(
      400,
      'BadRequest',
      'Pod in version "v1" cannot be handled as a Pod: strict decoding error: unknown field "spec.foo"',
    ),
    'BAD_REQUEST no',
  ],
  ['a balancer with rules', 403, page('403 Forbidden'), 'TRANSIENT no', 'text/html'],
  [
    'a policy of Kyverno',
    403,
    kube(
      403,
      'Forbidden',
      'admission webhook "validate.kyverno.svc-fail" denied the request: resource Pod/default/a was blocked due to the following policies',
    ),
    'NO_MATCHING_SHAPE no',
  ],
  [
    'two that count a quota at once',
    409,
    kube(
      409,
      'Conflict',
      'Operation cannot be fulfilled on resourcequotas "gpus": the object has been modified; please apply your changes to the latest version and try again',
    ),
    'TRANSIENT no',
  ],
  ['an order that is too large', 413, kube(413, 'RequestEntityTooLarge', 'limit is 3145728'), 'BAD_REQUEST no'],
  [
    'a disk of etcd that is full',
    500,
    kube(500, 'InternalError', 'etcdserver: mvcc: database space exceeded'),
    'AMBIGUOUS maybe',
  ],
  [
    'an account that may not',
    403,
    kube(
      403,
      'Forbidden',
      'pods is forbidden: User "system:serviceaccount:monitoring:default" cannot create resource "pods" in API group "" in the namespace "default"',
    ),
    'AUTH no',
  ],
])

export const SECOND_OF_MACHINES: readonly UnseenReply[] = [...DIGITALOCEAN, ...AWS, ...KUBERNETES]
