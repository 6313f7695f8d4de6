import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy.ts'
import { NOW_MS, version } from '../requirement/filter/facts.suite.ts'
import type { Manifest, Port, Resources, Role, Volume } from '../manifest/manifest.ts'
import type { GpuRequest } from '../requirement/table.ts'
import { ANYTHING, noneOf, oneOf } from '../requirement/need/choice.ts'
import { ANY_NEED, type Need } from '../requirement/need/need.ts'
import { ANY_GPU } from '../requirement/need/need.suite.ts'
import { ANY_NUMBER, atLeast, atMost } from '../requirement/need/range.ts'
import { derive, policyNeed } from './derive.ts'

const RESOURCES: Resources = {
  cpu: undefined,
  memoryGib: undefined,
  diskGib: undefined,
  hostArch: ['amd64'],
  gpu: undefined,
}

const GPU: GpuRequest = {
  count: 1,
  vendors: ['nvidia'],
  vramGibMin: undefined,
  usableGibMin: undefined,
  arch: [],
  computeCapabilityMin: undefined,
  driverMin: undefined,
  cudaMin: undefined,
  interconnect: 'any',
  sharing: 'never',
}

const MANIFEST: Manifest = {
  kind: 'service',
  name: 'llama',
  image: 'acme/vllm:1',
  command: [],
  args: [],
  env: {},
  secrets: [],
  ports: [],
  storage: [],
  replicas: { min: 2, max: 4, target: undefined },
  spread: 'provider',
  nodes: 1,
  topology: undefined,
  checkpoint: undefined,
  maxDurationSeconds: undefined,
  completions: 1,
  restart: { class: 'inference', max: undefined },
  migration: { on: [], priceDrop: undefined },
  policy: undefined,
  resources: RESOURCES,
  roles: [],
}

/** The need of a manifest under a policy that allows everything. */
function needOf(change: Partial<Manifest>): Need | undefined {
  const open = { ...DEFAULT_POLICY, spot: 'allowed' } as const
  return derive({ ...MANIFEST, ...change }, open, NOW_MS).asks[0]?.need
}

function gpuOf(change: Partial<GpuRequest>) {
  return needOf({ resources: { ...RESOURCES, gpu: { ...GPU, ...change } } })?.gpu
}

function port(expose: Port['expose']): Port {
  return { name: 'http', port: 80, health: undefined, expose }
}

function volume(sizeGib: number | undefined): Volume {
  return { mount: '/m', from: undefined, mode: 'rw', sizeGib }
}

describe('the need of a manifest', () => {
  test('asks for nothing that the manifest does not say', () => {
    expect(needOf({})).toEqual({
      ...ANY_NEED,
      hostArch: oneOf(['amd64']),
      uses: ['images'],
      market: oneOf(['on-demand', 'spot']),
      unknownAccepted: oneOf(DEFAULT_POLICY.unknownAccepted),
    })
  })

  test('takes over what the machine must have', () => {
    const resources = { ...RESOURCES, cpu: 8, memoryGib: 64, diskGib: 100, hostArch: ['arm64', 'amd64'] } as const
    expect(needOf({ resources, nodes: 2, topology: 'rack' })).toMatchObject({
      gpu: undefined,
      cpu: atLeast(8),
      memoryGib: atLeast(64),
      diskGib: atLeast(100),
      hostArch: oneOf(['amd64', 'arm64']),
      nodes: 2,
      within: 'rack',
    })
  })

  test('asks to be reachable where a port is public', () => {
    const inbound = [[], [port('private')], [port('private'), port('public')]].map(
      (ports) => needOf({ ports })?.inbound,
    )
    expect(inbound).toEqual([false, false, true])
  })

  test('asks for room for the largest volume', () => {
    expect(needOf({ storage: [volume(50), volume(200), volume(undefined), volume(100)] })?.volumeGib).toEqual(
      atLeast(200),
    )
    expect(needOf({ storage: [volume(undefined)] })?.volumeGib).toEqual(ANY_NUMBER)
  })

  test('takes over what the cards must be', () => {
    expect(gpuOf({})).toEqual({
      ...ANY_GPU,
      vendor: oneOf(['nvidia']),
      count: atLeast(1),
      sharing: oneOf(['whole']),
    })
    const demanding = {
      count: 4,
      vramGibMin: 80,
      usableGibMin: 79,
      arch: ['hopper', 'blackwell'],
      computeCapabilityMin: '9.0',
      driverMin: '550.54',
      cudaMin: '12.4',
      interconnect: 'nvlink',
      sharing: 'mig',
    } as const
    expect(gpuOf(demanding)).toEqual({
      ...ANY_GPU,
      vendor: oneOf(['nvidia']),
      arch: { names: ['hopper', 'blackwell'], targets: oneOf(['9.0', '10.0', '10.3']) },
      capability: atLeast(version('9.0')),
      count: atLeast(4),
      vramGib: atLeast(80),
      usableGib: atLeast(79),
      sharing: oneOf(['mig', 'whole']),
      link: atLeast(2),
      driver: atLeast(version('550.54')),
      cuda: atLeast(version('12.4')),
    })
  })

  test('knows every word for makers, links and sharing', () => {
    expect(gpuOf({ vendors: 'any' })?.vendor).toEqual(ANYTHING)
    expect(gpuOf({ vendors: ['amd', 'nvidia'] })?.vendor).toEqual(oneOf(['amd', 'nvidia']))
    const links = (['any', 'pcie', 'nvlink', 'nvswitch'] as const).map((word) => gpuOf({ interconnect: word })?.link)
    expect(links).toEqual([ANY_NUMBER, atLeast(1), atLeast(2), atLeast(3)])
    expect(gpuOf({ sharing: 'any' })?.sharing).toEqual(oneOf(['mig', 'share', 'whole']))
  })

  test('admits no target where no architecture is known', () => {
    expect(gpuOf({ arch: ['mystery'] })?.arch.targets).toEqual(oneOf([]))
  })
})

describe('the need of a policy', () => {
  test('leaves everything open but terms and unknowns', () => {
    expect(policyNeed(DEFAULT_POLICY)).toEqual({
      ...ANY_NEED,
      market: oneOf(['on-demand']),
      unknownAccepted: oneOf(DEFAULT_POLICY.unknownAccepted),
    })
  })

  test('takes over what the policy restricts', () => {
    const policy = {
      ...DEFAULT_POLICY,
      usdPerHourMax: 12,
      residency: ['eu'],
      trust: ['secure'],
      providersAllowed: ['alpha', 'beta'],
      providersDenied: ['beta'],
      unknownAccepted: ['driver'],
    }
    expect(policyNeed(policy)).toEqual({
      ...ANY_NEED,
      market: oneOf(['on-demand']),
      usdPerHour: atMost(12),
      provider: oneOf(['alpha']),
      residency: oneOf(['eu']),
      trust: oneOf(['secure']),
      unknownAccepted: oneOf(['driver']),
    })
    expect(policyNeed({ ...DEFAULT_POLICY, providersDenied: ['beta'] }).provider).toEqual(noneOf(['beta']))
  })

  test('turns its word on spot into terms', () => {
    const markets = (['never', 'allowed', 'only'] as const).map(
      (spot) => policyNeed({ ...DEFAULT_POLICY, spot }).market,
    )
    expect(markets).toEqual([oneOf(['on-demand']), oneOf(['on-demand', 'spot']), oneOf(['spot'])])
  })
})

describe('the question', () => {
  test('of a plain workload is one ask', () => {
    const policy = { ...DEFAULT_POLICY, usdPerHourMax: 3 }
    const question = derive(MANIFEST, policy, NOW_MS)
    expect(question).toMatchObject({ workload: 'llama', policy, nowMs: NOW_MS })
    expect(question.asks).toMatchObject([{ role: undefined, replicas: 2, spread: 'provider' }])
    expect(question.asks[0]?.need).toMatchObject({ hostArch: oneOf(['amd64']), usdPerHour: atMost(3) })
  })

  test('of a workload with roles is one ask each, with its own resources and ports', () => {
    const role = (name: string, change: Partial<Role>): Role => ({
      name,
      resources: RESOURCES,
      replicas: { min: 1, max: 1, target: undefined },
      reserve: undefined,
      command: [],
      args: [],
      env: {},
      ports: [],
      ...change,
    })
    const roles = [
      role('prefill', { resources: { ...RESOURCES, cpu: 8 }, ports: [port('public')] }),
      role('decode', { replicas: { min: 3, max: 9, target: undefined } }),
    ]
    const storage = [volume(50)]
    const { asks } = derive({ ...MANIFEST, roles, storage, ports: [port('public')] }, DEFAULT_POLICY, NOW_MS)
    expect(asks.map((ask) => [ask.role, ask.replicas, ask.spread])).toEqual([
      ['prefill', 1, 'provider'],
      ['decode', 3, 'provider'],
    ])
    expect(asks.map((ask) => [ask.need.cpu.min, ask.need.inbound, ask.need.volumeGib.min])).toEqual([
      [8, true, 50],
      [undefined, false, 50],
    ])
    expect(asks.map((ask) => ask.need.market)).toEqual([oneOf(['on-demand']), oneOf(['on-demand'])])
  })
})
