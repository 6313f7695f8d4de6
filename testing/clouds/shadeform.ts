import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { CloudEngine, FakeMachine, FakeRefusal, FakeState } from './engine.ts'
import type { FakeCall, FakeReply, FakeRequest, FakeVendor } from './fake-api.ts'
import { createVm, workInScript } from './vm.ts'

/** Shadeform's API, as its spec describes it. */
export const fakeShadeform: FakeVendor = {
  key: 'shade-0123456789abcdef',
  isAuthorised: (headers, key) => headers['x-api-key'] === key,
  callOf,
  isSlowToStop: true,
  act: async (engine, request) => {
    switch (callOf(request)) {
      case 'offers':
        return { status: 200, body: { instance_types: TYPES.map((type) => typeOf(engine, type)) } }
      case 'create':
        return created(engine, request)
      case 'list':
        return { status: 200, body: { instances: engine.listed().map((machine) => instanceOf(engine, machine)) } }
      case 'describe': {
        const machine = found(engine, request)
        return machine === undefined ? NOT_FOUND : { status: 200, body: instanceOf(engine, machine) }
      }
      case 'stop': {
        const machine = found(engine, request)
        if (machine === undefined) return NOT_FOUND
        engine.remove(machine)
        return { status: 200 }
      }
      case 'logs':
      case undefined:
        return NOT_FOUND
    }
  },
  say: (what) => {
    switch (what) {
      case 'throttled':
        return { status: 429, body: { message: 'Too Many Requests' } }
      case 'broken':
        return { status: 500, body: { message: 'Internal Server Error' } }
      case 'expired':
        return { status: 401, body: { message: 'Invalid API key' } }
      case 'unknown-path':
        return NOT_FOUND
    }
  },
}

function callOf({ method, path }: FakeRequest): FakeCall | undefined {
  const [, what, id, action] = path
  if (what !== 'instances') return undefined
  if (id === undefined) return 'list'
  if (id === 'types') return 'offers'
  if (id === 'create') return method === 'POST' ? 'create' : undefined
  return action === 'info' ? 'describe' : action === 'delete' ? 'stop' : undefined
}

const NOT_FOUND: FakeReply = { status: 404, body: { message: 'Instance not found' } }
const TYPES = [
  { cloud: 'hyperstack', type: 'A6000', upstream: 'n3-RTX-A6000x1', gpu: 'A6000', count: 1, vram: 48, nvlink: false },
  {
    cloud: 'lambdalabs',
    type: 'H100_sxm5x8',
    upstream: 'gpu_8x_h100_sxm5',
    gpu: 'H100_sxm5',
    count: 8,
    vram: 80,
    nvlink: true,
  },
] as const
const REGIONS = ['canada-1', 'us-west-1'] as const

function configurationOf({ gpu, count, vram, nvlink }: (typeof TYPES)[number]): Readonly<Record<string, unknown>> {
  return {
    memory_in_gb: 64 * count,
    storage_in_gb: 500,
    vcpus: 16 * count,
    num_gpus: count,
    gpu_type: gpu,
    interconnect: nvlink ? 'sxm5' : 'pcie',
    nvlink,
    vram_per_gpu_in_gb: vram,
    gpu_manufacturer: 'nvidia',
  }
}

function typeOf(engine: CloudEngine, type: (typeof TYPES)[number]): Readonly<Record<string, unknown>> {
  const systems = ['ubuntu22.04', 'ubuntu22.04_cuda12.2_shade_os']
  return {
    cloud: type.cloud,
    shade_instance_type: type.type,
    cloud_instance_type: type.upstream,
    configuration: { ...configurationOf(type), os_options: systems },
    hourly_price: Math.round(engine.priceOf('') * 100 * type.count),
    deployment_type: 'vm',
    availability: REGIONS.map((region) => {
      const available = engine.left(`${type.cloud}/${type.type}|${region}`) > 0
      return { region, available, display_name: region }
    }),
    boot_time: { min_boot_in_sec: 180, max_boot_in_sec: 300 },
  }
}

const BODY = z.object({
  cloud: z.string(),
  region: z.string(),
  shade_instance_type: z.string(),
  name: z.string(),
  launch_configuration: z.object({ script_configuration: z.object({ base64_script: z.string() }) }),
})

async function created(engine: CloudEngine, { body }: FakeRequest): Promise<FakeReply> {
  const { cloud, region, shade_instance_type: type, name, launch_configuration: launch } = BODY.parse(body)
  const work = workInScript(Buffer.from(launch.script_configuration.base64_script, 'base64').toString('utf8'))
  const made = await createVm(engine, work, { name, shape: `${cloud}/${type}|${region}`, body })
  return typeof made === 'string' ? REFUSALS[made] : { status: 200, body: { id: idOf(made) } }
}

const REFUSALS: Readonly<Record<FakeRefusal, FakeReply>> = {
  'sold-out': { status: 409, body: { code: 'OUT_OF_STOCK', message: 'This instance type is out of stock.' } },
  quota: { status: 409, body: { code: 'QUOTA_EXCEEDED', message: 'Instance limit reached' } },
  'no-money': { status: 409, body: { code: 'INSUFFICIENT_FUNDS', message: 'Add funds to your wallet.' } },
  wrong: { status: 422, body: { message: 'validation failed' } },
}

/** Ids are UUIDs. */
function idOf({ id }: FakeMachine): string {
  const hex = createHash('sha256').update(id).digest('hex')
  return [8, 4, 4, 4, 12]
    .map((size, index, sizes) => {
      const from = sizes.slice(0, index).reduce((sum, each) => sum + each, 0)
      return hex.slice(from, from + size)
    })
    .join('-')
}

function found(engine: CloudEngine, { path }: FakeRequest): FakeMachine | undefined {
  return engine.machines.find((machine) => idOf(machine) === path[2] && engine.stateOf(machine) !== 'gone')
}

const STATUS: Readonly<Record<FakeState, string>> = {
  starting: 'pending',
  up: 'active',
  ended: 'active',
  failed: 'error',
  stopping: 'deleting',
  gone: 'deleted',
}

function instanceOf(engine: CloudEngine, machine: FakeMachine): Readonly<Record<string, unknown>> {
  const state = engine.stateOf(machine)
  const { cloud, region, shade_instance_type: kind, shade_cloud: shade, tags, os } = machine.body
  const type = TYPES.find((each) => each.type === kind) ?? TYPES[0]
  return {
    id: idOf(machine),
    cloud,
    region,
    shade_instance_type: kind,
    cloud_instance_type: type.upstream,
    cloud_assigned_id: machine.id,
    shade_cloud: shade,
    name: machine.name,
    configuration: { ...configurationOf(type), os: os ?? 'ubuntu22.04' },
    ip: state === 'starting' ? '' : machine.address,
    ssh_user: 'shadeform',
    ssh_port: 22,
    status: STATUS[state],
    ...(state === 'failed' && { status_details: 'the cloud had no capacity' }),
    cost_estimate: '0.10',
    hourly_price: Math.round(machine.usdPerHour * 100),
    tags,
    created_at: new Date(machine.createdMs).toISOString(),
    deleted_at: new Date(machine.createdMs).toISOString(),
  }
}
