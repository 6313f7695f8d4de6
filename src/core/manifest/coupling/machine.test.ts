import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { looksLikeMachine, machineSize } from './machine.ts'

describe('machineSize', () => {
  test.each([
    ['m5.medium', 1, 4],
    ['m5.large', 2, 8],
    ['c5.xlarge', 4, 8],
    ['r5.2xlarge', 8, 64],
    ['p4d.24xlarge', 96, 1152],
    [' P4D.24xlarge ', 96, 1152],
    ['c7i-flex.large', 2, 4],
    ['p5.4xlarge', 16, 256],
    ['n1-standard-8', 8, 30],
    ['n1-highcpu-10', 10, 9],
    ['e2-highmem-4', 4, 32],
    ['a2-highgpu-8g', 96, 680],
    ['Standard_ND96asr_v4', 96, 900],
    ['BM.GPU.H100.8', 224, 2048],
    ['gpu_8x_h100_sxm5', 208, 1800],
  ])('%s has %d CPUs and %d GiB', (name, cpu, memoryGib) => expect(machineSize(name)).toEqual({ cpu, memoryGib }))

  test.each([
    'm5',
    'm5.',
    'm5.8',
    'm5.metal',
    'm5.xxlarge',
    'zz9.large',
    'n1-standard-x',
    'n1-standard-',
    'm5-large-4',
    '',
  ])('%s is not known', (name) => expect(machineSize(name)).toBeUndefined())
})

describe('looksLikeMachine', () => {
  test.each([
    'm5.large',
    'p6-b200.48xlarge',
    'c7i-flex.xlarge',
    'i4i.metal',
    'm7i.metal-24xl',
    't3.nano',
    'a2-highgpu-8g',
    'n2-standard-4',
    'c3d-standard-8-lssd',
    'Standard_D8s_v5',
    'Basic_A0',
    'VM.GPU.A10.1',
    'BM.Standard.E5.192',
    'gpu_1x_a10',
    `${'a'.repeat(57)}1.large`,
  ])('%s can only be a machine', (name) => expect(looksLikeMachine(name)).toBe(true))

  test.each([
    '',
    'large',
    'm5',
    'service.large',
    'm5.large.x',
    'xm5.larger',
    '500Gi',
    'standard',
    'standard_',
    'my-standard-4',
    'n2-standard-4-x',
    'VM.disk',
    'gpu_x_a10',
    'my_gpu_1x_a10',
    `${'a'.repeat(58)}1.large`,
  ])('%s may be anything', (name) => expect(looksLikeMachine(name)).toBe(false))
})

const CATALOG = path.join(process.env['BERTH_DATA'] ?? '../shared/data', 'catalog')

describe.skipIf(!existsSync(CATALOG))('the catalogues', () => {
  test.each(['aws', 'gcp', 'azure', 'oci', 'lambda'])('agree with every machine of %s that we know', (provider) => {
    const [head = '', ...rows] = readFileSync(path.join(CATALOG, provider, 'vms.csv'), 'utf8')
      .trim()
      .split('\n')
    const columns = head.split(',')
    const at = (row: string, name: string): string => row.split(',')[columns.indexOf(name)] ?? ''
    const sizes = new Map(
      rows.map((row) => [at(row, 'InstanceType'), [at(row, 'vCPUs'), at(row, 'MemoryGiB')] as const]),
    )
    const known = [...sizes].flatMap(([name, size]) => {
      const ours = machineSize(name)
      return ours === undefined || size.includes('') ? [] : [{ name, ours, theirs: sizeOf(size) }]
    })
    expect(known.length).toBeGreaterThan(4)
    for (const { ours, theirs } of known) {
      expect(ours.cpu).toBe(theirs.cpu)
      expect(ours.memoryGib).toBeCloseTo(theirs.memoryGib, 1)
    }
  })
})

function sizeOf([cpu, memory]: readonly [string, string]): { cpu: number; memoryGib: number } {
  return { cpu: Number(cpu), memoryGib: Number(memory) }
}
