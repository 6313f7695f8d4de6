import type { Order } from '../../../core/life/call/order.ts'
import { labelsOf, LABELS, nameOf } from '../names.ts'
import { listAt, mapAt } from '../nodes/object/json.ts'
import type { KubeObject } from '../objects/object.ts'
import { writeMembers } from './members.ts'

/** The group of KubeRay, and what stands for a job there. */
export const RAY_JOBS = { group: 'ray.io', resource: 'rayjobs' } as const

/** What Ray listens on. KubeRay adds these ports only where a container states none at all. */
const PORTS = { 'gcs-server': 6379, dashboard: 8265, client: 10_001 } as const
export const DASHBOARD = 'dashboard'

/**
 * A job as a Ray cluster of its nodes that runs the command once: the first node is the head, every other one a group of its own, so that
 * each is where it was placed. The pods are those that Berth would have made itself, less what Ray does in their stead.
 */
export function rayJobFor(
  orders: readonly [Order, ...Order[]],
  pods: readonly KubeObject[],
  version: string,
): KubeObject {
  const [first] = orders
  const [head, ...workers] = pods
  const { maxDurationSeconds } = first
  const { [LABELS.attempt]: _attempt, 'berth.dev/slot': _slot, ...labels } = labelsOf(first.tag)
  return {
    apiVersion: `${RAY_JOBS.group}/${version}`,
    kind: 'RayJob',
    metadata: {
      name: nameOf(first.tag.attempt),
      ...(head?.metadata.namespace !== undefined && { namespace: head.metadata.namespace }),
      labels,
      annotations: writeMembers(orders),
    },
    spec: {
      entrypoint: [...first.command, ...first.args].map(quoted).join(' '),
      // The operator submits it: the other ways need a container of their own, which nobody has counted.
      submissionMode: 'HTTPMode',
      jobId: nameOf(first.tag.attempt),
      shutdownAfterJobFinishes: true,
      // An attempt runs once: what follows its end Berth decides.
      backoffLimit: 0,
      ...(maxDurationSeconds !== undefined && { activeDeadlineSeconds: Math.ceil(maxDurationSeconds) }),
      rayClusterSpec: {
        headGroupSpec: { rayStartParams: startOf(first), template: templateOf(head, PORTS) },
        workerGroupSpecs: workers.map((pod, index) => ({
          groupName: `r${index + 1}`,
          replicas: 1,
          minReplicas: 1,
          maxReplicas: 1,
          rayStartParams: startOf(orders[index + 1] ?? first),
          template: templateOf(pod, {}),
        })),
      },
    },
  }
}

/** KubeRay counts cards by the resource that a container asks for, and does not know slices and devices. */
function startOf({ gpus }: Order): Readonly<Record<string, string>> {
  return { 'num-gpus': `${gpus}` }
}

/** A pod without its name, its end, and what Ray starts in the container. */
function templateOf(pod: KubeObject | undefined, ports: Readonly<Record<string, number>>): object {
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

function isTaken(port: unknown, ports: Readonly<Record<string, number>>): boolean {
  return Object.values(ports).some((taken) => taken === mapAt(port)['containerPort'])
}

/** A word as a shell reads it: Ray gives the entry point to one. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
