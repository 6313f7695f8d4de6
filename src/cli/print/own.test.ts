import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { berth, words, type Ran } from '../harness.suite.ts'

const HARBOR = readFileSync(join(import.meta.dirname, '../../../examples/fleets/harbor.yaml'), 'utf8')

function planned(gpu: string, { fleet = HARBOR, more = '' } = {}): Promise<Ran> {
  const manifest = `berth: v1\nkind: service\nname: w\nimage: a/b:1\nresources: { cpu: 4, memory: 16Gi, gpu: { ${gpu} } }\n${more}`
  return berth(words('plan w.yaml --offers harbor.yaml'), { files: { 'w.yaml': manifest, 'harbor.yaml': fleet } })
}

/** Words on why a replica got its cards, one line a place. */
function whys({ out }: Ran): readonly string[] {
  return out
    .split('\n')
    .flatMap((line) => /^ {2}(?:\w+ )?\d+ {2}\S+ {2,}(.*; (?:leaves|fills).*)$/.exec(line)?.[1] ?? [])
}

/** Harbor without the node of eight A100: of two kinds of A100 only the bridged ones are left. */
const BRIDGED = HARBOR.replaceAll(/^ {2}- name: a100-1\n(?: {4}.*\n)+/gm, '').replaceAll(/.*node: a100-1.*\n/g, '')

describe('why these cards', () => {
  test('a bridged pair is an island next to its network card', async () => {
    const gpu = 'count: 2, arch: ampere, interconnect: nvlink, min_vram: 80Gi'
    expect(whys(await planned(gpu, { fleet: BRIDGED, more: 'replicas: 2\n' }))).toEqual([
      'an island of 2 at 300 GB/s, NUMA node 0, mlx5_0 on the same switch; leaves an island of 2 whole',
      'an island of 2 at 300 GB/s, NUMA node 1, mlx5_1 on the same switch; fills bridge-1',
    ])
  })

  test('cards that lie apart are said to', async () => {
    expect(whys(await planned('count: 4, arch: ampere', { fleet: BRIDGED }))).toEqual([
      'an island of 4 at 16 GB/s, across NUMA nodes 0 and 1, mlx5_0 further away; fills bridge-1',
    ])
  })

  test('one card needs no neighbour', async () => {
    expect(whys(await planned('count: 1, arch: ada'))).toEqual([
      expect.stringMatching(/^a single card, NUMA node \d; /),
    ])
  })

  test('says so when the wiring is unknown', async () => {
    const fleet = `berth: v1
kind: fleet
nodes: [{ name: attic, gpu: { model: RTX A6000, count: 3 }, cpu: 24, memory: 192Gi, host_arch: amd64 }]
`
    expect(whys(await planned('count: 2', { fleet }))).toEqual([
      'wiring unknown, NUMA node unknown; leaves 1 card free',
    ])
  })

  test('many places are cut short unless all are asked for', async () => {
    const ran = await planned('count: 1, min_vram: 40Gi', { more: 'replicas: 12\n' })
    expect(whys(ran)).toHaveLength(8)
    expect(ran.out).toContain('  and 4 more places (--all)')
  })
})

describe('the reserve of a role', () => {
  const role = (reserve: string): string => `roles: { prefill: { replicas: 2, reserve: ${reserve} } }\n`
  const gpu = 'count: 4, arch: ada'

  test('is named with its cards', async () => {
    const { out } = await planned(gpu, { more: role('1') })
    expect(out).toContain('Reserve of prefill: room for 1 more replica is kept free, harbor l40s-')
  })

  test('is kept as far as there is room', async () => {
    const { out, code } = await planned(gpu, { more: role('2') })
    expect(code).toBe(0)
    expect(out).toMatch(
      /Reserve of prefill: room for 1 of 2 more replicas is kept free, harbor l40s-.*; there is none for the rest/,
    )
  })

  test('is reported as impossible', async () => {
    const busy = `${HARBOR}  - { name: late, node: l40s-1, cpu: 1, memory: 1Gi, gpus: 6 }\n`
    const { out } = await planned(gpu, { fleet: busy, more: role('50%') })
    expect(out).toContain('Reserve of prefill: cannot be kept free, no fleet has room for 1 more replica')
  })
})
