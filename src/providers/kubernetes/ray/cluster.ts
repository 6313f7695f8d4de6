import type { Order } from '../../../core/life/call/order.ts'
import { labelsOf, LABELS, nameOf } from '../names.ts'
import { listAt, mapAt } from '../nodes/object/json.ts'
import type { KubeObject, ObjectMeta } from '../objects/object.ts'
import { writeMembers } from './members.ts'

/** Orders that are one Ray cluster, by rank: the first is its head. */
export type RayOrders = readonly [Order, ...Order[]]

/** Ports of containers, by name. */
export type RayPorts = Readonly<Record<string, number>>

/** What Ray listens on. KubeRay adds these ports only where a container states none at all. */
const PORTS = { 'gcs-server': 6379, dashboard: 8265, client: 10_001 } as const
export const DASHBOARD = 'dashboard'

/** An object of KubeRay has the name of the attempt of its head, and says which attempts its nodes are. */
export function rayMetadata(orders: RayOrders, [head]: readonly KubeObject[]): ObjectMeta {
  const [{ tag }] = orders
  const { [LABELS.attempt]: _attempt, 'berth.dev/slot': _slot, ...labels } = labelsOf(tag)
  return {
    name: nameOf(tag.attempt),
    ...(head?.metadata.namespace !== undefined && { namespace: head.metadata.namespace }),
    labels,
    annotations: writeMembers(orders),
  }
}

/**
 * A Ray cluster: the first node is the head, every other one a group of its own, so that each is where it was placed. The pods are those that
 * Berth would have made itself, less what Ray does in their stead. `more` are ports of every container.
 */
export function rayClusterSpec(orders: RayOrders, pods: readonly KubeObject[], more: RayPorts = {}): object {
  const [first] = orders
  const [head, ...workers] = pods
  return {
    headGroupSpec: { rayStartParams: startOf(first), template: templateOf(head, { ...PORTS, ...more }) },
    workerGroupSpecs: workers.map((pod, index) => ({
      groupName: `r${index + 1}`,
      replicas: 1,
      minReplicas: 1,
      maxReplicas: 1,
      rayStartParams: startOf(orders[index + 1] ?? first),
      template: templateOf(pod, more),
    })),
  }
}

/** KubeRay counts cards by the resource that a container asks for, and does not know slices and devices. */
function startOf({ gpus }: Order): Readonly<Record<string, string>> {
  return { 'num-gpus': `${gpus}` }
}

/** A pod without its name, its end, and what Ray starts in the container. */
function templateOf(pod: KubeObject | undefined, ports: RayPorts): object {
  const { labels, annotations } = mapAt(pod, 'metadata')
  const { restartPolicy: _restart, activeDeadlineSeconds: _deadline, containers: _own, ...spec } = mapAt(pod, 'spec')
  const more = Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort, protocol: 'TCP' }))
  const containers = listAt(pod, 'spec', 'containers').map((container) => {
    const { command: _command, args: _args, readinessProbe: _probe, ...rest } = mapAt(container)
    const all = [...listAt(container, 'ports').filter((port) => !isTaken(port, ports)), ...more]
    return { ...rest, ...(all.length > 0 && { ports: all }) }
  })
  return { metadata: { labels, annotations }, spec: { ...spec, containers } }
}

function isTaken(port: unknown, ports: RayPorts): boolean {
  const { name, containerPort } = mapAt(port)
  return Object.entries(ports).some(([taken, number]) => taken === name || number === containerPort)
}
