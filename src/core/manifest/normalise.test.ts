import { describe, expect, test } from 'vitest'
import { BASE, codesIn, CPU, manifestOf } from './manifests.suite.ts'

describe('a manifest with every key', () => {
  test('of a service', () => {
    const text = `berth: v1
kind: service
name: llama-70b
image: ghcr.io/acme/vllm:0.22
command: [vllm, serve, /models/llama-70b]
args: [--port, 8000]
resources:
  cpu: 16
  memory: 200Gi
  disk: 100GB
  shm: 8Gi
  host_arch: [amd64, arm64, amd64]
  gpu:
    count: 4
    min_vram: 80GB
    min_usable_vram: 79Gi
    arch: [hopper, Ada_Lovelace, hopper]
    min_compute_capability: 9
    min_driver: 550.54.14
    min_cuda: 12.10
    interconnect: nvlink
    sharing: mig
env: { MODEL: llama-70b, PORT: 8000, DEBUG: true, V: 1.10 }
secrets: [HF_TOKEN]
ports: [{ name: http, port: 8000, health: /health }, { name: admin, port: 9, expose: private }]
storage:
  - { mount: /models, from: s3://acme/models }
  - { mount: /scratch, size: 500Gi }
  - { mount: /both, from: gs://a/b, size: 1Ti, mode: rw }
replicas: { min: 0, max: 8, target: { concurrency: 32 } }
spread: provider
restart: { class: inference, max: 3 }
migration: { on: [outage, drain, outage], price_drop: 25% }
policy: production
`
    expect(manifestOf(text)).toEqual({
      kind: 'service',
      name: 'llama-70b',
      image: 'ghcr.io/acme/vllm:0.22',
      command: ['vllm', 'serve', '/models/llama-70b'],
      args: ['--port', '8000'],
      env: { MODEL: 'llama-70b', PORT: '8000', DEBUG: 'true', V: '1.10' },
      secrets: ['HF_TOKEN'],
      ports: [
        { name: 'http', port: 8000, health: '/health', expose: 'public' },
        { name: 'admin', port: 9, health: undefined, expose: 'private' },
      ],
      storage: [
        { mount: '/models', from: 's3://acme/models', mode: 'ro', sizeGib: undefined },
        { mount: '/scratch', from: undefined, mode: 'rw', sizeGib: 500 },
        { mount: '/both', from: 'gs://a/b', mode: 'rw', sizeGib: 1024 },
      ],
      replicas: { min: 0, max: 8, target: { metric: 'concurrency', value: 32 } },
      spread: 'provider',
      nodes: 1,
      topology: undefined,
      checkpoint: undefined,
      maxDurationSeconds: undefined,
      completions: 1,
      restart: { class: 'inference', max: 3 },
      migration: { on: ['outage', 'drain', 'price_drop'], priceDrop: 0.25 },
      policy: 'production',
      resources: {
        cpu: 16,
        memoryGib: 200,
        shmGib: 8,
        diskGib: 100e9 / 2 ** 30,
        hostArch: ['amd64', 'arm64'],
        gpu: {
          count: 4,
          vendors: ['nvidia'],
          vramGibMin: 80,
          usableGibMin: 79,
          arch: ['hopper', 'ada'],
          computeCapabilityMin: '9.0',
          driverMin: '550.54.14',
          cudaMin: '12.10',
          interconnect: 'nvlink',
          sharing: 'mig',
        },
      },
      roles: [],
    })
  })

  test('of a job', () => {
    const manifest = manifestOf(`berth: v1
kind: job
name: train
image: acme/train
resources: { gpu: { count: 8 } }
nodes: 2
topology: { within: rack }
checkpoint: { path: /ckpt, every: 1h30m }
max_duration: 2d
completions: 3
restart: { class: inference }
migration: { on: [drain] }
`)
    expect(manifest).toMatchObject({
      kind: 'job',
      nodes: 2,
      topology: 'rack',
      checkpoint: { path: '/ckpt', everySeconds: 5400 },
      maxDurationSeconds: 172_800,
      completions: 3,
      restart: { class: 'inference', max: 3 },
      migration: { on: ['drain'], priceDrop: undefined },
    })
  })
})

describe('what is left out', () => {
  test('is filled in for a service', () => {
    expect(manifestOf(`${BASE}resources: {}\n`)).toEqual({
      kind: 'service',
      name: 'demo',
      image: 'acme/app:1',
      command: [],
      args: [],
      env: {},
      secrets: [],
      ports: [],
      storage: [],
      replicas: { min: 1, max: 1, target: undefined },
      spread: 'none',
      nodes: 1,
      topology: undefined,
      checkpoint: undefined,
      maxDurationSeconds: undefined,
      completions: 1,
      restart: { class: 'inference', max: undefined },
      migration: { on: ['outage'], priceDrop: undefined },
      policy: undefined,
      resources: { cpu: undefined, memoryGib: undefined, diskGib: undefined, hostArch: ['amd64'], gpu: undefined },
      roles: [],
    })
  })

  test('of restart is what its kind says, also beside a max', () => {
    const text = `${BASE}${CPU}restart: { max: 1 }\n`
    expect(manifestOf(text).restart).toEqual({ class: 'inference', max: 1 })
    expect(manifestOf(text.replace('service', 'job')).restart).toEqual({ class: 'training', max: 1 })
  })

  test('is filled in for a job', () => {
    expect(manifestOf(`${BASE}${CPU}`.replace('service', 'job'))).toMatchObject({
      restart: { class: 'training', max: 3 },
      migration: { on: [], priceDrop: undefined },
      nodes: 1,
      completions: 1,
    })
  })

  test('is filled in for a GPU', () => {
    expect(manifestOf(`${BASE}resources: { gpu: {} }\n`).resources.gpu).toEqual({
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
    })
  })

  test('an empty migration list means that nothing moves the work', () => {
    expect(manifestOf(`${BASE}${CPU}migration: { on: [] }\n`).migration).toEqual({ on: [], priceDrop: undefined })
  })

  test('an amount alone lets a price move the work', () => {
    expect(manifestOf(`${BASE}${CPU}migration: { price_drop: 0.5% }\n`).migration).toEqual({
      on: ['outage', 'price_drop'],
      priceDrop: 0.005,
    })
    expect(manifestOf(`${BASE}${CPU}migration: { on: [price_drop], price_drop: 100% }\n`).migration).toEqual({
      on: ['price_drop'],
      priceDrop: 1,
    })
  })

  test('routing keeps what it states, and a hedge needs a share that means something', () => {
    const routing = (stated: string) => manifestOf(`${BASE}${CPU}routing: ${stated}\n`).routing
    expect(routing('{ hedge: 95% }')).toEqual({ hedge: 0.95 })
    expect(routing('{ hedge: 99%, affinity: prefix }')).toEqual({ affinity: 'prefix', hedge: 0.99 })
    expect(routing('{}')).toBeUndefined()
    for (const stated of ['49%', '100%', '1s']) expect(() => routing(`{ hedge: ${stated} }`)).toThrow()
  })

  test.each([
    ['{ vendor: any }', 'any'],
    ['{ vendor: amd }', ['amd']],
    ['{ vendor: [amd, intel, amd] }', ['amd', 'intel']],
    ['{ arch: cdna3 }', ['amd']],
    ['{ arch: [hopper, cdna3, blackwell] }', ['nvidia', 'amd']],
    ['{ arch: cdna3, vendor: any }', 'any'],
  ])('the vendors of %s are %j', (gpu, vendors) => {
    expect(manifestOf(`${BASE}resources: { gpu: ${gpu} }\n`).resources.gpu?.vendors).toEqual(vendors)
  })

  test.each([
    ['3', { min: 3, max: 3, target: undefined }],
    ['{ min: 1, max: 1 }', { min: 1, max: 1, target: undefined }],
    ['{ min: 1, max: 2, target: { rps: 1.5 } }', { min: 1, max: 2, target: { metric: 'rps', value: 1.5 } }],
    ['{ min: 1, max: 2, target: { queue: 4 } }', { min: 1, max: 2, target: { metric: 'queue', value: 4 } }],
  ])('replicas %s', (text, replicas) => {
    expect(manifestOf(`${BASE}${CPU}replicas: ${text}\n`).replicas).toEqual(replicas)
  })
})

describe('roles', () => {
  test('take from the workload what they leave out', () => {
    const { roles } = manifestOf(`${BASE}
resources: { cpu: 8, memory: 64Gi, host_arch: arm64, gpu: { count: 2, min_vram: 80Gi, arch: hopper, sharing: any } }
command: [serve]
args: [a]
env: { A: one, B: two }
ports: [{ name: http, port: 80 }]
replicas: 3
roles:
  decode: {}
  prefill:
    resources: { cpu: 16, gpu: { count: 4 } }
    replicas: { min: 1, max: 2 }
    reserve: 25%
    command: [prefill]
    args: []
    env: { B: three }
    ports: []
`)
    const gpu = { count: 2, vramGibMin: 80, arch: ['hopper'], sharing: 'any', vendors: ['nvidia'] }
    expect(roles).toMatchObject([
      {
        name: 'decode',
        resources: { cpu: 8, memoryGib: 64, hostArch: ['arm64'], gpu },
        replicas: { min: 3, max: 3 },
        reserve: undefined,
        command: ['serve'],
        args: ['a'],
        env: { A: 'one', B: 'two' },
        ports: [{ name: 'http' }],
      },
      {
        name: 'prefill',
        resources: { cpu: 16, memoryGib: 64, hostArch: ['arm64'], gpu: { ...gpu, count: 4 } },
        replicas: { min: 1, max: 2 },
        reserve: { kind: 'share', share: 0.25 },
        command: ['prefill'],
        args: [],
        env: { A: 'one', B: 'three' },
        ports: [],
      },
    ])
  })

  test('that name a vendor or an architecture have named both', () => {
    const { roles } = manifestOf(`${BASE}
resources: { gpu: { vendor: nvidia, arch: hopper, count: 2, min_driver: 550, interconnect: nvlink, min_vram: 80Gi } }
roles:
  amd: { resources: { gpu: { arch: cdna3 } } }
  intel: { resources: { gpu: { vendor: intel } } }
  same: { resources: { gpu: { count: 1 } } }
  newer: { resources: { gpu: { arch: blackwell } } }
  free: { resources: { gpu: { vendor: any } } }
`)
    expect(roles.map(({ resources }) => ({ driverMin: undefined, ...resources.gpu }))).toMatchObject([
      { vendors: ['amd'], arch: ['cdna3'], count: 2, driverMin: undefined, interconnect: 'any', vramGibMin: 80 },
      { vendors: ['intel'], arch: [], count: 2, driverMin: undefined, interconnect: 'any', vramGibMin: 80 },
      { vendors: ['nvidia'], arch: ['hopper'], count: 1, driverMin: '550', interconnect: 'nvlink' },
      { vendors: ['nvidia'], arch: ['blackwell'], count: 2, driverMin: '550', interconnect: 'nvlink' },
      { vendors: 'any', arch: [], count: 2, driverMin: '550', interconnect: 'nvlink' },
    ])
  })

  test('need no resources of the workload when they have their own', () => {
    const { roles, resources } = manifestOf(`${BASE}roles: { a: { resources: { cpu: 1 }, reserve: 2 } }\n`)
    expect(roles[0]).toMatchObject({
      reserve: { kind: 'count', count: 2 },
      resources: { cpu: 1, gpu: undefined },
      replicas: { min: 1, max: 1 },
    })
    expect(resources.cpu).toBeUndefined()
  })

  test('are checked like the workload', () => {
    expect(
      codesIn(`${BASE}${CPU}secrets: [K]
roles:
  a:
    replicas: { min: 3, max: 2 }
    env: { K: x }
    ports: [{ name: p, port: 1 }, { name: p, port: 2 }]
    resources: { gpu: { vendor: amd, arch: hopper } }
`),
    ).toEqual(['VALUE_CONFLICT 9:22', 'VALUE_CONFLICT 10:12', 'KEY_REPEATED 11:43', 'VALUE_CONFLICT 12:44'])
  })
})
