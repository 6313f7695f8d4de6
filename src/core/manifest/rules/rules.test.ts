import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { brokenRules } from './rules.ts'
import { cpuMs } from '../../base/cpu.suite.ts'

const SERVICE = 'kind: service\nresources: {}\n'
const JOB = 'kind: job\nresources: {}\n'

function broken(text: string): readonly string[] {
  const read = readYaml(text, 'demo.yaml')
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return brokenRules(read.document).map(
    ({ code, place, message }) => `${code} ${place?.line}:${place?.column} ${message}`,
  )
}

describe('rules leave alone what they do not understand', () => {
  test.each([
    'berth:\nresources: []',
    'kind: [service]\nresources: 1\nnodes: 2\nreplicas: 1\n',
    'kind: pod\nresources: {}\nnodes: 2\nreplicas: 1\nspread: x\n',
    `${SERVICE}replicas: [1]\nports: x\nstorage: { a: 1 }\nsecrets: x\nroles: []\nmigration: x\nrestart: training\n`,
    `${SERVICE}replicas: { min: x, max: 1 }\nports: [1, [2], { name: }, { name: }]\nstorage: [x, 1]\n`,
    `${SERVICE}replicas: { min: 3 }\n`,
    `${SERVICE}replicas: { max: 3 }\n`,
    `${SERVICE}secrets: {}\nenv: [A]\n`,
    `${SERVICE}secrets: []\n`,
    `${SERVICE}secrets: [A, ~, [B]]\nenv: { A=: x }\n`,
    `${SERVICE}roles: { a: 1, b: [2], c: }\n`,
  ])('%j', (text) => {
    expect(broken(text)).toEqual([])
  })
})

describe('kinds', () => {
  test('topology is asked for more than one node, whatever the order', () => {
    const message = 'KEY_NEEDS 3:1 `topology` needs more than one node.'
    expect(broken(`${JOB}topology: { within: rack }\n`)).toEqual([message])
    expect(broken(`${JOB}topology: { within: rack }\nnodes: 1\n`)).toEqual([message])
    expect(broken(`${JOB}topology: { within: rack }\nnodes: 2\n`)).toEqual([])
    expect(broken(`${JOB}topology: { within: rack }\nnodes: many\n`)).toEqual([])
  })

  test('a service with topology hears that it is a service, not that it needs nodes', () => {
    expect(broken(`${SERVICE}topology: { within: rack }\n`)).toEqual([
      'KEY_WRONG_KIND 3:1 A service has no `topology`.',
    ])
  })

  test('a framework needs a command, of the workload or of each role', () => {
    const message = 'KEY_NEEDS 3:1 `framework` needs a command.'
    expect(broken(`${JOB}framework: ray\n`)).toEqual([message])
    expect(broken(`${JOB}framework: ray\nroles: { a: { command: [x] }, b: {} }\n`)).toEqual([message])
    expect(broken(`${JOB}framework: ray\ncommand: [x]\n`)).toEqual([])
    expect(broken(`${JOB}framework: ray\ncommand: [x]\nstorage: [{ mount: /d, from: s3://b }]\n`)).toEqual([
      'VALUE_CONFLICT 5:24 Work of a framework cannot have data from object stores yet.',
    ])
    expect(broken(`${JOB}framework: ray\nroles: { a: { command: [x] } }\n`)).toEqual([])
    expect(broken(`${SERVICE}framework: ray\n`)).toEqual([message])
  })

  test('a service with a framework starts Ray Serve by its command', () => {
    const ray = `${SERVICE}framework: ray\n`
    const conflict = 'A service with `framework: ray` starts Ray Serve by its command.'
    expect(broken(`${ray}command: [serve, run, app:main]\n`)).toEqual([])
    expect(broken(`${ray}command: [serve, run]\nargs: [app:main, model=x]\n`)).toEqual([])
    expect(broken(`${ray}command: [python, app.py]\n`)).toEqual([`VALUE_CONFLICT 4:10 ${conflict}`])
    expect(broken(`${ray}command: [serve, run, config.yaml]\n`)).toEqual([`VALUE_CONFLICT 4:10 ${conflict}`])
    expect(broken(`${ray}command: 1\n`)).toEqual([])
    const roles = 'roles: { a: { args: [app:main] }, b: { args: [app.py] } }\n'
    expect(broken(`${ray}command: [serve, run]\n${roles}`)).toEqual([`VALUE_CONFLICT 4:10 ${conflict}`])
    expect(broken(`${SERVICE}command: [python, app.py]\n`)).toEqual([])
  })

  test('a service has nodes only as clusters of a framework', () => {
    const ray = `${SERVICE}framework: ray\ncommand: [serve, run, app:main]\n`
    expect(broken(`${SERVICE}nodes: 2\n`)).toEqual(['KEY_WRONG_KIND 3:1 A service has no `nodes`.'])
    expect(broken(`${ray}nodes: 2\ntopology: { within: rack }\n`)).toEqual([])
    expect(broken(`${ray}topology: { within: rack }\n`)).toEqual(['KEY_NEEDS 5:1 `topology` needs more than one node.'])
    expect(broken(`${ray}max_duration: 1h\n`)).toEqual(['KEY_WRONG_KIND 5:1 A service has no `max_duration`.'])
  })

  test('a job may be of either restart class, a service of one', () => {
    expect(broken(`${JOB}restart: { class: training }\n`)).toEqual([])
    expect(broken(`${JOB}restart: { class: inference }\n`)).toEqual([])
    expect(broken(`${SERVICE}restart: { class: inference }\n`)).toEqual([])
    expect(broken(`${SERVICE}restart: { class: training }\n`)).toEqual([
      'VALUE_CONFLICT 3:19 A service cannot have the restart class training.',
    ])
  })

  test('ports of a job have no health, in roles neither', () => {
    expect(broken(`${JOB}ports: [{ port: 1 }, { health: /x }]\nroles: { a: { ports: [{ health: /y }] } }\n`)).toEqual([
      'KEY_WRONG_KIND 3:24 A job has no `health`.',
      'KEY_WRONG_KIND 4:25 A job has no `health`.',
    ])
    expect(broken(`${SERVICE}ports: [{ health: /x }]\n`)).toEqual([])
  })

  test('only a service with a health path is restarted because of it', () => {
    const sick = 'restart: { on_unhealthy: 2m }\n'
    expect(broken(`${JOB}${sick}`)).toEqual(['KEY_WRONG_KIND 3:12 A job has no `on_unhealthy`.'])
    expect(broken(`${SERVICE}${sick}`)).toEqual([
      'KEY_NEEDS 3:12 `restart.on_unhealthy` needs a port with a health path.',
    ])
    expect(broken(`${SERVICE}${sick}ports: [{ health: /x }]\n`)).toEqual([])
  })
})

describe('resources', () => {
  test('may come from the workload or from each role', () => {
    expect(broken('roles: { a: { resources: {} }, b: { resources: {} } }')).toEqual([])
    expect(broken('resources: {}\nroles: { a: {} }')).toEqual([])
    expect(broken('roles: {}')).toEqual(['KEY_MISSING 1:1 `resources` is missing.'])
    expect(broken('roles:\n  a: {}\n  b: { resources: {} }\n')).toEqual([
      'KEY_MISSING 2:3 `resources` is missing in `a`, and the workload has none that it could inherit.',
    ])
  })
})

describe('sizes', () => {
  const roles = (count: number, replicas: number): string =>
    `roles:\n${Array.from({ length: count }, (_, at) => `  r${at}: { replicas: ${replicas} }\n`).join('')}`

  test('slots are bounded over all roles and machines, in milliseconds', () => {
    expect(broken(`${SERVICE}replicas: 10000\n`)).toEqual([])
    expect(broken(`${SERVICE}${roles(10, 1000)}`)).toEqual([])
    expect(broken(`${SERVICE}${roles(11, 1000)}`)).toEqual([
      'VALUE_RANGE 4:3 This asks for 11000 machines in total; the limit for one workload is 10000.',
    ])
    expect(broken(`${SERVICE}replicas: 6000\nroles: { a: {}, b: {} }\n`)).toHaveLength(1)
    expect(broken(`${SERVICE}roles: { a: { replicas: { min: 0, max: 9999 } }, b: { replicas: 9999 } }\n`)).toEqual([])
    expect(broken(`${JOB}nodes: 1024\nroles: { a: {}, b: { replicas: 9 } }\n`)).toHaveLength(1)
    const poison = `${SERVICE}${roles(1000, 10_000)}`
    const startMs = cpuMs()
    expect(broken(poison)).toEqual(['VALUE_RANGE 4:3 This workload has 1000 roles; the limit is 64.'])
    expect(cpuMs() - startMs).toBeLessThan(1000)
  })

  test('variables are bounded in number and in characters', () => {
    const many = Array.from({ length: 1025 }, (_, at) => `  V${at}: x\n`).join('')
    expect(broken(`${SERVICE}env:\n${many}`)).toHaveLength(1)
    const long = Array.from({ length: 5 }, (_, at) => `    V${at}: ${'x'.repeat(30_000)}\n`).join('')
    expect(broken(`${SERVICE}roles:\n  a:\n   env:\n${long}`)).toEqual([expect.stringContaining('150')])
  })
})

describe('replicas', () => {
  test('min may equal max', () => {
    expect(broken(`${SERVICE}replicas: { min: 2, max: 2 }\n`)).toEqual([])
    expect(broken(`${SERVICE}replicas: { min: 3, max: 2 }\n`)).toEqual([
      'VALUE_CONFLICT 3:18 min is 3, but max is only 2.',
    ])
  })

  test('a target has one measure', () => {
    const message = 'A target must have exactly one of rps, concurrency and queue.'
    expect(broken(`${SERVICE}replicas: { target: { rps: 1 } }\n`)).toEqual([])
    expect(broken(`${SERVICE}replicas: { target: {} }\n`)).toEqual([`VALUE_CONFLICT 3:21 ${message}`])
    expect(broken(`${SERVICE}replicas: { target: { rps: 1, queue: 1 } }\n`)).toEqual([`VALUE_CONFLICT 3:21 ${message}`])
  })
})

describe('lists', () => {
  test('entries that share a name, number or mount are reported with the first', () => {
    expect(
      broken(`${SERVICE}ports:\n  - { name: a, port: 1 }\n  - { name: a, port: 2 }\n  - { name: a, port: 1 }\n`),
    ).toEqual([
      'KEY_REPEATED 5:13 The same name is already used on line 4.',
      'KEY_REPEATED 6:13 The same name is already used on line 4.',
      'KEY_REPEATED 6:22 The same port is already used on line 4.',
    ])
    expect(broken(`${SERVICE}storage: [{ mount: /a, size: 1 }, { mount: /a, size: 1 }]\n`)).toEqual([
      'KEY_REPEATED 3:44 The same mount is already used on line 3.',
    ])
    expect(broken(`${SERVICE}secrets: [A, B, A]\n`)).toEqual([
      'KEY_REPEATED 3:17 The same name is already used on line 3.',
    ])
  })

  test('a volume needs data or a size', () => {
    expect(broken(`${SERVICE}storage: [{ from: x }, { size: x }, {}]\n`)).toEqual([
      'KEY_MISSING 3:37 A volume needs `from` or `size`.',
    ])
  })
})

describe('migration', () => {
  test.each(['0%', '0.0%', '00 %'])('a drop of %s is no drop', (drop) => {
    expect(broken(`${SERVICE}migration: { price_drop: ${drop} }\n`)).toEqual([
      'VALUE_RANGE 3:26 The saving must be more than 0%.',
    ])
  })

  test.each(['0.1%', '10%', '100%', '0', 'x0%'])('a drop of %s is left to the schema', (drop) => {
    expect(broken(`${SERVICE}migration: { on: [price_drop], price_drop: ${drop} }\n`)).toEqual([])
  })

  test('on a price drop needs an amount', () => {
    expect(broken(`${SERVICE}migration: { on: [outage, price_drop] }\n`)).toEqual([
      'KEY_NEEDS 3:18 `on: price_drop` needs the size of the drop.',
    ])
    expect(broken(`${SERVICE}migration: { on: [outage] }\n`)).toEqual([])
  })
})

describe('secrets', () => {
  const value = 'A manifest must not contain the value of a secret.'

  test('stand there by name only', () => {
    expect(broken(`${SERVICE}secrets: [A, B=x, { C: y }]\n`)).toEqual([
      `SECRET_VALUE 3:14 ${value}`,
      `SECRET_VALUE 3:19 ${value}`,
    ])
    expect(broken(`${SERVICE}secrets: { A: x }\n`)).toEqual([`SECRET_VALUE 3:10 ${value}`])
  })

  test.each(['https://u:p@h/x', 's3://key:secret@bucket', 'https://:p@h', 'https://u:@h'])(
    'do not hide in %s',
    (from) => {
      expect(broken(`${SERVICE}storage: [{ from: "${from}" }]\n`)).toEqual([
        'SECRET_VALUE 3:19 This address contains a password.',
      ])
    },
  )

  test.each(['https://h:8080/a@b', 'https://u@h/x', 's3://bucket/a:b@c', 'x https://u:p@h'])(
    'are not suspected in %s',
    (from) => {
      expect(broken(`${SERVICE}storage: [{ from: "${from}" }]\n`)).toEqual([])
    },
  )

  test('are not set a second time', () => {
    expect(broken(`${SERVICE}secrets: [A, A2]\nenv: { A: x, B: y }\nroles: { r: { env: { A2: z } } }\n`)).toEqual([
      'VALUE_CONFLICT 4:8 `A` is also listed under secrets, which sets it too.',
      'VALUE_CONFLICT 5:22 `A2` is also listed under secrets, which sets it too.',
    ])
  })
})

describe('GPUs', () => {
  function gpu(text: string): readonly string[] {
    return broken(`kind: service\nresources: { gpu: ${text} }\n`)
  }

  test.each([
    '{ vendor: amd, arch: cdna3 }',
    '{ vendor: any, arch: hopper, min_cuda: 12 }',
    '{ vendor: [amd, nvidia], arch: [hopper, cdna3], min_driver: 550 }',
    '{ vendor: nvida, arch: hopper, min_cuda: 12 }',
    '{ vendor: amd, arch: voodoo }',
    '{ arch: voodoo, min_cuda: 12 }',
    '{ min_cuda: 12, interconnect: nvlink }',
    '{ vendor: amd, interconnect: pcie }',
    '{ vendor: amd, interconnect: any, sharing: mig, min_vram: 80Gi }',
  ])('%s contradicts nothing', (text) => {
    expect(gpu(text)).toEqual([])
  })

  test('an architecture has its vendor', () => {
    expect(gpu('{ vendor: amd, arch: hopper }')).toEqual([
      'VALUE_CONFLICT 2:40 This architecture is made by nvidia, but `vendor` is amd.',
    ])
    expect(gpu('{ vendor: [amd, intel], arch: [cdna3, tpu] }')).toEqual([
      'VALUE_CONFLICT 2:49 This architecture is made by google, but `vendor` is amd, intel.',
    ])
  })

  test('a role is asked for what it and the workload say together', () => {
    const roles = (role: string) =>
      broken(`kind: service\nresources: { gpu: { vendor: amd } }\nroles: { a: { resources: { gpu: ${role} } } }\n`)
    const message = 'Only NVIDIA GPUs have this, but the manifest asks for amd.'
    expect(roles('{ min_cuda: 12 }')).toEqual([`VALUE_CONFLICT 3:45 ${message}`])
    expect(roles('{ min_cuda: 12, vendor: nvidia }')).toEqual([])
    expect(roles('{ min_cuda: 12, arch: hopper }')).toEqual([])
    expect(roles('{ min_cuda: 12, vendor: any }')).toEqual([])
    expect(roles('{ count: 2 }')).toEqual([])
  })

  test.each([
    'min_compute_capability: 9.0',
    'min_driver: 550',
    'min_cuda: 12',
    'interconnect: nvlink',
    'interconnect: nvswitch',
  ])('only nvidia has %s', (requirement) => {
    const message = 'Only NVIDIA GPUs have this, but the manifest asks for amd.'
    expect(gpu(`{ ${requirement}, vendor: amd }`)).toEqual([
      `VALUE_CONFLICT 2:${23 + requirement.indexOf(':')} ${message}`,
    ])
    expect(gpu(`{ ${requirement}, arch: cdna3 }`)).toEqual([
      `VALUE_CONFLICT 2:${23 + requirement.indexOf(':')} ${message}`,
    ])
    expect(gpu(`{ ${requirement} }`)).toEqual([])
  })
})
