import type { Order } from '../../../core/life/call/order.ts'
import { groundOf } from '../objects/ground.ts'
import type { KubeObject } from '../objects/object.ts'
import { NODES, orderOn, settingsOf } from '../objects/orders.suite.ts'
import { podFor } from '../objects/pod.ts'
import type { RayOrders } from './cluster.ts'

const HOSTS = ['r0.gang-1.berth.svc.cluster.local', 'r1.gang-1.berth.svc.cluster.local']

/** Two nodes with eight cards each. */
export function rayPair(change: Partial<Order>): RayOrders {
  const member = (rank: number): Order => {
    const order = orderOn(NODES.whole, { gpus: 8, nodes: 2, meeting: { hosts: HOSTS, port: 29_500 } })
    const tag = { ...order.tag, slot: `0.${rank}`, attempt: `ray-attempt-${rank}` }
    return { ...order, args: [], ...change, tag }
  }
  return [member(0), member(1)]
}

/** The pods that Berth would have made of them. */
export function rayPods(orders: RayOrders): readonly KubeObject[] {
  return orders.map((order) => {
    const ground = groundOf(order, NODES.whole)
    if ('class' in ground) throw new Error(ground.message)
    return podFor(order, ground, { settings: settingsOf({}), namespace: 'berth' })
  })
}
