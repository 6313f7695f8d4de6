import type { KubeObject } from '../objects/object.ts'
import { rayClusterSpec, rayMetadata, type RayOrders } from './cluster.ts'
import { RAY_GROUP } from './kinds.ts'

/** A job as a Ray cluster of its nodes that runs the command once, on the head. */
export function rayJobFor(orders: RayOrders, pods: readonly KubeObject[], version: string): KubeObject {
  const [first] = orders
  const { maxDurationSeconds } = first
  const metadata = rayMetadata(orders, pods)
  return {
    apiVersion: `${RAY_GROUP}/${version}`,
    kind: 'RayJob',
    metadata,
    spec: {
      entrypoint: [...first.command, ...first.args].map(quoted).join(' '),
      // The operator submits it: the other ways need a container of their own, which nobody has counted.
      submissionMode: 'HTTPMode',
      jobId: metadata.name,
      shutdownAfterJobFinishes: true,
      // An attempt runs once: what follows its end Berth decides.
      backoffLimit: 0,
      ...(maxDurationSeconds !== undefined && { activeDeadlineSeconds: Math.ceil(maxDurationSeconds) }),
      rayClusterSpec: rayClusterSpec(orders, pods),
    },
  }
}

/** A word as a shell reads it: Ray gives the entry point to one. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
