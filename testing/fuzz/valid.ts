import type { Random } from './random.ts'

export type Data = string | number | boolean | null | readonly Data[] | { readonly [key: string]: Data }
type DataMap = { readonly [key: string]: Data }

/** A manifest without a mistake, as the data that a file would hold. */
export function validManifest(random: Random): DataMap {
  const kind = random.pick(['service', 'job'])
  const hasRoles = random.chance(0.15)
  return {
    berth: 'v1',
    kind,
    name: name(random),
    image: random.pick([
      'ghcr.io/acme/vllm:0.22',
      'localhost:5000/a/b',
      `x@sha256:${'a1'.repeat(32)}`,
      'python',
      'a.b-c/d_e:V1',
    ]),
    ...(hasRoles && random.chance(0.5) ? {} : { resources: resources(random, 'workload') }),
    ...some(random, 'command', () => texts(random)),
    ...some(random, 'args', () => texts(random)),
    ...some(random, 'env', () => env(random)),
    ...some(random, 'secrets', () => [`SECRET_${random.int(100)}`]),
    ...some(random, 'ports', () => ports(random, kind)),
    ...some(random, 'storage', () => storage(random)),
    ...some(random, 'migration', () => migration(random)),
    ...some(random, 'policy', () => name(random)),
    ...(kind === 'service' ? service(random) : job(random)),
    ...(hasRoles && { roles: { [name(random)]: role(random, kind), decode: role(random, kind) } }),
  }
}

/** Half the time a key with a value, half the time nothing. */
function some(random: Random, key: string, value: () => Data): DataMap {
  return random.chance(0.5) ? { [key]: value() } : {}
}

function service(random: Random): DataMap {
  return {
    ...some(random, 'replicas', () => replicas(random)),
    ...some(random, 'spread', () => random.pick(['none', 'provider', 'region', 'zone'])),
    ...some(random, 'restart', () => ({ class: 'inference', max: random.int(10) })),
  }
}

function job(random: Random): DataMap {
  const isGang = random.chance(0.5)
  return {
    // Two roles of a hundred replicas each may come on top, and a workload has a largest size.
    ...(isGang && { nodes: 2 + random.int(47) }),
    ...(isGang && some(random, 'topology', () => ({ within: random.pick(['nvlink_domain', 'rack', 'zone']) }))),
    ...some(random, 'checkpoint', () => ({ path: '/ckpt', every: duration(random) })),
    ...some(random, 'max_duration', () => duration(random)),
    ...some(random, 'completions', () => 1 + random.int(1000)),
    ...some(random, 'restart', () => ({ class: random.pick(['inference', 'training']) })),
  }
}

function role(random: Random, kind: string): DataMap {
  return {
    resources: resources(random, 'role'),
    ...some(random, 'replicas', () => replicas(random)),
    ...some(random, 'reserve', () => random.pick<Data>([2, '25%', '12.5%', 0])),
    ...some(random, 'command', () => texts(random)),
    ...some(random, 'env', () => env(random)),
    ...some(random, 'ports', () => ports(random, kind)),
  }
}

/** Whose resources they are. */
type Owner = 'workload' | 'role'

function resources(random: Random, owner: Owner): DataMap {
  return {
    ...some(random, 'cpu', () => random.pick<Data>([1, 16, 0.5, '500m', 192, '2.25'])),
    ...some(random, 'memory', () => memory(random)),
    ...some(random, 'disk', () => memory(random)),
    ...some(random, 'host_arch', () => random.pick<Data>(['amd64', 'arm64', ['amd64', 'arm64']])),
    ...some(random, 'gpu', () => gpu(random, owner)),
  }
}

function gpu(random: Random, owner: Owner): DataMap {
  const isNvidia = random.chance(0.8)
  return {
    ...some(random, 'count', () => 1 + random.int(16)),
    ...some(random, 'min_vram', () => memory(random)),
    ...some(random, 'min_usable_vram', () => memory(random)),
    ...some(random, 'min_bandwidth', () => random.pick(['3TB/s', '900 GB/s', '0.5TB/s', '418.75GB/s'])),
    ...some(random, 'min_tflops', () => random.pick<Data>([{ fp16: 900 }, { fp8: 1500, fp16: 0.5 }, { fp4: 9000 }])),
    ...some(random, 'sharing', () => random.pick(['never', 'mig', 'any'])),
    ...(isNvidia ? nvidia(random, owner) : { vendor: random.pick<Data>(['amd', ['amd', 'intel'], 'google']) }),
  }
}

function nvidia(random: Random, owner: Owner): DataMap {
  const vendor = random.pick<Data>(['nvidia', 'any', ['nvidia']])
  return {
    // A role that says nothing has the vendor of the workload, which may not be this one.
    ...(owner === 'role' ? { vendor } : some(random, 'vendor', () => vendor)),
    ...some(random, 'arch', () => random.pick<Data>(['hopper', ['hopper', 'blackwell'], 'Lovelace'])),
    ...some(random, 'min_compute_capability', () => random.pick<Data>(['9.0', '9', 8.9])),
    ...some(random, 'min_driver', () => random.pick<Data>(['550', 550, '550.54.14'])),
    ...some(random, 'min_cuda', () => random.pick<Data>(['12.4', 12, '12.10'])),
    ...some(random, 'interconnect', () => random.pick(['any', 'pcie', 'nvlink', 'nvswitch'])),
  }
}

function replicas(random: Random): Data {
  if (random.chance(0.5)) return 1 + random.int(100)
  const min = random.int(10)
  const target = random.pick<DataMap>([{ rps: 20 }, { concurrency: 0.5 }, { queue: 8 }])
  return { min, max: min + 1 + random.int(10), ...(random.chance(0.5) && { target }) }
}

function ports(random: Random, kind: string): Data {
  const health: DataMap = kind === 'service' ? { health: '/health' } : {}
  const http = { name: 'http', port: 1 + random.int(60_000), ...health }
  return random.chance(0.5) ? [http] : [http, { name: 'metrics', port: 60_001 + random.int(5000), expose: 'private' }]
}

function storage(random: Random): Data {
  const data = {
    mount: '/models',
    from: random.pick(['s3://acme/models', 'hf://meta/llama', 'https://acme.example/x']),
  }
  return random.chance(0.5)
    ? [data]
    : [
        { ...data, mode: 'ro' },
        { mount: '/scratch', size: memory(random) },
      ]
}

function migration(random: Random): DataMap {
  return {
    ...some(random, 'on', () => random.pick<Data>([[], ['outage'], ['outage', 'drain']])),
    ...some(random, 'price_drop', () => random.pick(['25%', '0.5%', '33.3%', '100%'])),
  }
}

function env(random: Random): DataMap {
  const value = random.pick<Data>([
    'llama',
    '',
    'true',
    true,
    8000,
    1.5,
    'a: b',
    ' x ',
    '# no',
    'ünï',
    'line\nline',
    '0x1F',
    '~',
  ])
  return { MODEL: value, [`V${random.int(9)}`]: 'x' }
}

function texts(random: Random): Data {
  return Array.from({ length: random.int(4) }, () =>
    random.pick<Data>(['serve', '--port', 8000, '-', '*.bin', '', 'null']),
  )
}

function name(random: Random): string {
  return `${random.pick(['a', 'llama', 'x-y', 'w2'])}-${random.int(1000)}`
}

function memory(random: Random): string {
  return `${1 + random.int(2000)}${random.pick(['Gi', 'Mi', 'GB', 'GiB', 'MB'])}`
}

function duration(random: Random): string {
  return random.pick(['30m', '1h30m', '90s', '2d', '1d2h3m4s'])
}
