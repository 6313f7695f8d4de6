import * as z from 'zod'
import type { CloudEngine, FakeMachine, FakeRefusal, FakeState } from './engine.ts'
import type { FakeCall, FakeReply, FakeRequest, FakeVendor } from './fake-api.ts'

/** Vast's API, as its spec describes it. */
export const fakeVast: FakeVendor = {
  key: 'vast0123456789abcdef0123456789abcdef',
  isAuthorised: ({ authorization }, key) => authorization === `Bearer ${key}`,
  callOf,
  act: async (engine, request) => {
    switch (callOf(request)) {
      case 'offers':
        return { status: 200, body: { offers: asksOf(engine, request) } }
      case 'create':
        return rented(engine, request)
      case 'list':
        return listed(engine, request)
      case 'stop': {
        const machine = found(engine, request)
        if (machine === undefined) return NOT_FOUND
        engine.remove(machine)
        return { status: 200, body: { success: true, msg: 'Instance destroyed successfully' } }
      }
      case 'logs':
        return logged(engine, request)
      case 'describe':
      case undefined:
        return NOT_FOUND
    }
  },
  say: (what) => {
    switch (what) {
      case 'throttled':
        return { status: 429, type: 'text/plain', body: 'API requests too frequent: endpoint threshold=4.5' }
      case 'broken':
        return { status: 500, body: { success: false, error: 'server_error', msg: 'an error occurred' } }
      case 'expired':
        // As it was seen: a wrong key is not found.
        return { status: 404, body: { success: false, error: 'auth_error', msg: 'Invalid user key' } }
      case 'unknown-path':
        return NOT_FOUND
    }
  },
  partial: ({ body }) => ({
    status: 200,
    body: { ...Object(body), success: false, msg: 'the machine did not start it' },
  }),
}

function callOf({ method, path }: FakeRequest): FakeCall | undefined {
  const [, version, what, id] = path
  if (what === 'bundles') return 'offers'
  if (what === 'asks' && method === 'PUT') return 'create'
  if (what !== 'instances') return undefined
  if (id === 'request_logs' && method === 'PUT') return 'logs'
  if (id === undefined) return version === 'v1' ? 'list' : undefined
  return method === 'DELETE' ? 'stop' : undefined
}

/** The file is on another host, and there a moment later. */
async function logged(engine: CloudEngine, { path }: FakeRequest): Promise<FakeReply> {
  const machine = engine.machines.find((each) => String(numberOf(each)) === path[4])
  if (machine === undefined)
    return { status: 404, body: { success: false, error: 'invalid_id', msg: 'Invalid instance id.' } }
  const lines = engine.prints(machine)
  let looks = 0
  const port = await engine.listen({ host: '127.0.0.1', port: 0 }, () => {
    if (++looks === 1) return { status: 403, text: '<Error><Code>AccessDenied</Code></Error>' }
    return { status: 200, text: lines.map((line) => `${line}\n`).join('') }
  })
  const url = `http://127.0.0.1:${port}/instance_logs/${numberOf(machine)}.log`
  return { status: 200, body: { success: true, result_url: url, msg: 'Logs requested' } }
}

const NOT_FOUND: FakeReply = { status: 404, body: { success: false, error: 'not_found', msg: 'Instance not found' } }
const ASKS = [
  { id: 501, gpu_name: 'RTX 4090', num_gpus: 1, gpu_ram: 24_564, geolocation: 'Sweden, SE', bw_nvlink: 0, dear: 1 },
  { id: 502, gpu_name: 'H100 SXM', num_gpus: 8, gpu_ram: 81_559, geolocation: 'Texas, US', bw_nvlink: 450, dear: 8 },
] as const

function asksOf(engine: CloudEngine, { body }: FakeRequest): readonly unknown[] {
  const { id } = z.object({ id: z.object({ eq: z.number() }).optional() }).parse(body)
  return ASKS.filter((ask) => id === undefined || ask.id === id.eq).map(({ dear, ...ask }) => ({
    ...ask,
    dph_total: engine.priceOf('') * dear,
    min_bid: (engine.priceOf('') * dear) / 2,
    reliability2: 0.99,
    driver_version: '570.86.15',
    cuda_max_good: 12.8,
    compute_cap: 890,
    cpu_cores_effective: 16,
    cpu_ram: 65_536,
    cpu_arch: 'amd64',
    gpu_frac: 1,
    gpu_arch: 'nvidia',
    disk_space: 512.5,
    inet_up_cost: 0.01,
    direct_port_count: 50,
    rentable: engine.left(String(ask.id)) > 0,
  }))
}

const BODY = z.object({ image: z.string(), label: z.string(), env: z.string() })

async function rented(engine: CloudEngine, { path, body }: FakeRequest): Promise<FakeReply> {
  const { image, label, env } = BODY.parse(body)
  const words = env.split(' ')
  const after = (flag: string): readonly string[] => words.filter((_, index) => words[index - 1] === flag)
  const pairs = after('-e').map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)])
  const ports = after('-p').map((pair) => Number(pair.split(':')[1]))
  const shape = path[3] ?? ''
  const dear = ASKS.find(({ id }) => String(id) === shape)?.dear ?? 1
  engine.prices.set(shape, engine.priceOf('') * dear)
  const made = await engine.create({ name: label, shape, image, env: Object.fromEntries(pairs), ports, body })
  return typeof made === 'string'
    ? refusalOf(made, shape)
    : { status: 200, body: { success: true, new_contract: numberOf(made) } }
}

function refusalOf(why: FakeRefusal, ask: string): FakeReply {
  const said = (status: number, error: string, msg: string): FakeReply => {
    return { status, body: { success: false, error, msg, ask_id: Number(ask) } }
  }
  switch (why) {
    case 'sold-out':
      return said(410, 'no_such_ask', `error 410/3907: no_such_ask Instance type ${ask} is no longer available.`)
    case 'quota':
      return said(403, 'limit', 'You have reached the maximum number of instances.')
    case 'no-money':
      return said(403, 'insufficient_credit', 'Your account lacks credit; see the billing page.')
    case 'wrong':
      return said(400, 'invalid_args', 'error 400/3467: Invalid args: image')
  }
}

const FIRST = 7000

function numberOf({ serial }: FakeMachine): number {
  return FIRST + serial
}

function found(engine: CloudEngine, { path }: FakeRequest): FakeMachine | undefined {
  const machine = engine.machines.find((each) => String(numberOf(each)) === path[3])
  return machine === undefined || ['stopping', 'gone'].includes(engine.stateOf(machine)) ? undefined : machine
}

function listed(engine: CloudEngine, { query }: FakeRequest): FakeReply {
  const { id } = z
    .object({ id: z.object({ eq: z.number() }).optional() })
    .parse(JSON.parse(query.get('select_filters') ?? '{}'))
  const there = id === undefined ? engine.listed() : engine.machines.filter((machine) => numberOf(machine) === id.eq)
  const all = there.filter((machine) => !['stopping', 'gone'].includes(engine.stateOf(machine)))
  const from = Number(query.get('after_token') ?? 0)
  // Pages are small here, so that there are several.
  const page = all.slice(from, from + 2)
  const next = from + 2 < all.length ? String(from + 2) : null
  const instances = page.map((machine) => instanceOf(engine, machine))
  return {
    status: 200,
    body: { success: true, instances_found: page.length, total_instances: all.length, next_token: next, instances },
  }
}

const STATUS: Readonly<Record<FakeState, string | null>> = {
  starting: 'loading',
  up: 'running',
  ended: 'exited',
  failed: 'created',
  stopping: 'exited',
  gone: 'exited',
}

function instanceOf(engine: CloudEngine, machine: FakeMachine): Readonly<Record<string, unknown>> {
  const state = engine.stateOf(machine)
  const ports = [...machine.reached].map(([inner, outer]) => [
    `${inner}/tcp`,
    [{ HostIp: '0.0.0.0', HostPort: `${outer}` }],
  ])
  return {
    id: numberOf(machine),
    label: machine.name,
    actual_status: STATUS[state],
    cur_state: 'running',
    next_state: 'running',
    intended_status: 'running',
    status_msg: state === 'failed' ? 'Error: OCI runtime create failed: no cards' : null,
    extra_env: Object.entries(machine.env),
    public_ipaddr: '127.0.0.1',
    ports: state === 'up' ? Object.fromEntries(ports) : null,
    dph_total: machine.usdPerHour,
    is_bid: false,
  }
}
