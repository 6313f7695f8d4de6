import { claimedDevices } from './dra/claimed.ts'
import { devicesByNode } from './dra/slice-devices.ts'
import type { ClusterObjects } from './object/cluster-objects.ts'
import { readNodeObject, type NodeObject } from './object/node-object.ts'
import { textAt } from './object/json.ts'
import { readPodObject, type PodObject } from './object/pod-object.ts'
import { readNode, type NodeReading } from './read-node.ts'

/** A node with everything that was read about it. */
export interface ReadNode {
  readonly object: NodeObject
  readonly reading: NodeReading
  /** Pods that hold something of it; empty where pods were not given. */
  readonly pods: readonly PodObject[]
}

/** An object that is no readable node. */
export interface UnreadNode {
  readonly name: string | undefined
  readonly why: string
}

export interface ReadCluster {
  readonly nodes: readonly ReadNode[]
  readonly unread: readonly UnreadNode[]
}

/** Reads every node of a cluster, in the order in which they were given. One that is broken stops no other. */
export function readCluster({ nodes, pods, slices, claims }: ClusterObjects): ReadCluster {
  const running = pods?.flatMap((pod) => readPodObject(pod) ?? [])
  const byNode = running && Map.groupBy(running, ({ node }) => node)
  const published = devicesByNode(slices ?? [])
  const claimed = claims && claimedDevices(claims)
  const partly = isPartly(pods ?? []) ? [PARTLY] : []
  const read: ReadNode[] = []
  const unread: UnreadNode[] = []
  for (const value of nodes) {
    const object = readNodeObject(value)
    if (typeof object === 'string') {
      unread.push({ name: textAt(value, 'metadata', 'name'), why: object })
      continue
    }
    const own = byNode && (byNode.get(object.name) ?? [])
    const around = { pods: own, published: published.get(object.name), use: { claimed } }
    const reading = readNode(object, around)
    const isDoubted = reading.free !== undefined && reading.free > 0
    read.push({
      object,
      reading: isDoubted ? { ...reading, why: [...reading.why, ...partly] } : reading,
      pods: own ?? [],
    })
  }
  return { nodes: read, unread }
}

const PARTLY = 'Only pods of the namespace default were given; others may hold more (kubectl get … -A).'

/** Without -A, kubectl lists one namespace. */
function isPartly(pods: readonly unknown[]): boolean {
  return pods.length > 0 && pods.every((pod) => textAt(pod, 'metadata', 'namespace') === 'default')
}
