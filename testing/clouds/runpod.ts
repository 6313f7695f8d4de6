import * as z from 'zod'
import type { CloudEngine, FakeMachine, FakeRefusal, FakeState } from './engine.ts'
import type { FakeCall, FakeReply, FakeRequest, FakeVendor } from './fake-api.ts'

/** RunPod's API v2, as its spec describes it. */
export const fakeRunpod: FakeVendor = {
  key: 'rpa_TESTKEY0123456789',
  isAuthorised: ({ authorization }, key) => authorization === `Bearer ${key}`,
  callOf,
  act: async (engine, request) => {
    switch (callOf(request)) {
      case 'offers':
        return { status: 200, body: { gpus: gpusOf(engine, request) } }
      case 'create':
        return created(engine, request)
      case 'list':
        return {
          status: 200,
          body: {
            pods: engine
              .listed()
              .filter((pod) => isThere(engine, pod))
              .map((pod) => podOf(engine, pod)),
          },
        }
      case 'describe': {
        const pod = engine.find(request.path[2] ?? '')
        return pod === undefined || !isThere(engine, pod) ? NOT_FOUND : { status: 200, body: podOf(engine, pod) }
      }
      case 'stop': {
        const pod = engine.find(request.path[2] ?? '')
        if (pod === undefined || !isThere(engine, pod)) return NOT_FOUND
        engine.remove(pod)
        return { status: 204 }
      }
      case 'logs':
        return logsOf(engine, request)
      case undefined:
        return problem(404, 'Not Found', 'resource not found')
    }
  },
  say: (what) => {
    switch (what) {
      case 'throttled':
        return problem(429, 'Too Many Requests', 'rate limit exceeded for the minute window')
      case 'broken':
        return problem(500, 'Internal Server Error', 'internal server error')
      case 'expired':
        return problem(401, 'Unauthorized', 'invalid bearer token')
      case 'unknown-path':
        return problem(404, 'Not Found', 'resource not found')
    }
  },
}

function callOf({ method, path }: FakeRequest): FakeCall | undefined {
  const [version, what, id, part] = path
  if (version !== 'v2') return undefined
  if (what === 'catalog' && id === 'gpus') return 'offers'
  if (what !== 'pods') return undefined
  if (id === undefined) return method === 'POST' ? 'create' : 'list'
  if (part === 'logs') return 'logs'
  return method === 'DELETE' ? 'stop' : 'describe'
}

/** A stream that stays open while the pod is there. */
function logsOf(engine: CloudEngine, { path, headers, query }: FakeRequest): FakeReply {
  const pod = engine.find(path[2] ?? '')
  if (pod === undefined || !isThere(engine, pod)) return NOT_FOUND
  const after = headers['last-event-id']
  const ts = new Date(pod.upMs).toISOString()
  const events = engine.prints(pod).map((line, index) => ({ id: `${ts}/${String(index + 1).padStart(12, '0')}`, line }))
  const from =
    after === undefined
      ? Math.max(0, events.length - Number(query.get('tail') ?? 100))
      : events.findIndex(({ id }) => id === after)
  const texts = events
    .slice(Math.max(0, from))
    .map(({ id, line }) => `id: ${id}\ndata: ${JSON.stringify({ ts, source: 'container', line })}\n\n`)
  return { status: 200, type: 'text/event-stream', body: texts.join(''), isOpen: true }
}

const NOT_FOUND = problem(404, 'Not Found', 'pod not found')

function problem(status: number, title: string, detail: string): FakeReply {
  return { status, type: 'application/problem+json', body: { title, status, detail } }
}

/** A pod that was deleted is gone at once. */
function isThere(engine: CloudEngine, pod: FakeMachine): boolean {
  return !['stopping', 'gone'].includes(engine.stateOf(pod))
}

const GPUS = [
  { id: 'NVIDIA H100 80GB HBM3', name: 'H100 SXM', pool: 'HOPPER_80', memory: 80, max: 8 },
  { id: 'NVIDIA GeForce RTX 4090', name: 'RTX 4090', pool: 'ADA_24', memory: 24, max: 4 },
] as const
const CENTERS = [
  { id: 'EU-RO-1', name: 'Romania 1' },
  { id: 'US-TX-3', name: 'Texas 3' },
] as const

/** What the stock of a pod is kept under: `NVIDIA L4|1|SECURE|EU-RO-1`. */
function runpodShape(gpu: string, count: number, center: string): string {
  return `${gpu}|${count}|SECURE|${center}`
}

function gpusOf(engine: CloudEngine, { query }: FakeRequest): readonly unknown[] {
  const count = Number(query.get('count') ?? 1)
  return GPUS.map(({ max, ...gpu }) => {
    const centers = CENTERS.map(({ id, name }) => {
      return { id, name, availability: engine.left(runpodShape(gpu.id, count, id)) > 0 ? 'HIGH' : 'NONE' }
    })
    const price = engine.priceOf(gpu.id)
    return {
      ...gpu,
      manufacturer: 'NVIDIA',
      secure: true,
      community: false,
      price: { secure: price, community: 0 },
      maxCount: { secure: max, community: 0 },
      availability: centers.some(({ availability }) => availability === 'HIGH') ? 'HIGH' : 'NONE',
      dataCenters: centers,
      cudaVersions: [
        { version: '12.8', available: true },
        { version: '12.4', available: true },
        { version: '11.8', available: false },
      ],
    }
  })
}

async function created(engine: CloudEngine, { body }: FakeRequest): Promise<FakeReply> {
  const { name, image, env, ports, gpu, dataCenterIds, cloud } = BODY.parse(body)
  const { id, count } = gpu
  const shape = `${id}|${count}|${cloud}|${dataCenterIds?.[0] ?? ''}`
  engine.prices.set(shape, engine.priceOf(id) * count)
  const made = await engine.create({
    name,
    shape,
    image,
    env,
    ports: ports.map((port) => Number(port.split('/')[0])),
    body,
  })
  return typeof made === 'string' ? REFUSALS[made] : { status: 201, body: podOf(engine, made) }
}

const BODY = z.object({
  name: z.string(),
  image: z.string(),
  env: z.record(z.string(), z.string()).default({}),
  ports: z.array(z.string()).default([]),
  gpu: z.object({ id: z.string(), count: z.number().default(1) }),
  dataCenterIds: z.array(z.string()).optional(),
  cloud: z.string().default('SECURE'),
})

const REFUSALS: Readonly<Record<FakeRefusal, FakeReply>> = {
  'sold-out': problem(
    400,
    'Bad Request',
    'There are no longer any instances available with the requested specifications. Please refresh and try again.',
  ),
  quota: problem(400, 'Bad Request', 'You have reached the maximum number of pods for your account.'),
  'no-money': problem(402, 'Payment Required', 'Insufficient balance.'),
  wrong: problem(422, 'Unprocessable Entity', 'Request validation failed.'),
}

const STATUS: Readonly<Record<FakeState, string>> = {
  starting: 'PROVISIONING',
  up: 'RUNNING',
  ended: 'EXITED',
  failed: 'ERROR',
  stopping: 'TERMINATED',
  gone: 'TERMINATED',
}

function podOf(engine: CloudEngine, pod: FakeMachine): Readonly<Record<string, unknown>> {
  const state = engine.stateOf(pod)
  const { args = '', disk = 20, ports = [], registry = null, gpu, cloud = 'SECURE', dataCenterIds } = pod.body
  const center: unknown = Array.isArray(dataCenterIds) ? dataCenterIds[0] : null
  const mapped = [...pod.reached].map(([inner, outer]) => ({
    private: inner,
    public: outer,
    type: 'tcp',
    ip: '127.0.0.1',
  }))
  return {
    id: pod.id,
    name: pod.name,
    status: STATUS[state],
    actions: ['stop', 'terminate'],
    image: pod.image,
    args,
    disk,
    mounts: {},
    ports,
    env: pod.env,
    registry,
    gpu,
    cloud,
    dataCenterId: center,
    cudaVersion: '12.8',
    ssh: { proxy: null, direct: null },
    template: null,
    cost: state === 'ended' ? 0 : pod.usdPerHour,
    locked: false,
    runtime: state === 'up' ? { uptime: 1, gpus: [], ports: mapped } : null,
    createdAt: new Date(pod.createdMs).toISOString(),
    startedAt: state === 'starting' || state === 'failed' ? null : new Date(pod.upMs).toISOString(),
    globalNetworking: { enabled: false },
  }
}
