import * as z from 'zod'
import type { CloudEngine, FakeMachine, FakeRefusal, FakeState } from './engine.ts'
import type { FakeCall, FakeReply, FakeRequest, FakeVendor } from './fake-api.ts'

/** Yotta's API v2, as its spec describes it: refusals come with the status 200, too. */
export const fakeYotta: FakeVendor = {
  key: 'yotta-0123456789abcdef',
  isAuthorised: (headers, key) => headers['x-api-key'] === key,
  callOf,
  act: async (engine, request) => {
    switch (callOf(request)) {
      case 'offers':
        return good([{ gpuType: CARD, regions: REGIONS.map((region) => placeOf(engine, region)) }])
      case 'create':
        return created(engine, request)
      case 'list':
        return good(there(engine, engine.listed()).map((pod) => podOf(engine, pod)))
      case 'describe': {
        const pod = found(engine, request)
        return pod === undefined ? said(200, 13_000, 'Pod not found') : good(podOf(engine, pod))
      }
      case 'stop': {
        const pod = found(engine, request)
        if (pod === undefined) return said(200, 13_000, 'Pod not found')
        engine.remove(pod)
        return good(true)
      }
      case 'logs':
      case undefined:
        return said(404, 404, 'no such path')
    }
  },
  say: (what) => {
    switch (what) {
      case 'throttled':
        return said(429, 429, 'Too many requests')
      case 'broken':
        return said(500, 10_002, 'System error')
      case 'expired':
        return said(401, 40_101, 'Invalid API key')
      case 'unknown-path':
        return said(404, 404, 'no such path')
    }
  },
}

function callOf({ method, path }: FakeRequest): FakeCall | undefined {
  const [, what, id] = path
  if (what === 'vms' && id === 'types') return 'offers'
  if (what !== 'pods') return undefined
  if (id === undefined) return method === 'POST' ? 'create' : 'list'
  return method === 'DELETE' ? 'stop' : 'describe'
}

function said(status: number, code: number, message: string): FakeReply {
  return { status, body: status === 200 ? { message, code } : { message, code, data: null } }
}

function good(data: unknown): FakeReply {
  return { status: 200, body: { message: 'success', code: 10_000, data } }
}

const CARD = 'NVIDIA_RTX_4090_24G'
const REGIONS = ['us-east-1', 'us-west-1'] as const

function placeOf(engine: CloudEngine, region: string): Readonly<Record<string, unknown>> {
  return { region, regionName: region, available: engine.left(region) > 0, vmTypeId: 1 }
}

const BODY = z.object({
  name: z.string().max(255),
  image: z.string(),
  regions: z.array(z.string()),
  environmentVars: z.array(z.object({ key: z.string(), value: z.string() })),
})

async function created(engine: CloudEngine, { body }: FakeRequest): Promise<FakeReply> {
  const { name, image, regions, environmentVars: pairs } = BODY.parse(body)
  const env = Object.fromEntries(pairs.map(({ key, value }) => [key, value]))
  const made = await engine.create({ name, shape: regions[0] ?? '', image, env, ports: [], body })
  return typeof made === 'string' ? REFUSALS[made] : good(podOf(engine, made))
}

const REFUSALS: Readonly<Record<FakeRefusal, FakeReply>> = {
  'sold-out': said(400, 12_000, 'The requested GPU is sold out'),
  quota: said(400, 12_001, 'Quota exceeded'),
  'no-money': said(400, 12_002, 'Insufficient balance'),
  wrong: said(200, 10_001, 'Parameter error'),
}

const FIRST = 9000

function there(engine: CloudEngine, pods: readonly FakeMachine[]): readonly FakeMachine[] {
  return pods.filter((pod) => !['stopping', 'gone'].includes(engine.stateOf(pod)))
}

function found(engine: CloudEngine, { path }: FakeRequest): FakeMachine | undefined {
  return there(engine, engine.machines).find((pod) => String(FIRST + pod.serial) === path[2])
}

const STATUS: Readonly<Record<FakeState, string>> = {
  starting: 'INITIALIZE',
  up: 'RUNNING',
  ended: 'STOPPED',
  failed: 'FAILED',
  stopping: 'TERMINATED',
  gone: 'TERMINATED',
}

function podOf(engine: CloudEngine, pod: FakeMachine): Readonly<Record<string, unknown>> {
  const { gpuType, gpuCount } = pod.body
  return {
    id: FIRST + pod.serial,
    name: pod.name,
    image: pod.image,
    gpuType,
    gpuDisplayName: 'RTX 4090',
    gpuCount,
    status: STATUS[engine.stateOf(pod)],
    createdAt: pod.createdMs,
    sshCmd: '',
  }
}
