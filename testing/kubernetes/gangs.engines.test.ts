import { beforeAll, describe, expect, test } from 'vitest'
import { nameOf } from '../../src/providers/kubernetes/names.ts'
import { wholeCardNodes } from '../engines/fakes/nodes.ts'
import { addNodes } from '../engines/fakes/pods.ts'
import { useRig } from '../engines/rig.suite.ts'
import { gangOrders, OK, Tried } from './gangs.suite.ts'

const GATES = '--feature-gates=GenericWorkload=true,GangScheduling=true'

/** A member for each of these nodes. */
function gangOn(...nodes: readonly string[]) {
  return gangOrders(nodes.length).map((order, rank) => {
    const id = nodes[rank] ?? ''
    const { node } = order.place
    return { ...order, place: { ...order.place, instance: id, ...(node && { node: { ...node, id } }) } }
  })
}

describe('a cluster without a batch scheduler', () => {
  const rig = useRig({ name: 'gangs' }, async ({ api }) => {
    await addNodes(api, wholeCardNodes(4, { perRack: 2 }))
  })
  let lab: Tried
  let loose: Tried
  beforeAll(async () => {
    lab = await Tried.on(rig())
    loose = await Tried.on(rig(), { pick: 'cluster' })
  })

  test('a gang of which one member has no place holds nothing', async () => {
    const other = gangOn('gpu-001')
    expect(await lab.launch(other)).toEqual(OK)
    await lab.up(other)
    const pair = gangOn('gpu-000', 'gpu-001')
    expect(await lab.launch(pair)).toMatchObject({ ok: false, fault: { class: 'SOLD_OUT' } })
    await lab.stop(pair)
    expect((await lab.listed(pair)).every((state) => state === 'ended')).toBe(true)
  })

  test('a gang for which there is room starts as a whole', async () => {
    const pair = gangOn('gpu-002', 'gpu-003')
    expect(await lab.launch(pair)).toEqual(OK)
    await lab.up(pair)
    expect((await lab.racks(pair)).size).toBe(1)
    await lab.stop(pair)
  })

  test('a gang whose nodes the cluster picks stays in the rack that Berth chose', async () => {
    const pair = gangOn('gpu-002', 'gpu-003')
    expect(await loose.launch(pair)).toEqual(OK)
    await loose.up(pair)
    expect(await loose.racks(pair)).toEqual(new Set(['rack-01']))
  })

  test('a gang that the rack cannot hold is refused, and holds nothing', async () => {
    const trio = gangOn('gpu-000', 'gpu-001', 'gpu-000')
    expect(await loose.launch(trio)).toMatchObject({ ok: false, fault: { class: 'SOLD_OUT' } })
    await loose.stop(trio)
    expect(await loose.listed(trio)).toEqual(['ended', 'ended', 'ended'])
  })
})

describe('a cluster that serves gangs itself', () => {
  const flags = {
    'kube-apiserver': [GATES, '--runtime-config=scheduling.k8s.io/v1alpha2=true'],
    'kube-scheduler': [GATES],
    'kube-controller-manager': [GATES],
  }
  const rig = useRig({ name: 'native', flags }, async ({ api }) => {
    await addNodes(api, wholeCardNodes(4, { perRack: 2 }))
  })
  const GROUPS = '/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups'
  let lab: Tried
  beforeAll(async () => {
    lab = await Tried.on(rig(), { pick: 'cluster' })
  })

  test('a gang of two starts as a whole, inside one rack', async () => {
    const pair = gangOn('gpu-000', 'gpu-001')
    expect(await lab.launch(pair)).toEqual(OK)
    await lab.up(pair)
    expect((await lab.racks(pair)).size).toBe(1)
    const group = await rig().api.get(`${GROUPS}/${nameOf(pair[0]?.tag.attempt ?? '')}`)
    expect(group).toMatchObject({ spec: { schedulingPolicy: { gang: { minCount: 2 } } } })
  })

  test('a gang that no rack can hold is never bound in part, and is refused', async () => {
    const trio = gangOn('gpu-002', 'gpu-003', 'gpu-002')
    expect(await lab.launch(trio)).toMatchObject({ ok: false, fault: { created: 'no' } })
    expect(await lab.nodes(trio)).toEqual([])
    // Kubernetes lets go of a group only after its pods, whose names stay taken for a while.
    const group = await rig().api.get(`${GROUPS}/${nameOf(trio[0]?.tag.attempt ?? '')}`)
    expect(group.metadata['deletionTimestamp']).toBeDefined()
  })
})
