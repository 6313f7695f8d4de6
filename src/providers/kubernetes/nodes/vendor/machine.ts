import { knownMachine, type KnownMachine } from '../../../../core/hardware/instances.ts'
import type { NodeObject } from '../object/node-object.ts'

/** A machine that a cloud sells, as a label of the node names it. */
export interface NamedMachine extends KnownMachine {
  readonly named: string
}

/** What the hardware table knows about the node's instance type; undefined: nothing, or it may mean several machines. */
export function machineOf({ labels }: NodeObject): NamedMachine | undefined {
  for (const label of LABELS) {
    const named = labels.get(label)
    const [machine, ...others] = named === undefined ? [] : knownMachine(named)
    if (named !== undefined && machine !== undefined && others.length === 0) return { ...machine, named }
  }
  return undefined
}

/** How many cards a cloud or its autoscaler says that it gave the machine; undefined: no label says so. */
export function soldCards({ labels }: NodeObject): number | undefined {
  const [count, ...others] = new Set(COUNTS.flatMap((label) => labels.get(label) ?? []))
  return count !== undefined && others.length === 0 && /^[1-9]\d?$/.test(count) ? Number(count) : undefined
}

const COUNTS = [
  'karpenter.k8s.aws/instance-gpu-count',
  'eks.amazonaws.com/instance-gpu-count',
  'karpenter.azure.com/sku-gpu-count',
  'cloud.google.com/gke-accelerator-count',
  'gpu.nvidia.com/count',
  'aliyun.accelerator/nvidia_count',
]

/** On some clouds the machine itself tells its type, which feature discovery copies. */
const LABELS = ['node.kubernetes.io/instance-type', 'beta.kubernetes.io/instance-type', 'nvidia.com/gpu.machine']
