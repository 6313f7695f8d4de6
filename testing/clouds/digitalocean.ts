import * as z from 'zod'
import type { CloudEngine, FakeMachine, FakeRefusal, FakeState } from './engine.ts'
import type { FakeCall, FakeReply, FakeRequest, FakeVendor } from './fake-api.ts'
import { createVm, workIn } from './vm.ts'

/** DigitalOcean's API, as its spec describes it. */
export const fakeDigitalocean: FakeVendor = {
  key: 'digitalocean_0123456789abcdef',
  isAuthorised: ({ authorization }, key) => authorization === `Bearer ${key}`,
  callOf,
  isSlowToStop: true,
  act: async (engine, request) => {
    switch (callOf(request)) {
      case 'offers':
        return {
          status: 200,
          body: pageOf(
            'sizes',
            TYPES.map((type) => sizeOf(engine, type)),
          ),
        }
      case 'create':
        return created(engine, request)
      case 'list':
        return {
          status: 200,
          body: pageOf(
            'droplets',
            engine
              .listed()
              .filter(isThere(engine))
              .map((machine) => machineOf(engine, machine)),
          ),
        }
      case 'describe': {
        const machine = found(engine, request)
        return machine === undefined ? NOT_FOUND : { status: 200, body: { droplet: machineOf(engine, machine) } }
      }
      case 'stop': {
        const machine = found(engine, request)
        if (machine === undefined) return NOT_FOUND
        engine.remove(machine)
        return { status: 204 }
      }
      case 'logs':
      case undefined:
        return NOT_FOUND
    }
  },
  say: (what) => {
    switch (what) {
      case 'throttled':
        return said(429, 'too_many_requests', 'Too many requests.')
      case 'broken':
        return said(500, 'server_error', 'Unexpected server-side error.')
      case 'expired':
        return said(401, 'unauthorized', 'Unable to authenticate you.')
      case 'unknown-path':
        return NOT_FOUND
    }
  },
}

function callOf({ method, path }: FakeRequest): FakeCall | undefined {
  const [version, what, id] = path
  if (version !== 'v2') return undefined
  if (what === 'sizes') return 'offers'
  if (what !== 'droplets') return undefined
  if (id === undefined) return method === 'POST' ? 'create' : 'list'
  return method === 'DELETE' ? 'stop' : 'describe'
}

function said(status: number, code: string, message: string): FakeReply {
  return { status, body: { id: code, message, request_id: '4d9d8375-3c56-4925-a3e7-eb137fed17e9' } }
}

const NOT_FOUND = said(404, 'not_found', 'The resource you were accessing could not be found.')
const FIRST = 3_000_000

/** It is listed until it is gone. */
function isThere(engine: CloudEngine): (machine: FakeMachine) => boolean {
  return (machine) => engine.stateOf(machine) !== 'gone'
}

function found(engine: CloudEngine, { path }: FakeRequest): FakeMachine | undefined {
  return engine.machines.find((machine) => String(FIRST + machine.serial) === path[2] && isThere(engine)(machine))
}

function pageOf(what: 'sizes' | 'droplets', items: readonly unknown[]): Readonly<Record<string, unknown>> {
  return { [what]: items, links: {}, meta: { total: items.length } }
}

const TYPES = [
  { slug: 'gpu-4000adax1-20gb', model: 'nvidia_rtx4000_ada', count: 1, vram: 20 },
  { slug: 'gpu-h100x1-80gb', model: 'nvidia_h100', count: 1, vram: 80 },
  { slug: 'gpu-h100x8-640gb', model: 'nvidia_h100', count: 8, vram: 640 },
] as const
const REGIONS = ['nyc2', 'tor1'] as const

function sizeOf(
  engine: CloudEngine,
  { slug, model, count, vram }: (typeof TYPES)[number],
): Readonly<Record<string, unknown>> {
  const regions = REGIONS.filter((region) => engine.left(`${slug}|${region}`) > 0)
  return {
    slug,
    memory: 245_760 * count,
    vcpus: 20 * count,
    disk: 720,
    transfer: 15,
    price_monthly: engine.priceOf('') * count * 744,
    price_hourly: engine.priceOf('') * count,
    regions,
    available: regions.length > 0,
    description: 'GPU',
    gpu_info: { count, model, vram: { amount: vram, unit: 'gib' } },
  }
}

const BODY = z.object({ name: z.string(), size: z.string(), region: z.string(), user_data: z.string() })

async function created(engine: CloudEngine, { body }: FakeRequest): Promise<FakeReply> {
  const { name, size, region, user_data: data } = BODY.parse(body)
  const shape = `${size}|${region}`
  engine.prices.set(shape, engine.priceOf('') * (TYPES.find(({ slug }) => slug === size)?.count ?? 1))
  const made = await createVm(engine, workIn(data), { name, shape, body })
  return typeof made === 'string'
    ? REFUSALS[made]
    : { status: 202, body: { droplet: machineOf(engine, made), links: {} } }
}

/** In the words of its own documentation. */
const REFUSALS: Readonly<Record<FakeRefusal, FakeReply>> = {
  'sold-out': said(422, 'unprocessable_entity', 'Size is not available in this region.'),
  quota: said(422, 'unprocessable_entity', 'creating this/these droplet(s) will exceed your droplet limit'),
  'no-money': said(402, 'payment_required', 'Please add a payment method to your account.'),
  wrong: said(422, 'unprocessable_entity', 'You specified an invalid image for Droplet creation.'),
}

const STATUS: Readonly<Record<FakeState, string>> = {
  starting: 'new',
  up: 'active',
  ended: 'active',
  failed: 'new',
  stopping: 'active',
  gone: 'archive',
}

function machineOf(engine: CloudEngine, machine: FakeMachine): Readonly<Record<string, unknown>> {
  const state = engine.stateOf(machine)
  const { name, address, serial, createdMs, usdPerHour } = machine
  const { tags, region, size: slug } = machine.body
  const type = TYPES.find((each) => each.slug === slug) ?? TYPES[0]
  const size = sizeOf(engine, type)
  const v4 = { ip_address: address, netmask: '255.255.255.0', gateway: '10.0.0.1', type: 'public' }
  return {
    id: FIRST + serial,
    name,
    memory: size['memory'],
    vcpus: size['vcpus'],
    disk: 720,
    locked: state === 'starting',
    status: STATUS[state],
    created_at: new Date(createdMs).toISOString(),
    features: [],
    backup_ids: [],
    next_backup_window: null,
    snapshot_ids: [],
    image: { id: 1, name: 'AI/ML Ready', type: 'base', slug: 'gpu-h100x1-base', public: true },
    volume_ids: [],
    size: { ...size, price_hourly: usdPerHour },
    size_slug: slug,
    networks: { v4: state === 'starting' ? [] : [v4], v6: [] },
    region: { name: region, slug: region, features: [], available: true, sizes: [] },
    tags,
  }
}
