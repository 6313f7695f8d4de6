import * as z from 'zod'
import type { CloudEngine, FakeMachine, FakeRefusal, FakeState } from './engine.ts'
import type { FakeCall, FakeReply, FakeRequest, FakeVendor } from './fake-api.ts'
import { createVm, workIn } from './vm.ts'

/** Lambda's API 1.10, as its spec describes it. */
export const fakeLambda: FakeVendor = {
  key: 'secret_lambda_0123456789abcdef',
  isAuthorised: ({ authorization }, key) => authorization === `Bearer ${key}`,
  callOf,
  isSlowToStop: true,
  act: async (engine, request) => {
    switch (callOf(request)) {
      case 'offers':
        return {
          status: 200,
          body: { data: Object.fromEntries(TYPES.map((type) => [type.name, itemOf(engine, type)])) },
        }
      case 'create':
        return launched(engine, request)
      case 'list':
        return { status: 200, body: { data: engine.listed().map((machine) => instanceOf(engine, machine)) } }
      case 'describe': {
        const machine = engine.find(request.path[3] ?? '')
        return machine === undefined ? NO_INSTANCE : { status: 200, body: { data: instanceOf(engine, machine) } }
      }
      case 'stop':
        return terminated(engine, request)
      case 'logs':
      case undefined:
        return refusal(404, 'global/not-found', 'The requested resource was not found.')
    }
  },
  say: (what) => {
    switch (what) {
      case 'throttled':
        return refusal(429, 'global/too-many-requests', 'Too many requests.')
      case 'broken':
        return refusal(500, 'global/unknown', 'An unknown error occurred.')
      case 'expired':
        return refusal(401, 'global/invalid-api-key', 'API key was invalid, expired, or deleted.')
      case 'unknown-path':
        return refusal(404, 'global/not-found', 'The requested resource was not found.')
    }
  },
}

function callOf({ method, path }: FakeRequest): FakeCall | undefined {
  const [api, version, what, id] = path
  if (api !== 'api' || version !== 'v1') return undefined
  if (what === 'instance-types') return 'offers'
  if (what === 'instance-operations') return id === 'launch' ? 'create' : id === 'terminate' ? 'stop' : undefined
  if (what !== 'instances' || method !== 'GET') return undefined
  return id === undefined ? 'list' : 'describe'
}

function refusal(status: number, code: string, message: string): FakeReply {
  return { status, body: { error: { code, message, suggestion: 'Try something else.' } } }
}

const NO_INSTANCE = refusal(404, 'global/object-does-not-exist', 'Specified instance does not exist.')

const TYPES = [
  { name: 'gpu_1x_h100_pcie', gpu: 'H100 (80 GB PCIe)', gpus: 1, vcpus: 26, memory: 200, storage: 1024 },
  { name: 'gpu_8x_a100_80gb_sxm4', gpu: 'A100 (80 GB SXM4)', gpus: 8, vcpus: 240, memory: 1800, storage: 19_900 },
] as const
const REGIONS = [
  { name: 'us-west-1', description: 'California, USA' },
  { name: 'europe-central-1', description: 'Germany' },
] as const

function typeOf(engine: CloudEngine, name: unknown): Readonly<Record<string, unknown>> {
  const type = TYPES.find((each) => each.name === name) ?? TYPES[0]
  return {
    name: type.name,
    description: `${type.gpus}x ${type.gpu}`,
    gpu_description: type.gpu,
    price_cents_per_hour: Math.round(engine.priceOf(type.name) * 100 * type.gpus),
    specs: { vcpus: type.vcpus, memory_gib: type.memory, storage_gib: type.storage, gpus: type.gpus },
  }
}

function itemOf(engine: CloudEngine, { name }: (typeof TYPES)[number]): Readonly<Record<string, unknown>> {
  const regions = REGIONS.filter((region) => engine.left(`${name}|${region.name}`) > 0)
  return { instance_type: typeOf(engine, name), regions_with_capacity_available: regions }
}

const BODY = z.object({
  region_name: z.string(),
  instance_type_name: z.string(),
  name: z.string(),
  user_data: z.string(),
  tags: z.array(z.object({ key: z.string(), value: z.string() })),
})

async function launched(engine: CloudEngine, { body }: FakeRequest): Promise<FakeReply> {
  const { region_name: region, instance_type_name: type, name, user_data: data } = BODY.parse(body)
  const made = await createVm(engine, workIn(data), { name, shape: `${type}|${region}`, body })
  return typeof made === 'string' ? REFUSALS[made] : { status: 200, body: { data: { instance_ids: [made.id] } } }
}

const REFUSALS: Readonly<Record<FakeRefusal, FakeReply>> = {
  'sold-out': refusal(
    400,
    'instance-operations/launch/insufficient-capacity',
    'Not enough capacity to fulfill launch request.',
  ),
  quota: refusal(400, 'global/quota-exceeded', 'Quota exceeded.'),
  'no-money': refusal(403, 'global/account-inactive', 'Your account is inactive.'),
  wrong: refusal(400, 'global/invalid-parameters', 'Invalid request data.'),
}

function terminated(engine: CloudEngine, { body }: FakeRequest): FakeReply {
  const { instance_ids: ids } = z.object({ instance_ids: z.array(z.string()) }).parse(body)
  const found = ids.flatMap((id) => engine.find(id) ?? [])
  if (found.length < ids.length) return NO_INSTANCE
  for (const machine of found) engine.remove(machine)
  return { status: 200, body: { data: { terminated_instances: found.map((machine) => instanceOf(engine, machine)) } } }
}

const STATUS: Readonly<Record<FakeState, string>> = {
  starting: 'booting',
  up: 'active',
  ended: 'active',
  failed: 'unhealthy',
  stopping: 'terminating',
  gone: 'terminated',
}

function instanceOf(engine: CloudEngine, machine: FakeMachine): Readonly<Record<string, unknown>> {
  const state = engine.stateOf(machine)
  const { tags, region_name: region, instance_type_name: type, ssh_key_names: keys } = machine.body
  const able = { available: true }
  return {
    id: machine.id,
    name: machine.name,
    ...(state !== 'starting' && { ip: machine.address }),
    status: STATUS[state],
    ssh_key_names: keys,
    file_system_names: [],
    region: REGIONS.find(({ name }) => name === region),
    instance_type: { ...typeOf(engine, type), price_cents_per_hour: Math.round(machine.usdPerHour * 100) },
    actions: { migrate: able, rebuild: able, restart: able, cold_reboot: able, terminate: able },
    tags,
  }
}
