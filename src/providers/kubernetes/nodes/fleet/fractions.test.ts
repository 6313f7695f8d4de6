import { describe, expect, test } from 'vitest'
import { packingOf } from '../../../../core/pack/owned/room.ts'
import { fleetOf, type ClusterFleet } from '../fleet.ts'
import { node, pod } from '../make.suite.ts'

const GPU = 'nvidia.com/gpu'
const H100 = { 'nvidia.com/gpu.product': 'NVIDIA-H100-80GB-HBM3', 'nvidia.com/gpu.count': '2' }
const NODE = node({ labels: H100, has: { [GPU]: 2 } })

/** A pod that has parts of the cards of these groups. */
function part(name: string, fraction: string | undefined, ...groups: readonly string[]): unknown {
  const { metadata, ...rest } = pod({}, { name })
  const [only] = groups
  const several = Object.fromEntries(groups.map((group) => [`runai-gpu-group/${group}`, group]))
  const labels = groups.length > 1 ? several : only === undefined ? {} : { 'runai-gpu-group': only }
  const annotations = fraction === undefined ? {} : { 'gpu-fraction': fraction }
  // Proven: what a pod is made of is an object.
  return { ...rest, metadata: { ...(metadata as object), labels, annotations } }
}

/** The pod by which KAI keeps a card. */
function reservation(group: string): unknown {
  const { metadata, ...rest } = pod({ [GPU]: 1 }, { name: `kept-${group}`, namespace: 'kai-resource-reservation' })
  // Proven: see above.
  return { ...rest, metadata: { ...(metadata as object), labels: { 'runai-gpu-group': group } } }
}

function made(pods: readonly unknown[], isDivisible = true): ClusterFleet {
  const read = fleetOf({ provider: 'lab', region: 'hall', nodes: [NODE], pods, nowMs: 0, isDivisible })
  expect(() => packingOf(read.fleet)).not.toThrow()
  return read
}

function free({ offers }: ClusterFleet): readonly string[] {
  return offers
    .filter(({ stock }) => stock?.level === 'available')
    .map(({ gpu }) => (gpu?.slice === undefined ? `${gpu?.count} whole` : `${gpu.slice.kind} of ${gpu.slice.gib} GiB`))
}

describe('cards that KAI gives out in parts', () => {
  test('are offered whole and in parts', () => {
    expect(free(made([]))).toEqual(['2 whole', 'share of 80 GiB'])
    expect(made([]).asks.get('n')).toMatchObject({ whole: GPU, isDivisible: true })
    expect(free(made([], false))).toEqual(['2 whole'])
  })

  test('are shared by the pods of a group, and the pod that keeps the card counts for nothing', () => {
    const read = made([reservation('g'), part('a', '0.5', 'g'), part('b', '0.25', 'g')])
    expect(read.fleet.tenants.map(({ name, spot }) => [name, spot.cards, spot.taken])).toEqual([
      ['team/a', [0], { kind: 'share', milli: 500 }],
      ['team/b', [0], { kind: 'share', milli: 250 }],
    ])
    expect(free(read)).toEqual(['1 whole', 'share of 80 GiB'])
  })

  test('are different for different groups, and for each group of one pod', () => {
    const read = made([reservation('g'), reservation('h'), part('a', '0.5', 'g', 'h')])
    expect(read.fleet.tenants.map(({ spot }) => spot.cards)).toEqual([[0], [1]])
    expect(free(read)).toEqual(['share of 40 GiB'])
  })

  test('are taken whole by a pod that does not say how much it has', () => {
    expect(free(made([reservation('g'), part('a', undefined, 'g')]))).toEqual(['1 whole', 'share of 80 GiB'])
  })

  test('are held by the pod that keeps them until another is there', () => {
    expect(free(made([reservation('g')]))).toEqual(['1 whole', 'share of 80 GiB'])
  })

  test('are taken whole where parts are not used', () => {
    expect(free(made([reservation('g'), part('a', '0.5', 'g')], false))).toEqual(['1 whole'])
  })
})
