import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { answersTo } from './coupling.suite.ts'

/** Keys that say the same, a value, what is wrong with it, and what to write instead. */
const ROWS: readonly (readonly [keys: string, value: string, message: string, hint: string])[] = [
  [
    'accelerators',
    'L4:2',
    'This names one card, L4; state what you need from it:',
    'gpu: { count: 2, min_vram: 24Gi, arch: ada }',
  ],
  [
    'accelerators',
    '{ L4: }',
    'This names one card, L4; state what you need from it:',
    'gpu: { min_vram: 24Gi, arch: ada }',
  ],
  [
    'accelerator_args',
    '{ x: 1 }',
    "This sets up one provider's accelerators.",
    'Remove it. The chosen provider sets up its own machines.',
  ],
  ['cpus vcpus num_cpus vcpu', '0.5', "This asks for CPUs in another tool's words; in a manifest, write:", 'cpu: 0.5'],
  ['cpus', '4..8', "This asks for CPUs in another tool's words; in a manifest, write:", 'cpu: 4'],
  [
    'disk_size disk_size_gb boot_disk_size boot_disk_size_gb local_disk',
    '100',
    "This asks for disk in another tool's words; in a manifest, write:",
    'disk: 100Gi',
  ],
  ['disk_size', '1TB', "This asks for disk in another tool's words; in a manifest, write:", 'disk: 1024Gi'],
  ['local_disk', 'nvme:300+', "This asks for disk in another tool's words; in a manifest, write:", 'disk: 300Gi'],
  [
    'disk_tier disk_type volume_type boot_disk_type',
    'best',
    "This names one provider's kind of disk; state what you need instead:",
    'disk: SIZE',
  ],
  [
    'network_tier',
    'best',
    "This asks for a provider's best network; state what you need instead:",
    'topology: { within: rack }',
  ],
  [
    'image_id ami ami_id machine_image source_image boot_image vm_image source_machine_image',
    'ami-1',
    "This names one provider's machine image; state what you need instead:",
    'image: REGISTRY/NAME:TAG',
  ],
  [
    'image_id',
    '{ us-east-1: ami-1 }',
    "This names one provider's machine image; state what you need instead:",
    'image: REGISTRY/NAME:TAG',
  ],
  [
    'image_id',
    'docker:a/b:1',
    "This asks for a container in another tool's words; in a manifest, write:",
    'image: a/b:1',
  ],
  [
    'infra',
    'k8s/my-context',
    'This names one place to run; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with providers: { allow: [my-context] }',
  ],
  [
    'infra',
    '"*/eu-west-1"',
    'This names one place to run; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with residency: [eu]',
  ],
  [
    'infra',
    '[aws, gcp/us-central1]',
    'This names 2 places to run; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with providers: { allow: [aws, gcp] }',
  ],
  [
    'any_of ordered',
    '[{ infra: aws }, { cloud: gcp, region: us-central1 }]',
    'This offers a choice of 2; what they have in common is:',
    'policy: NAME  # one in berth.config.yaml with providers: { allow: [aws, gcp] }',
  ],
  [
    'any_of',
    '[{ cloud: aws, use_spot: false }, { use_spot: false }]',
    'This offers a choice of 2; what they have in common is:',
    'policy: NAME  # one in berth.config.yaml with spot: never',
  ],
  ['num_nodes', '3', "This asks for machines in another tool's words; in a manifest, write:", 'nodes: 3'],
  [
    'job_recovery spot_recovery',
    '{ strategy: x }',
    'This sets how one tool moves work between regions; in a manifest, write:',
    'migration: { on: [outage] }',
  ],
  [
    'dynamic_ondemand_fallback base_ondemand_fallback_replicas spot_placer',
    '1',
    'This sets the terms on which machines are rented; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with spot: allowed',
  ],
  [
    'store',
    's3',
    "This names one provider's object store; in a manifest, write:",
    'storage: [{ mount: /data, from: s3://BUCKET }]',
  ],
  [
    'store',
    'azure',
    "This names one provider's object store; in a manifest, write:",
    'storage: [{ mount: /data, from: az://BUCKET }]',
  ],
]

describe('SkyPilot', () => {
  test.each(ROWS)('%s: %s', (keys, value, message, hint) => {
    for (const key of keys.split(' ')) expect(answers(`${key}: ${value}`)).toEqual([[message, hint]])
  })
})

describe('a choice', () => {
  test('in which only some ask for cards is answered item by item', () => {
    const read = answers('any_of: [{ accelerators: L4 }, { cpus: 4 }]')
    expect(read.map(([, hint]) => hint)).toEqual(['gpu: { min_vram: 24Gi, arch: ada }', 'cpu: 4'])
  })

  test.each([
    ['[{ use_spot: true }, { use_spot: true }]', 'spot: only'],
    ['[{ use_spot: true }, { use_spot: false }]', 'spot: allowed'],
    ['[{ use_spot: true }, { cpus: 1 }]', 'spot: allowed'],
    ['[{ infra: k8s }, { infra: ssh/pool }]', 'providers: { allow: [kubernetes, pool] }'],
    ['[{ infra: aws/ }, { cloud: aws }]', 'providers: { allow: [aws] }'],
    ['[{ region: eu-west-1 }, { infra: "*/eu-north-1" }]', 'residency: [eu]'],
  ])('of %s', (items, says) => {
    expect(answers(`any_of: ${items}`)[0]?.[1]).toBe(`policy: NAME  # one in berth.config.yaml with ${says}`)
  })

  test('of nothing that ties is none', () => {
    expect(answers('any_of: []')).toEqual([])
    expect(answers('any_of: [a, b]')).toEqual([])
    expect(answers('any_of: { infra: x }').map(([message]) => message)).toEqual([
      'This names one place to run; the platform decides this in a policy:',
    ])
  })
})

function answers(text: string): ReturnType<typeof answersTo> {
  const read = readYaml(text, 'x.yaml')
  return 'document' in read ? answersTo(read.document) : []
}
