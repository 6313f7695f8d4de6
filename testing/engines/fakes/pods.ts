import { setTimeout as sleep } from 'node:timers/promises'
import type { RigApi, RigObject } from '../rig/api.ts'
import { EXIT_CODE, EXIT_REASON } from '../rig/stages.ts'
import { nodeOf, type FakeNode } from './nodes.ts'

/** A pod, as far as tests look at it. */
export interface RigPod extends RigObject {
  readonly spec: { readonly nodeName?: string; readonly schedulerName?: string }
  readonly status: {
    readonly phase: string
    readonly podIP?: string
    readonly conditions?: readonly {
      readonly type: string
      readonly status: string
      readonly reason?: string
      readonly message?: string
    }[]
    readonly containerStatuses?: readonly {
      readonly state: {
        readonly terminated?: { readonly exitCode: number; readonly reason: string }
        readonly waiting?: { readonly reason: string; readonly message: string }
      }
    }[]
  }
}

/** Adds nodes and returns when all of them are Ready and nothing keeps pods away. */
export async function addNodes(api: RigApi, nodes: readonly FakeNode[]): Promise<void> {
  for (let at = 0; at < nodes.length; at += AT_ONCE) {
    await Promise.all(nodes.slice(at, at + AT_ONCE).map((node) => api.apply(nodeOf(node))))
  }
  const names = new Set(nodes.map(({ name }) => name))
  const isWaitedFor = (node: NodeSeen): boolean => names.has(node.metadata.name) && !isUsable(node)
  const endMs = performance.now() + READY_WITHIN_MS
  while ((await api.list<NodeSeen>('/api/v1/nodes')).some(isWaitedFor)) {
    if (performance.now() > endMs) throw new Error(`nodes are not Ready within ${READY_WITHIN_MS / 1000} s`)
    await sleep(100)
  }
}

const AT_ONCE = 50
const READY_WITHIN_MS = 120_000

interface NodeSeen {
  readonly metadata: { readonly name: string }
  readonly spec: { readonly taints?: readonly { readonly key: string }[] }
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

/** The taint is what Kubernetes itself puts on a node that it does not know well yet. */
function isUsable({ spec, status }: NodeSeen): boolean {
  const isReady = status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true
  return isReady && spec.taints?.some(({ key }) => key.startsWith('node.kubernetes.io/')) !== true
}

/** Pods with these labels that have a node. */
export async function boundOf(api: RigApi, labels: string): Promise<readonly RigPod[]> {
  const pods = await api.list<RigPod>(`/api/v1/namespaces/default/pods?labelSelector=${encodeURIComponent(labels)}`)
  return pods.filter(({ spec }) => spec.nodeName !== undefined)
}

/** A pod of one container that asks for so many cards. */
export function podOf(
  name: string,
  { cards = 1, scheduler = 'default-scheduler', ...rest }: PodRequest = {},
): RigObject {
  const { labels = {}, annotations = {}, image = 'registry.test/works:1' } = rest
  const limits = { cpu: '4', memory: '32Gi', ...(cards === 0 ? {} : { 'nvidia.com/gpu': String(cards) }) }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, annotations },
    spec: {
      schedulerName: scheduler,
      terminationGracePeriodSeconds: 0,
      restartPolicy: 'Never',
      containers: [{ name: 'main', image, resources: { limits } }],
    },
  }
}

export interface PodRequest {
  readonly cards?: number
  readonly scheduler?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly image?: string
}

/** Ends a fake pod as a program that exits would. */
export async function endPod(
  api: RigApi,
  path: string,
  { code, reason }: { readonly code: number; readonly reason?: string },
): Promise<void> {
  const annotations = { [EXIT_CODE]: String(code), ...(reason === undefined ? {} : { [EXIT_REASON]: reason }) }
  await api.patch(path, { metadata: { annotations } })
}
