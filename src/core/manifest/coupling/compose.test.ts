import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { answersTo } from './coupling.suite.ts'

/** Keys that say the same, a value, what is wrong with it, and what to write instead. */
const ROWS: readonly (readonly [keys: string, value: string, message: string, hint: string])[] = [
  [
    'devices',
    '[/dev/nvidia0:/dev/nvidia0, /dev/nvidia1, /dev/nvidiactl]',
    'This pins cards of one machine; state how many you need:',
    'gpu: { count: 2 }',
  ],
  ['devices', '[/dev/nvidiactl]', 'This pins cards of one machine; state how many you need:', 'gpu: { count: 1 }'],
  [
    'devices',
    '[{ driver: amd }]',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 1, vendor: amd }',
  ],
  [
    'devices',
    '[{ capabilities: [gpu], count: all }]',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 1 }',
  ],
  [
    'runtime',
    'nvidia',
    "This names one machine's container runtime.",
    'Remove it. A workload that asks for a gpu gets the right runtime.',
  ],
  [
    'discrete_resource_spec named_resource_spec',
    '{ kind: NVIDIA-GPU, value: 2 }',
    "This counts cards in another tool's words; in a manifest, write:",
    'gpu: { count: 2 }',
  ],
  [
    'constraints',
    '[node.hostname == n1]',
    'This pins the work to single machines.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'constraints',
    '[node.hostname != n1]',
    'This rules machines out by a label.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'constraints',
    '[engine.labels.zone == a]',
    'This picks nodes by a label of one cluster.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
]

describe('compose', () => {
  test.each(ROWS)('%s: %s', (keys, value, message, hint) => {
    for (const key of keys.split(' ')) expect(answers(`${key}: ${value}`)).toEqual([[message, hint]])
  })
})

function answers(text: string): ReturnType<typeof answersTo> {
  const read = readYaml(text, 'x.yaml')
  return 'document' in read ? answersTo(read.document) : []
}
