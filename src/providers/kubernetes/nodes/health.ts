import type { NodeObject, NodeTaint } from './object/node-object.ts'

/** Whether a node takes new work at all, whatever its accelerators. Undefined: the object does not say. */
export interface NodeHealth {
  readonly usable: boolean | undefined
  /** Nothing can run there now: it is not ready, or about to go. */
  readonly isDown: boolean
  readonly why: readonly string[]
}

export function healthOf(node: NodeObject): NodeHealth {
  const down = [...downBy(node)]
  const closed = [...closedBy(node)]
  if (down.length + closed.length > 0) return { usable: false, isDown: down.length > 0, why: [...down, ...closed] }
  if (!node.conditions.has('Ready'))
    return {
      usable: undefined,
      isDown: false,
      why: ['status.conditions has no Ready, so whether it works is unknown.'],
    }
  if (node.hasUnreadTaints)
    return {
      usable: undefined,
      isDown: false,
      why: ['spec.taints cannot be read, so whether it takes pods is unknown.'],
    }
  return { usable: true, isDown: false, why: notesOn(node) }
}

/** What a taint means to us. */
export type TaintKind =
  /** Keeps other work away from accelerators: our pods tolerate it. */
  | 'accelerator'
  /** Set and removed by controllers while something is wrong. */
  | 'trouble'
  | 'control-plane'
  /** Only a preference. */
  | 'soft'
  /** For somebody in particular: only the owner can say whether we may. */
  | 'foreign'

export function taintKind({ key, value, effect }: NodeTaint): TaintKind {
  if (TROUBLE.test(key) || TROUBLE_WORDS.test(key) || TROUBLE_WORDS.test(value ?? ''))
    return effect === 'PreferNoSchedule' ? 'soft' : 'trouble'
  if (effect === 'PreferNoSchedule') return 'soft'
  if (CONTROL_PLANE.test(key)) return 'control-plane'
  if (ACCELERATOR.test(key) || ACCELERATOR.test(value ?? '')) return 'accelerator'
  return 'foreign'
}

const TROUBLE =
  /^node\.(alpha\.)?kubernetes\.io\/(not-?ready|unreachable|unschedulable|(memory|disk|pid)-pressure|network-unavailable|out-of-)|^node\.cloudprovider\.kubernetes\.io\/|ByClusterAutoscaler$|^karpenter\.sh\/(disrupt|unregistered)|not-ready$|^cloud\.google\.com\/impending|^aws-node-termination-handler|uninitialized$|unhealthy|remediation|quarantine|draining$/i

/** What operators call a taint that they set while a node or its cards are out of order, or its value. */
const TROUBLE_WORDS =
  /(^|[./_-])(broken|errors?|fault|faulty|failed|failing|failure|unhealthy|degraded|xid|maintenance|drain|draining|unschedulable|terminating|decommission(ed|ing)?)(?!-toleran)([./_-]|$)/i
const CONTROL_PLANE = /^node-role\.kubernetes\.io\/(control-plane|master|etcd|controlplane)$/
const ACCELERATOR = /(^|[./_-])(gpus?|nvidia|amd|tpu|neuron|habana|gaudi|ascend|accelerators?|dcu|mlu|npu)([./_-]|$)/i

function* downBy({ conditions, deleting, taints }: NodeObject): Iterable<string> {
  const ready = conditions.get('Ready')
  if (ready !== undefined && ready !== 'True') yield `It is not ready: condition Ready is ${ready}.`
  if (deleting) yield 'It is being deleted (metadata.deletionTimestamp).'
  for (const taint of taints) {
    if (taintKind(taint) === 'trouble' && taint.key !== 'node.kubernetes.io/unschedulable')
      yield `It has taint ${taint.key}.`
  }
  for (const [type, status] of conditions) {
    if (status.includes('True') && isBadWhenTrue(type)) yield `Condition ${type} is ${status}.`
    if (status.includes('False') && isBadWhenFalse(type)) yield `Condition ${type} is ${status}.`
  }
}

/** Conditions of the kubelet, and of the monitors that clouds install for accelerators. */
function isBadWhenTrue(type: string): boolean {
  return BAD_WHEN_TRUE.test(type) || (CARDS.test(type) && !NAMES_WHAT_IS_WELL.test(type))
}

function isBadWhenFalse(type: string): boolean {
  return PARTS_READY.test(type) || (CARDS.test(type) && NAMES_WHAT_IS_WELL.test(type))
}

const BAD_WHEN_TRUE =
  /^(Memory|Disk|PID)Pressure$|^OutOfDisk$|^NetworkUnavailable$|^(Terminate|Preempt|Redeploy|Reboot)Scheduled$|^KernelDeadlock$|^ReadonlyFilesystem$|(Unhealthy|Problem)$/i
const PARTS_READY = /^(Kernel|Storage|Networking|ContainerRuntime)Ready$/
const CARDS = /GPU|Accelerated|Accelerator|Xid|NVLink|IBLink/i

/** `GpuHealthy`, but not `GpuUnhealthy`, `GPUUnavailable` or `GPUNotReady`. */
const NAMES_WHAT_IS_WELL = /(?<!un|not)(Healthy|Ready|Available|Present|Ok)$/i

function* closedBy({ cordoned, labels, os, taints }: NodeObject): Iterable<string> {
  const status = labels.get(HEALTH_LABEL)
  if (status?.startsWith('Unschedulable') === true) yield `Label ${HEALTH_LABEL} is ${status}.`
  if (cordoned || taints.some(({ key }) => key === 'node.kubernetes.io/unschedulable'))
    yield 'It is cordoned (spec.unschedulable).'
  if (os === 'windows') yield 'It runs Windows (kubernetes.io/os).'
  const [plane] = taints.filter((taint) => taintKind(taint) === 'control-plane')
  if (plane !== undefined) yield `It is kept for the control plane (taint ${plane.key}).`
}

/** A cloud that checks cards says here what it makes of a node. */
const HEALTH_LABEL = 'sagemaker.amazonaws.com/node-health-status'

function notesOn({ taints, hostArch }: NodeObject): readonly string[] {
  const foreign = taints.filter((taint) => taintKind(taint) === 'foreign').map(({ key }) => key)
  return [
    ...(foreign.length === 0 ? [] : [`Work there must tolerate taint ${foreign.join(' and ')}.`]),
    ...(hostArch === 'arm64' ? ['Images must be built for arm64 (kubernetes.io/arch).'] : []),
  ]
}
