import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { answersTo } from './coupling.suite.ts'

/** Keys that say the same, a value, what is wrong with it, and what to write instead. */
const ROWS: readonly (readonly [keys: string, value: string, message: string, hint: string])[] = [
  [
    'cloud_type security hosting_type',
    'COMMUNITY',
    'This chooses whose machines one provider uses; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with trust: [community]',
  ],
  [
    'cloud_type',
    'secure_cloud',
    'This chooses whose machines one provider uses; the platform decides this in a policy:',
    'policy: NAME  # one in berth.config.yaml with trust: [secure]',
  ],
  [
    'min_single_card_vcpu min_vcpu_per_gpu vcpus_per_gpu cpu_per_gpu cpus_per_gpu',
    '4',
    "This asks for CPUs for each card in another tool's words; in a manifest, write:",
    'cpu: 4',
  ],
  [
    'min_single_card_ram_in_gb min_ram_per_gpu memory_per_gpu ram_per_gpu mem_per_gpu',
    '16',
    "This asks for memory for each card in another tool's words; in a manifest, write:",
    'memory: 16Gi',
  ],
  [
    'memory_per_gpu',
    '16GB',
    "This asks for memory for each card in another tool's words; in a manifest, write:",
    'memory: 16Gi',
  ],
  [
    'container_disk_in_gb container_volume_in_gb container_disk_size_gb',
    '50',
    "This asks for disk in another tool's words; in a manifest, write:",
    'disk: 50Gi',
  ],
  [
    'volume_in_gb persistent_volume_in_gb',
    '50',
    "This asks for storage in another tool's words; in a manifest, write:",
    'storage: [{ mount: /data, size: 50Gi }]',
  ],
  [
    'network_volume_id network_volume volume_id volume_ids',
    '[v-1]',
    "This uses one provider's volume; state what you need instead:",
    'storage: [{ mount: /data, from: s3://BUCKET/PATH }]',
  ],
  [
    'template_id template_name machine_id cloud_id offer_id data_center_priority gpu_type_priority shade_cloud container_registry_auth_id launch_template launch_template_id',
    'x',
    'This is an ID that only one provider knows.',
    'Remove it. State what the machine must have under resources, and what it runs under image.',
  ],
  [
    'launch_template',
    '{ id: x }',
    'This is an ID that only one provider knows.',
    'Remove it. State what the machine must have under resources, and what it runs under image.',
  ],
  [
    'preset',
    '16vcpu-64gb',
    "This names one provider's size of machine; state what you need instead:",
    'cpu: 16\nmemory: 64Gi',
  ],
  [
    'platform',
    'gpu-l40s-a',
    'This names one card, L40S; state what you need from it:',
    'gpu: { min_vram: 48Gi, arch: ada }',
  ],
]

describe('container and machine APIs', () => {
  test.each(ROWS)('%s: %s', (keys, value, message, hint) => {
    for (const key of keys.split(' ')) expect(answers(`${key}: ${value}`)).toEqual([[message, hint]])
  })
})

function answers(text: string): ReturnType<typeof answersTo> {
  const read = readYaml(text, 'x.yaml')
  return 'document' in read ? answersTo(read.document) : []
}
