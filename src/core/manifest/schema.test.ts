import { describe, expect, test } from 'vitest'
import { BASE, codesIn, CPU, manifestOf } from './manifests.suite.ts'

describe('limits', () => {
  test.each([
    ['resources: { gpu: { count: 1 } }', 'resources: { gpu: { count: 0 } }'],
    ['resources: { gpu: { count: 1024 } }', 'resources: { gpu: { count: 1025 } }'],
    ['replicas: 1', 'replicas: 0'],
    ['replicas: 10000', 'replicas: 10001'],
    ['replicas: { min: 0, max: 1 }', 'replicas: { min: -1, max: 1 }'],
    ['replicas: { min: 0, max: 1 }', 'replicas: { min: 0, max: 0 }'],
    ['replicas: { min: 10000, max: 10000 }', 'replicas: { min: 1, max: 10001 }'],
    ['replicas: { min: 1, max: 2, target: { rps: 0.1 } }', 'replicas: { min: 1, max: 2, target: { rps: 0 } }'],
    ['replicas: { min: 1, max: 2, target: { queue: 1e9 } }', 'replicas: { min: 1, max: 2, target: { queue: 1e10 } }'],
    ['ports: [{ name: a, port: 1 }]', 'ports: [{ name: a, port: 0 }]'],
    ['ports: [{ name: a, port: 65535 }]', 'ports: [{ name: a, port: 65536 }]'],
    ['restart: { class: inference, max: 0 }', 'restart: { class: inference, max: -1 }'],
    ['restart: { class: inference, max: 10000 }', 'restart: { class: inference, max: 10001 }'],
    [`policy: ${'a'.repeat(63)}`, `policy: ${'a'.repeat(64)}`],
    [`env: { ${'A'.repeat(256)}: x }`, `env: { ${'A'.repeat(257)}: x }`],
    [`env: { A: ${'x'.repeat(32_768)} }`, `env: { A: ${'x'.repeat(32_769)} }`],
    [`args: [${'x,'.repeat(1024)}]`, `args: [${'x,'.repeat(1025)}]`],
    [
      `ports: [{ name: a, port: 1, health: /${'x'.repeat(1023)} }]`,
      `ports: [{ name: a, port: 1, health: /${'x'.repeat(1024)} }]`,
    ],
    [`storage: [{ mount: /${'x'.repeat(1023)}, size: 1Gi }]`, `storage: [{ mount: /${'x'.repeat(1024)}, size: 1Gi }]`],
  ])('%#: one value is allowed and the next is not', (good, bad) => {
    expect(codesIn(`${BASE}resources: {}\n${good}\n`.replace(/resources: \{\}\n(?=resources)/, ''))).toEqual([])
    expect(codesIn(`${BASE}resources: {}\n${bad}\n`.replace(/resources: \{\}\n(?=resources)/, ''))).not.toEqual([])
  })

  test.each([
    ['nodes: 1024', 'nodes: 1025'],
    ['nodes: 1', 'nodes: 0'],
    ['completions: 1', 'completions: 0'],
    ['completions: 1000000', 'completions: 1000001'],
  ])('of a job: %s', (good, bad) => {
    expect(codesIn(`${BASE}${CPU}${good}\n`.replace('service', 'job'))).toEqual([])
    expect(codesIn(`${BASE}${CPU}${bad}\n`.replace('service', 'job'))).toEqual([
      'VALUE_RANGE 6:' + (bad.indexOf(':') + 3),
    ])
  })
})

describe('forms', () => {
  test.each(['a', 'a1', 'llama-70b', 'a--b'])('name %s is fine', (name) => {
    expect(manifestOf(`${BASE}${CPU}`.replace('demo', name)).name).toBe(name)
  })

  test.each(['1a', '-a', 'a-', 'A', 'a_b', 'a.b', 'a b', '""', 'é'])('name %s is not', (name) => {
    expect(codesIn(`${BASE}${CPU}`.replace('demo', name))).toEqual(['VALUE_INVALID 3:7'])
  })

  test.each([
    'python',
    'python:3.12',
    'acme/app',
    'ghcr.io/acme/app:1.2',
    'localhost:5000/a/b/c:latest',
    `a@sha256:${'0'.repeat(64)}`,
    `registry.example.com/a_b/c.d--e:V1_x.y-z@sha256:${'f'.repeat(64)}`,
  ])('image %s is fine', (image) => {
    expect(manifestOf(`${BASE}${CPU}`.replace('acme/app:1', image)).image).toBe(image)
  })

  test.each([
    'https://ghcr.io/a',
    'A/B',
    'a b',
    'a:',
    'a:b:c',
    '/a',
    'a/',
    'a@sha256:12',
    `a@md5:${'0'.repeat(64)}`,
    'a//b',
    'a..-b-',
    `a:${'t'.repeat(129)}`,
  ])('image %s is not', (image) => {
    expect(codesIn(`${BASE}${CPU}`.replace('acme/app:1', `"${image}"`))).toEqual(['VALUE_INVALID 4:8'])
  })

  test.each(['s3://b/p', 'gs://b', 'az://c/p', 'r2://b', 'oci://b', 'hf://a/b', 'https://x.example/y?z'])(
    'data may come from %s',
    (from) => {
      expect(manifestOf(`${BASE}${CPU}storage: [{ mount: /m, from: "${from}" }]\n`).storage[0]?.from).toBe(from)
    },
  )

  test.each(['http://x', 'ftp://x', 's3:/x', 's3://', 's3:///x', '/local', 's3://a b', 'S3://b', 'xs3://b'])(
    'data may not come from %s',
    (from) => {
      expect(codesIn(`${BASE}${CPU}storage: [{ mount: /m, from: "${from}" }]\n`)).toEqual(['VALUE_INVALID 6:30'])
    },
  )

  test.each(['/', '/a', '/a/b.c', '/a/..b', '/...'])('%s is a path', (mount) => {
    expect(manifestOf(`${BASE}${CPU}storage: [{ mount: "${mount}", size: 1Gi }]\n`).storage[0]?.mount).toBe(mount)
  })

  test.each(['a', './a', '../a', '/..', '/a/..', '/a/../b', ''])('%j is not a path', (mount) => {
    expect(codesIn(`${BASE}${CPU}storage: [{ mount: "${mount}", size: 1Gi }]\n`)).toEqual(['VALUE_INVALID 6:20'])
  })

  test.each([
    ['min_compute_capability', ['9.0', '9', '12.1'], ['sm_90', '9.00', '123', '-1', '9.']],
    ['min_driver', ['550', '550.54', '550.54.14'], ['550.', 'v550', '550.54.14.1', '12345', 'latest']],
    ['min_cuda', ['12', '12.4', '12.4.1'], ['12.', 'cuda12', '']],
  ])('%s', (key, good, bad) => {
    for (const text of good) expect(codesIn(`${BASE}resources: { gpu: { ${key}: "${text}" } }\n`)).toEqual([])
    for (const text of bad)
      expect(codesIn(`${BASE}resources: { gpu: { ${key}: "${text}" } }\n`)).toEqual([
        `VALUE_INVALID 5:${24 + key.length - 1}`,
      ])
  })

  test.each(['/health', '/', '/a?b=c'])('health path %s is fine', (health) => {
    expect(codesIn(`${BASE}${CPU}ports: [{ name: a, port: 1, health: "${health}" }]\n`)).toEqual([])
  })

  test.each(['health', '/a b', ''])('health path %j is not', (health) => {
    expect(codesIn(`${BASE}${CPU}ports: [{ name: a, port: 1, health: "${health}" }]\n`)).toEqual(['VALUE_INVALID 6:37'])
  })

  test.each(['A', '_a', 'a1', 'MY_VAR'])('variable %s is fine', (name) => {
    expect(codesIn(`${BASE}${CPU}env: { ${name}: x }\nsecrets: [${name}x]\n`)).toEqual([])
  })

  test.each(['1a', 'A-B', 'A.B', '""'])('variable %s is not', (name) => {
    expect(codesIn(`${BASE}${CPU}env: { ${name}: x }\n`)).toEqual(['VALUE_INVALID 6:8'])
    expect(codesIn(`${BASE}${CPU}secrets: [${name}]\n`)).toEqual(['VALUE_INVALID 6:11'])
  })

  test('lists of choices are neither empty nor endless', () => {
    expect(codesIn(`${BASE}resources: { host_arch: [], gpu: { arch: [], vendor: [] } }\n`)).toEqual([
      'VALUE_RANGE 5:25',
      'VALUE_RANGE 5:42',
      'VALUE_RANGE 5:54',
    ])
    expect(codesIn(`${BASE}resources: { gpu: { arch: [${'ada,'.repeat(65)}] } }\n`)).toEqual(['VALUE_RANGE 5:27'])
  })

  test.each(['0', '3', '9999', '0%', '100%', '12.5%'])('reserve %s is fine', (reserve) => {
    expect(codesIn(`${BASE}${CPU}roles: { a: { reserve: ${reserve} } }\n`)).toEqual([])
  })

  test.each(['-1', '10000', '1.5', '101%', 'x'])('reserve %s is not', (reserve) => {
    expect(codesIn(`${BASE}${CPU}roles: { a: { reserve: ${reserve} } }\n`)).toHaveLength(1)
  })
})
