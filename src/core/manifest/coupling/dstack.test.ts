import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { answersTo } from './coupling.suite.ts'

/** Keys that say the same, a value, what is wrong with it, and what to write instead. */
const ROWS: readonly (readonly [keys: string, value: string, message: string, hint: string])[] = [
  ['gpu', 'L4', 'This names one card, L4; state what you need from it:', 'gpu: { min_vram: 24Gi, arch: ada }'],
  ['gpu', '2', "This asks for cards in another tool's words; in a manifest, write:", 'gpu: { count: 2 }'],
  ['gpu', '24GB', "This asks for cards in another tool's words; in a manifest, write:", 'gpu: { min_vram: 24Gi }'],
  [
    'gpu',
    '"0.5"',
    "This asks for cards in another tool's words; in a manifest, write:",
    'gpu: { count: 1, sharing: any }',
  ],
  ['gpu', 'any', "This asks for cards in another tool's words; in a manifest, write:", 'gpu: { count: 1 }'],
  [
    'gpu',
    'amd:2',
    "This asks for cards in another tool's words; in a manifest, write:",
    'gpu: { count: 2, vendor: amd }',
  ],
  [
    'gpu',
    'foo-9000:2',
    'This names a card that Berth does not know; state what you need from it:',
    'gpu: { count: 2 }  # and what each card must have: min_vram, arch',
  ],
  [
    'gpu',
    '[foo-9000, bar-1]',
    'This names 2 cards that Berth does not know; state what you need from them:',
    'gpu: { count: 1 }  # and what each card must have: min_vram, arch',
  ],
  [
    'gpu',
    '{ name: L4, count: 2 }',
    'This names one card, L4; state what you need from it:',
    'min_vram: 24Gi\narch: ada',
  ],
  [
    'gpu',
    '{ names: [T4, L4] }',
    'This names 2 cards; what they have in common is:',
    'min_vram: 16Gi\narch: [turing, ada]',
  ],
  [
    'gpu',
    '{ type: H100 SXM, count: 8 }',
    'This names one card, H100 SXM 80 GB; state what you need from it:',
    'min_vram: 80Gi\narch: hopper\ninterconnect: nvswitch',
  ],
  ['gpu', '{ model: L4 }', 'This names one card, L4; state what you need from it:', 'min_vram: 24Gi\narch: ada'],
  ['gpu', '{ product: L4 }', 'This names one card, L4; state what you need from it:', 'min_vram: 24Gi\narch: ada'],
  [
    'gpu',
    '{ ram: 24GB }',
    "This asks for a card's memory in another tool's words; in a manifest, write:",
    'min_vram: 24Gi',
  ],
  [
    'gpu',
    '{ memory: 24 }',
    "This asks for a card's memory in another tool's words; in a manifest, write:",
    'min_vram: 24Gi',
  ],
  [
    'gpu',
    '{ total_memory: 90GB, count: 4 }',
    "This asks for a card's memory in another tool's words; in a manifest, write:",
    'min_vram: 23Gi',
  ],
  [
    'gpu',
    '{ compute_capability: 8.9 }',
    'This asks for a compute capability; in a manifest, write:',
    'min_compute_capability: "8.9"',
  ],
  ['gpu', '{ count: 2+ }', "This asks for cards in another tool's words; in a manifest, write:", 'count: 2'],
  ['cpu', '16+', 'This asks for cpu as a range; in a manifest, write:', 'cpu: 16'],
  ['cpu', 'arm:4..', 'This asks for cpu as a range; in a manifest, write:', 'cpu: 4'],
  ['memory', '1TB..', 'This asks for memory as a range; in a manifest, write:', 'memory: 1024Gi'],
  ['memory', '0.5GB+', 'This asks for memory as a range; in a manifest, write:', 'memory: 0.5Gi'],
  ['disk', '{ size: 100GB.. }', 'This asks for disk as a range; in a manifest, write:', 'disk: 100Gi'],
  [
    'fleet fleets node_pool node_pools node_class node_classes node_group node_groups agent_pool resource_pool compute_pool compute_target reservation reservation_id capacity_reservation_id capacity_reservation',
    'x',
    'This picks one pool of machines.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'instance_path',
    '/x',
    'This uses a folder on one machine; state what you need instead:',
    'storage: [{ mount: /data, size: SIZE }]',
  ],
  [
    'placement',
    'cluster',
    "This asks for one provider's cluster placement; state what you need instead:",
    'topology: { within: rack }',
  ],
]

describe('dstack', () => {
  test.each(ROWS)('%s: %s', (keys, value, message, hint) => {
    for (const key of keys.split(' ')) expect(answers(`${key}: ${value}`)).toEqual([[message, hint]])
  })
})

function answers(text: string): ReturnType<typeof answersTo> {
  const read = readYaml(text, 'x.yaml')
  return 'document' in read ? answersTo(read.document) : []
}
