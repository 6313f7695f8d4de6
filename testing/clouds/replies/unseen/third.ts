import { problem, coded, vast, yotta, droplet, ec2, kube, repliesOf, type UnseenReply } from '../forms.ts'

const refused = (message: string): unknown => droplet('unprocessable_entity', message)
const invalid = (message: string): unknown => coded('global/invalid-parameters', message)

/** Refusals after which something may exist, however sure they sound; and a few that only sound like that. */
export const THIRD_ROUND: readonly UnseenReply[] = [
  ...repliesOf('runpod', [
    ['read back too early', 404, problem(404, 'Pod 7h9k2m4n6p not found'), 'AMBIGUOUS maybe'],
    ['a template that is gone', 404, problem(404, 'Template not found'), 'TRANSIENT no'],
    ['a pod that did not start', 400, problem(400, 'Pod 7h9k2m4n6p failed to start on its host'), 'AMBIGUOUS maybe'],
    ['stopped for money', 402, problem(402, 'Insufficient balance: the pod was stopped.'), 'BILLING maybe'],
    ['a pod as an object', 400, problem(400, 'odd', { pod: { id: '7h9k2m4n6p' } }), 'TRANSIENT maybe'],
    ['broken under the status of a form', 422, problem(422, 'An unexpected error occurred'), 'AMBIGUOUS maybe'],
    [
      'a time limit that is wrong',
      422,
      problem(422, 'Request validation failed: timeout must be at least 60'),
      'BAD_REQUEST no',
    ],
    ['still at it', 400, problem(400, 'Your previous request is being processed'), 'AMBIGUOUS maybe'],
  ]),
  ...repliesOf('lambda', [
    ['broken, said of parameters', 400, invalid('The request timed out. Please try again.'), 'AMBIGUOUS maybe'],
    ['a name that is in use', 400, invalid('The name berth-1 is in use.'), 'AMBIGUOUS maybe'],
    ['a name of the wrong form', 400, invalid('name must match ^[a-z]+$'), 'BAD_REQUEST no'],
    ['rolled back', 400, coded('global/unknown', 'The instance was terminated after an error.'), 'AMBIGUOUS maybe'],
  ]),
  ...repliesOf('vast', [
    ['a type that is gone', 404, vast('not_found', 'Instance type not found'), 'TRANSIENT no'],
    ['a contract that is not there yet', 404, vast('no_such_instance', 'Instance 4711 not found'), 'AMBIGUOUS maybe'],
    ['a contract as a number', 400, vast('odd', 'odd', { instance: { id: 4711 } }), 'TRANSIENT maybe'],
  ]),
  ...repliesOf('shadeform', [
    ['an id beside the refusal', 400, { id: 'd290f1ee-6c54', message: 'could not be reached' }, 'TRANSIENT maybe'],
    ['an order that is pending', 400, { message: 'Your order is pending' }, 'AMBIGUOUS maybe'],
    [
      'a server that did not boot',
      400,
      { code: 'BAD_REQUEST', message: 'The server failed to boot' },
      'AMBIGUOUS maybe',
    ],
  ]),
  ...repliesOf('yotta', [
    ['a pod under a known code', 200, yotta(10_001, 'invalid volume', { id: 77 }), 'BAD_REQUEST maybe'],
    ['paused for money', 200, yotta(11_001, 'Insufficient balance, the pod has been paused'), 'BILLING maybe'],
    ['no pods', 200, yotta(20_002, 'no pod was created'), 'AMBIGUOUS maybe'],
  ]),
  ...repliesOf('digitalocean', [
    ['broken under the status of a form', 422, refused('Something went wrong, please try again.'), 'AMBIGUOUS maybe'],
    ['a droplet that is locked', 422, refused('Droplet already has a pending event.'), 'AMBIGUOUS maybe'],
    ['a droplet beside an error', 422, refused('odd'), 'NO_MATCHING_SHAPE no'],
  ]),
  ...repliesOf('aws', [
    [
      'a state that is wrong',
      400,
      ec2('IncorrectInstanceState', "The instance 'i-0123456789abcdef0' is not in a state"),
      'AMBIGUOUS maybe',
    ],
    ['a machine in the words', 400, ec2('Odd', 'Instance i-0123456789abcdef0 has no address'), 'AMBIGUOUS maybe'],
    ['something in progress', 400, ec2('OperationInProgress', 'Please wait.'), 'AMBIGUOUS maybe'],
    ['an address that is in use', 400, ec2('InvalidIPAddress.InUse', 'Address 10.0.0.4 is in use.'), 'TRANSIENT no'],
  ]),
  ...repliesOf('kubernetes', [
    ['an object that is there', 409, kube(409, 'Conflict', 'Apply failed with 1 conflict'), 'AMBIGUOUS maybe'],
    [
      'a quota that is not counted yet',
      403,
      kube(403, 'Forbidden', 'pods "a" is forbidden: status unknown for quota: gpus, resources: pods'),
      'TRANSIENT no',
    ],
    ['a store that throttles', 500, kube(500, 'InternalError', 'etcdserver: too many requests'), 'RATE_LIMIT maybe'],
    [
      'a plugin that is not ready',
      403,
      kube(403, 'Forbidden', 'pods "a" is forbidden: not yet ready to handle request'),
      'TRANSIENT no',
    ],
  ]),
]
