import { describe, expect, test } from 'vitest'
import { readYaml } from '../../../formats/yaml/yaml.ts'
import { answersTo } from './coupling.suite.ts'

const COUNT_4 = "This asks for cards in another tool's words; in a manifest, write:"
const HOSTS = 'This pins the work to single machines.'
const QUEUE = "This names one cluster's queue; the platform decides which work goes first:"

/** Keys that say the same, a value, what is wrong with it, and what to write instead. */
const ROWS: readonly (readonly [keys: string, value: string, message: string, hint: string])[] = [
  ['gres', 'gpu', "This counts cards in another tool's words; in a manifest, write:", 'gpu: { count: 1 }'],
  ['gres', 'gpu:2', "This asks for cards in another tool's words; in a manifest, write:", 'gpu: { count: 2 }'],
  ['gres', 'shard:2', 'This asks for part of a card; in a manifest, write:', 'gpu: { sharing: any }'],
  ['gres', 'mps:50', 'This asks for part of a card; in a manifest, write:', 'gpu: { sharing: any }'],
  [
    'partition',
    'x',
    "This picks one cluster's pool of nodes.",
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'nodelist',
    'n1',
    'This pins the work to single machines.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'qos',
    'x',
    "This names one cluster's queue; the platform decides which work goes first:",
    'policy: NAME  # one that the platform team maintains for this kind of work',
  ],
  [
    'constraint',
    'h100|a100',
    'This names 2 cards; what they have in common is:',
    'gpu: { min_vram: 40Gi, arch: [hopper, ampere] }',
  ],
  [
    'constraint',
    'ampere',
    "This names an architecture in a cluster's words; in a manifest, write:",
    'gpu: { arch: ampere }',
  ],
  [
    'gpus_per_node gpus_per_task',
    'l4:2',
    'This names one card, L4; state what you need from it:',
    'gpu: { count: 2, min_vram: 24Gi, arch: ada }',
  ],
  [
    'sbatch sbatch_args sbatch_options sbatch_flags srun srun_args slurm slurm_args slurm_options slurm_flags',
    '-p x',
    "This picks one cluster's pool of nodes.",
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'sbatch',
    '--exclude=n1',
    'This pins the work to single machines.',
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
  [
    'sbatch',
    '--reservation=x',
    "This picks one cluster's pool of nodes.",
    'Remove it, and state under resources what the machine must have: cpu, memory, disk, gpu.',
  ],
]

describe('Slurm', () => {
  test.each(ROWS)('%s: %s', (keys, value, message, hint) => {
    for (const key of keys.split(' ')) expect(answers(`${key}: ${value}`)).toEqual([[message, hint]])
  })
})

describe('options as they are typed', () => {
  test.each([
    ['-G 4 -w n1', [COUNT_4, HOSTS]],
    ['-G4', [COUNT_4]],
    ['--gpus=4', [COUNT_4]],
    ['--gpus 4', [COUNT_4]],
    ['--gpus="4"', [COUNT_4]],
    ["--gpus='4'", [COUNT_4]],
    ['--time=4 --nodes 2 -N 2 -J x', []],
    ['x--gpus=4', []],
    ['--gpus --time=3', []],
    ['--gres=license:1', []],
    ['-x n1 -q high -C a100', [HOSTS, QUEUE, 'This names a card that exists in 2 kinds; state which one you need:']],
  ])('%s', (text, messages) => {
    const read = answers(`sbatch: ${JSON.stringify(text)}`)
    expect(read.map(([message]) => message)).toEqual(messages)
  })

  test('a script is read line by line, and only its #SBATCH lines', () => {
    const read = answers('run: |\n  #SBATCH -G 4\n  # SBATCH -p x\n  sbatch -p x\n  #SBATCH --qos=a')
    expect(read.map(([message]) => message)).toEqual([COUNT_4, QUEUE])
    expect(answers('run: "#SBATCH -G 4\\nsrun x"').map(([message]) => message)).toEqual([COUNT_4])
  })
})

function answers(text: string): ReturnType<typeof answersTo> {
  const read = readYaml(text, 'x.yaml')
  return 'document' in read ? answersTo(read.document) : []
}
