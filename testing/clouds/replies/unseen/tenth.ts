import { coded, droplet, ec2, kube, problem, told, vast, yotta } from '../forms.ts'

const refused = (message: string): unknown => droplet('unprocessable_entity', message)
const graph = (message: string, code: string): unknown => ({
  errors: [{ message, path: ['podFindAndDeployOnDemand'], extensions: { code } }],
  data: { podFindAndDeployOnDemand: null },
})
const denied = (message: string): unknown => kube(403, 'Forbidden', message)

/** Of 384 replies from issues, logs and the sources of clients, and of 533 that are worded like them: most were told wrongly at first. */
export const TENTH_ROUND = told([
  ['runpod', 200, graph('The request could not be fulfilled.', 'SUPPLY_CONSTRAINT'), 'SOLD_OUT no'],
  ['runpod', 200, graph('Not authorized. Please contact support.', 'UNAUTHENTICATED'), 'AUTH no'],
  ['runpod', 400, graph('Cannot query field "x" on type "Pod".', 'GRAPHQL_VALIDATION_FAILED'), 'BAD_REQUEST no'],
  ['runpod', 400, graph('Syntax Error: Expected Name, found "}".', 'GRAPHQL_PARSE_FAILED'), 'BAD_REQUEST no'],
  ['lambda', 503, { error: { code: 'instance-operations/launch/insufficient-capacity' } }, 'SOLD_OUT maybe'],
  [
    'lambda',
    400,
    coded('global/invalid-parameters', 'An instance with hostname b is already running.'),
    'AMBIGUOUS maybe',
  ],
  ['vast', 404, { success: false, msg: 'Session expired. Please log in again.' }, 'AUTH no'],
  [
    'vast',
    400,
    { success: false, msg: 'Required resources are currently unavailable, state change queued.' },
    'AMBIGUOUS maybe',
  ],
  ['vast', 409, vast('conflict', 'Offer already rented by someone else'), 'OFFER_GONE maybe'],
  ['vast', 503, vast('no_such_ask', 'error 404/3603: no_such_ask'), 'OFFER_GONE maybe'],
  ['vast', 400, vast('price', 'your bid $0.10/hr must be at least $0.15/hr'), 'OFFER_GONE no'],
  ['shadeform', 429, { message: 'Limit Exceeded' }, 'RATE_LIMIT no'],
  [
    'shadeform',
    400,
    { error: "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute'" },
    'RATE_LIMIT no',
  ],
  [
    'shadeform',
    400,
    { error: "The zone 'a' does not have enough resources available to fulfill the request." },
    'SOLD_OUT no',
  ],
  [
    'shadeform',
    400,
    { error: 'A VM with 2 nvidia-tesla-t4 accelerator(s) is currently unavailable in the zone.' },
    'SOLD_OUT no',
  ],
  ['yotta', 500, yotta(10_001, 'parameter error'), 'BAD_REQUEST maybe'],
  ['yotta', 200, yotta(20_001, 'The specified type of instance is understocked.'), 'SOLD_OUT no'],
  ['yotta', 200, yotta(20_001, 'GPU is not enough'), 'SOLD_OUT no'],
  ['digitalocean', 422, refused('Private networking is not available in this region'), 'NO_MATCHING_SHAPE no'],
  ['digitalocean', 403, droplet('forbidden', 'Your account has been temporarily locked'), 'BILLING no'],
  ['digitalocean', 422, refused('Droplet is already running'), 'AMBIGUOUS maybe'],
  ['aws', 400, ec2('RequestResourceCountExceeded', 'The request includes more resources than allowed'), 'QUOTA no'],
  [
    'aws',
    400,
    ec2('InvalidParameterCombination', 'The specified instance type is not eligible for Free Tier.'),
    'QUOTA no',
  ],
  [
    'kubernetes',
    403,
    denied(
      'jobs.batch is forbidden: User "u" cannot create resource "jobs" in API group "batch" in the namespace "ml": RBAC: clusterrole "a" not found',
    ),
    'AUTH no',
  ],
  [
    'kubernetes',
    403,
    '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"pods \\"x\\" is forb',
    'AMBIGUOUS maybe',
  ],

  // What may have been made, however it is told.
  [
    'runpod',
    400,
    problem(400, 'Launch request was forwarded to the provider, but no response was received'),
    'AMBIGUOUS maybe',
  ],
  [
    'lambda',
    400,
    coded('global/invalid-parameters', 'We are unable to determine the status of your order'),
    'AMBIGUOUS maybe',
  ],
  ['vast', 400, vast('error', 'The operation may have completed'), 'AMBIGUOUS maybe'],
  ['vast', 400, vast('error', 'The container exited immediately after start'), 'AMBIGUOUS maybe'],
  ['runpod', 400, problem(400, 'One of the requested instances failed to launch; 3 launched'), 'AMBIGUOUS maybe'],
  ['digitalocean', 422, refused('VM quota exceeded after creating 1 VM'), 'QUOTA maybe'],
  [
    'lambda',
    400,
    coded('global/invalid-parameters', 'Error while waiting for the instance to become active'),
    'AMBIGUOUS maybe',
  ],
  ['lambda', 400, coded('global/invalid-parameters', 'Could not install drivers on your machine'), 'AMBIGUOUS maybe'],
  ['vast', 400, vast('error', 'Failed to parse provider response'), 'AMBIGUOUS maybe'],

  // What is away, full or missing, and is no stock.
  ['shadeform', 400, { error: 'Network capacity is limited' }, 'TRANSIENT no'],
  ['shadeform', 400, { error: 'No host key available' }, 'TRANSIENT no'],
  ['runpod', 400, problem(400, 'Spot instances are not available for your account'), 'TRANSIENT no'],
  ['runpod', 400, problem(400, 'The service is at capacity'), 'TRANSIENT no'],
  ['digitalocean', 422, refused('Image gpu-h100x1-base is temporarily disabled'), 'BAD_REQUEST no'],

  ['yotta', 503, { status: 503, message: 'No servers available for service: pods' }, 'AMBIGUOUS maybe'],
  ['shadeform', 503, { message: 'No server is available to handle this request.' }, 'AMBIGUOUS maybe'],
  ['vast', 502, { message: 'no healthy upstream hosts available' }, 'AMBIGUOUS maybe'],

  // Stock, money, limits and keys in other words.
  ['runpod', 400, problem(400, 'We don’t have enough GPUs to fulfil your order'), 'SOLD_OUT no'],
  ['runpod', 400, problem(400, 'Only 1 GPU available, 2 requested'), 'SOLD_OUT no'],
  ['shadeform', 400, { error: 'We could not find any available GPU' }, 'SOLD_OUT no'],
  ['vast', 400, vast('error', 'resource shortage in region'), 'SOLD_OUT no'],
  ['shadeform', 400, { error: 'Your account is past due' }, 'BILLING no'],
  ['shadeform', 400, { error: 'Your prepaid credit has run out' }, 'BILLING no'],
  ['runpod', 400, problem(400, 'You may only run 2 GPUs at a time'), 'QUOTA no'],
  ['vast', 400, vast('error', 'You need approval to launch this GPU'), 'QUOTA no'],
  ['vast', 400, vast('error', 'Launch rate exceeded, wait 12 seconds'), 'RATE_LIMIT no'],
  ['vast', 400, vast('error', 'Invalid signature'), 'AUTH no'],
  ['runpod', 403, problem(403, 'Bad credentials'), 'AUTH no'],
  // A key for the images is another one.
  ['runpod', 400, problem(400, 'The registry credentials are invalid'), 'TRANSIENT no'],
])
