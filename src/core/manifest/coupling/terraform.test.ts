import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { answersTo } from './coupling.suite.ts'

/** Keys that say the same, a value, what is wrong with it, and what to write instead. */
const ROWS: readonly (readonly [keys: string, value: string, message: string, hint: string])[] = [
  [
    'guest_accelerator guest_accelerators accelerator_config',
    '{ type: zones/z/acceleratorTypes/nvidia-l4 }',
    'This names one card, L4; state what you need from it:',
    'gpu: { count: 1, min_vram: 24Gi, arch: ada }',
  ],
  [
    'placement_group placement_group_name resource_policies cluster_placement_group compute_cluster_id',
    'x',
    "This asks for one provider's placement group; state what you need instead:",
    'topology: { within: rack }',
  ],
  [
    'subnet_id subnet_ids subnetwork subnetworks vpc_id vpc security_group_ids vpc_security_group_ids security_groups network_interface network_interface_ids',
    'x',
    "This names one provider's network.",
    'Remove it. A service gets a stable address for its ports wherever it runs.',
  ],
  [
    'iam_instance_profile iam_role service_account_email instance_profile key_name',
    'x',
    'This names an identity at one provider; list credentials as secrets, by name:',
    'secrets: [NAME]',
  ],
]

describe('Terraform', () => {
  test.each(ROWS)('%s: %s', (keys, value, message, hint) => {
    for (const key of keys.split(' ')) expect(answers(`${key}: ${value}`)).toEqual([[message, hint]])
  })
})

function answers(text: string): ReturnType<typeof answersTo> {
  const read = readYaml(text, 'x.yaml')
  return 'document' in read ? answersTo(read.document) : []
}
