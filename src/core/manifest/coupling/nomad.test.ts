import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { answersTo } from './coupling.suite.ts'

/** Keys that say the same, a value, what is wrong with it, and what to write instead. */
const ROWS: readonly (readonly [keys: string, value: string, message: string, hint: string])[] = [
  [
    'device devices',
    '{ gpu: { count: 2 } }',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 2 }',
  ],
  [
    'device',
    '{ nvidia/gpu/L4: {} }',
    'This names one card, L4; state what you need from it:',
    'gpu: { count: 1, min_vram: 24Gi, arch: ada }',
  ],
  [
    'constraint constraints affinity affinities',
    '{ attribute: "${meta.rack}", value: r1 }',
    "This picks one cluster's pool of nodes.",
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'constraint',
    '{ attribute: "${attr.platform.gce.machine-type}", value: g2-standard-4 }',
    "This names one provider's machine. It is 1 × L4, 4 CPUs, 16 GiB; state what you need from it:",
    'gpu: { count: 1, min_vram: 24Gi, arch: ada }',
  ],
  [
    'constraint',
    '{ attribute: "${attr.platform.aws.placement.availability-zone}", value: eu-west-1a }',
    "This names one provider's zone; the platform decides this in a policy:",
    'policy: NAME  # one in berth.config.yaml with residency: [eu]',
  ],
  [
    'constraint',
    '{ attribute: "${node.region}", value: "eu-west-1, us-east-1" }',
    'This names 2 regions; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with residency: [eu, us]',
  ],
  [
    'constraint',
    '{ attribute: "${device.model}", value: "T4,L4", operator: set_contains_any }',
    'This names 2 cards; what they have in common is:',
    'gpu: { min_vram: 16Gi, arch: [turing, ada] }',
  ],
  [
    'constraint',
    '{ attribute: "${device.model}", value: T4, operator: "!=" }',
    'This rules machines out by a label.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'constraint',
    '{ attribute: "${device.vendor}", value: nvidia }',
    "This asks for a machine with cards in a cluster's words; state what you need from it:",
    'gpu: { count: 1 }',
  ],
  [
    'constraint',
    '{ attribute: "${device.attr.driver_version}", operator: ">", value: "550" }',
    "This asks for a driver in a cluster's words; in a manifest, write:",
    'gpu: { min_driver: "551" }',
  ],
  [
    'constraint',
    '{ attribute: "${device.attr.memory}", operator: ">=", value: "40960 MiB" }',
    "This asks for a card's memory in a cluster's words; in a manifest, write:",
    'gpu: { min_vram: 40Gi }',
  ],
  [
    'constraint',
    '{ attribute: "${attr.cpu.arch}", value: arm64 }',
    "This asks for an instruction set in a cluster's words; in a manifest, write:",
    'host_arch: arm64',
  ],
  [
    'spread spreads',
    '[{ attribute: x }]',
    "This spreads copies over one cluster's nodes or zones; state what you need instead:",
    'spread: zone',
  ],
]

describe('Nomad', () => {
  test.each(ROWS)('%s: %s', (keys, value, message, hint) => {
    for (const key of keys.split(' ')) expect(answers(`${key}: ${value}`)).toEqual([[message, hint]])
  })
})

function answers(text: string): ReturnType<typeof answersTo> {
  const read = readYaml(text, 'x.yaml')
  return 'document' in read ? answersTo(read.document) : []
}
