import { describe, expect, test } from 'vitest'
import { knownMachine, soldAs } from './instances.ts'
import { GPUS } from './table.ts'

const told = (name: string) =>
  knownMachine(name).map(({ provider, gpu, count, slice }) =>
    [provider, count ?? '?', gpu.id, ...(slice === undefined ? [] : [`${slice.kind} ${slice.gib}`])].join(' '),
  )

const ids = (provider: string, name: string) => soldAs(provider, name).map(({ gpu }) => gpu.id)

describe('a bare machine name determines its cards', () => {
  test.each([
    ['p2.xlarge', 'aws 1 k80'],
    ['p3.16xlarge', 'aws 8 v100-16-sxm'],
    ['p3dn.24xlarge', 'aws 8 v100-32-sxm'],
    ['p4d.24xlarge', 'aws 8 a100-40-sxm'],
    ['p4de.24xlarge', 'aws 8 a100-80-sxm'],
    ['p5.48xlarge', 'aws 8 h100-sxm'],
    ['p5.4xlarge', 'aws 1 h100-sxm'],
    ['p5en.48xlarge', 'aws 8 h200-sxm'],
    ['p6-b200.48xlarge', 'aws 8 b200-sxm'],
    ['p6-b300.48xlarge', 'aws 8 b300-sxm'],
    ['g4dn.metal', 'aws 8 t4'],
    ['g4ad.8xlarge', 'aws 2 radeon-pro-v520'],
    ['g5.12xlarge', 'aws 4 a10g'],
    ['g5g.16xlarge', 'aws 2 t4g'],
    ['g6.48xlarge', 'aws 8 l4'],
    ['g6e.24xlarge', 'aws 4 l40s'],
    ['gr6.4xlarge', 'aws 1 l4'],
    ['g7.24xlarge', 'aws 4 rtx-pro-4500-server'],
    ['g7e.2xlarge', 'aws 1 rtx-pro-6000-server'],
    ['inf1.24xlarge', 'aws 16 inferentia'],
    ['inf2.48xlarge', 'aws 12 inferentia2'],
    ['trn1.32xlarge', 'aws 16 trainium'],
    ['trn2.48xlarge', 'aws 16 trainium2'],
    ['dl2q.24xlarge', 'aws 8 qualcomm-ai100'],
    ['Standard_NC24rs_v3', 'azure 4 v100-16-pcie'],
    ['Standard_ND40rs_v2', 'azure 8 v100-32-sxm'],
    ['Standard_NC40ads_H100_v5', 'azure 1 h100-nvl'],
    ['Standard_NC80adis_H100_v5', 'azure 2 h100-nvl'],
    ['standard_nd96isr_h100_v5', 'azure 8 h100-sxm'],
    ['Standard_ND96isr_H200_v5', 'azure 8 h200-sxm'],
    ['Standard_NV12', 'azure 2 m60'],
    ['Standard_NV12s_v3', 'azure 1 m60'],
    ['a2-highgpu-8g', 'gcp 8 a100-40-sxm'],
    ['a2-megagpu-16g', 'gcp 16 a100-40-sxm'],
    ['a2-ultragpu-1g', 'gcp 1 a100-80-sxm'],
    ['a3-megagpu-8g', 'gcp 8 h100-sxm'],
    ['a3-ultragpu-8g', 'gcp 8 h200-sxm'],
    ['a4-highgpu-8g', 'gcp 8 b200-sxm'],
    ['g2-standard-24', 'gcp 2 l4'],
    ['g4-standard-48', 'gcp 1 rtx-pro-6000-server'],
    ['ct5p-hightpu-4t', 'gcp 4 tpu-v5p'],
    ['VM.GPU3.2', 'oci 2 v100-16-sxm'],
    ['BM.GPU.H100.8', 'oci 8 h100-sxm'],
    ['BM.GPU.A100-v2.8', 'oci 8 a100-80-sxm'],
    ['gpu_1x_a100', 'lambda 1 a100-40-pcie'],
    ['gpu_1x_a100_sxm4', 'lambda 1 a100-40-sxm'],
    ['gpu_8x_a100', 'lambda 8 a100-40-sxm'],
    ['gpu_8x_h100_sxm5', 'lambda 8 h100-sxm'],
    ['gpu_1x_gh200', 'lambda 1 gh200-96'],
    ['gpu-rtx6000_8gpu-192vcpu-1744gb', 'nebius 8 rtx-pro-6000-server'],
    ['n3-H100x8-NVLink', 'hyperstack 8 h100-pcie'],
    [' GPU+ ', 'paperspace 1 m4000'],
  ])('%s: %s', (name, machine) => {
    expect(told(name)).toEqual([machine])
  })

  test.each([
    ['g6f.large', 'aws 1 l4 share 3'],
    ['g6f.2xlarge', 'aws 1 l4 share 6'],
    ['gr6f.4xlarge', 'aws 1 l4 share 12'],
    ['Standard_NV4as_v4', 'azure 1 mi25 share 2'],
    ['Standard_NV32as_v4', 'azure 1 mi25'],
    ['Standard_NV6ads_A10_v5', 'azure 1 a10 share 4'],
    ['g4-standard-6', 'gcp 1 rtx-pro-6000-server share 12'],
  ])('%s is a part of a card: %s', (name, machine) => {
    expect(told(name)).toEqual([machine])
  })

  test.each([
    ['t1-le-90', 'ovhcloud 2 v100-16'],
    ['gx2-8x64x1v100', 'ibm 1 v100-16'],
    ['VM.GPU2.1', 'oci 1 p100-16'],
  ])('%s is known by its family: %s', (name, machine) => {
    expect(told(name)).toEqual([machine])
  })

  test.each([
    '',
    't3.large',
    'p4d.24xlargex',
    'xp4d.24xlarge',
    'p4dx24xlarge',
    'Standard_D4s_v5',
    'n3-A100x',
    '*',
    'gcp',
  ])('"%s" is no machine with cards that we know of', (name) => {
    expect(told(name)).toEqual([])
  })

  test.each(['H100', 'V100', 'A4000', 'P4000', 'A100-80G', 'nvidia-tesla-a100'])(
    '%s is a card, even if a provider sells a machine of that name',
    (name) => {
      expect(told(name)).toEqual([])
    },
  )
})

describe('what a provider is known to sell under a name', () => {
  test('one machine', () => {
    expect(soldAs('AWS ', ' P4D.24xlarge')).toEqual([
      { gpu: GPUS.find(({ id }) => id === 'a100-40-sxm'), count: 8, slice: undefined, general: false },
    ])
    expect(ids('gcp', 'nvidia-tesla-a100')).toEqual(['a100-40-sxm'])
  })

  test('everything it has of a card, when nothing more special is known', () => {
    expect(soldAs('gcp', '').every(({ general, count }) => general && count === undefined)).toBe(true)
    expect(ids('gcp', '')).toEqual([
      'a100-40-sxm',
      'a100-80-sxm',
      'h100-sxm',
      'h200-sxm',
      'p100-pcie-16',
      'rtx-pro-6000-server',
      'v100-16-sxm',
    ])
    expect(ids('gcp', 'a2-ultragpu-1g')).toEqual(['a100-80-sxm'])
  })

  test('nothing, at a provider or under a name we do not know', () => {
    expect(ids('nobody', 'p4d.24xlarge')).toEqual([])
    expect(ids('azure', 'p4d.24xlarge')).toEqual([])
  })

  test('a dot and a plus are just that', () => {
    expect(ids('aws', 'p4dx24xlarge')).toEqual([])
    expect(ids('paperspace', 'GPUU')).toEqual([])
  })

  test('no two rows claim one machine, unless they are one family', () => {
    const rows = GPUS.flatMap((gpu) => gpu.soldAs.map((pattern) => [pattern, gpu.family] as const))
    const special = rows.filter(([pattern]) => !pattern.endsWith(':*'))
    for (const [pattern, family] of special) {
      const [provider = '', name = ''] = pattern.replace(/=[\d/]+$/, '').split(/:(.*)/s)
      const found = soldAs(provider, name.replaceAll('#', '8').replaceAll('*', 'any'))
      expect(new Set(found.map(({ gpu }) => gpu.family))).toEqual(new Set([family]))
    }
  })
})
