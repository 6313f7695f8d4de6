import type { NodeTaint } from '../object/node-object.ts'

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
  if (effect === 'PreferNoSchedule') return 'soft'
  if (TROUBLE.test(key) || isTrouble(key) || isTrouble(value ?? '') || isNotWell(key, value)) return 'trouble'
  if (CONTROL_PLANE.test(key)) return 'control-plane'
  if (ACCELERATOR.test(key) || ACCELERATOR.test(value ?? '')) return 'accelerator'
  return 'foreign'
}

const TROUBLE =
  /^node\.(alpha\.)?kubernetes\.io\/(not-?ready|unreachable|unschedulable|(memory|disk|pid)-pressure|network-unavailable|out-of-)|^node\.cloudprovider\.kubernetes\.io\/|ByClusterAutoscaler$|^karpenter\.sh\/(disrupt|unregistered)|not-ready$|^cloud\.google\.com\/impending|^readiness\.k8s\.io\/|^amd-dcm$|^aws-node-termination-handler|uninitialized$|unhealthy/i

/** What operators call a taint, its value or a label while a node or its cards are out of order. */
const WORDS =
  /(^|-)(broken|bad|sick|dead|lost|hang|hung|down|offline|impaired|suspect(ed)?|errors?|ecc|xid|fault|faulty|fail|failed|failing|failure|corrupt(ed)?|missing|unhealthy|unavailable|unusable|disabled|degraded|maintenance|upgrade|upgrading|repair(ing)?|reboot(ing)?|remediat(e|ed|ing|ion)|quarantined?|evict(ed|ing|ion)?|evacuat(e|ing|ion)|cordon(ed)?|drain|drained|draining|unschedulable|terminating|shutdown|interrupt(ed|ion)|retir(ed|ing)|pending|initializing|installing|in-progress|triage|rma|decommission(ed|ing)?|out-of-(order|service))(?!-toleran)(-|$)/

export function isTrouble(text: string): boolean {
  return WORDS.test(dashed(text))
}

/** `gpu-healthy=false` */
function isNotWell(key: string, value: string | undefined): boolean {
  return /(^|-)(health|healthy|ready)$/.test(dashed(key)) && /^(false|no)$/i.test(value ?? '')
}

/** `example.org/RemediateNode` as `example-org-remediate-node`. */
export function dashed(text: string): string {
  return text
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-')
    .replaceAll(/[./_]/g, '-')
    .toLowerCase()
}

const CONTROL_PLANE = /^node-role\.kubernetes\.io\/(control-plane|master|etcd|controlplane)$/
const ACCELERATOR = /(^|[./_-])(gpus?|nvidia|amd|tpu|neuron|habana|gaudi|ascend|accelerators?|dcu|mlu|npu)([./_-]|$)/i
