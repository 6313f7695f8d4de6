import { MAIN, TAG_ANNOTATION, writeTag } from '../names.ts'

export const TAG = { owner: 'o', project: 'p', workload: 'w', uid: 'u', slot: '0', epoch: 1, attempt: 'a1' }

type Json = Readonly<Record<string, unknown>>

/** A pod as the API server tells it: bound to a node and running, unless said otherwise. */
export function pod({ metadata, spec, status }: { metadata?: Json; spec?: Json; status?: Json } = {}): unknown {
  return {
    metadata: {
      name: 'berth-a1',
      uid: 'uid-1',
      resourceVersion: '5',
      annotations: { [TAG_ANNOTATION]: writeTag(TAG) },
      finalizers: ['berth.dev/attempt-name'],
      creationTimestamp: '2026-11-17T10:00:00Z',
      ...metadata,
    },
    spec: { nodeName: 'gpu-a', containers: [{ name: MAIN, image: 'acme/vllm:1' }], ...spec },
    status: { phase: 'Running', containerStatuses: [container({ running: {} })], ...status },
  }
}

export function container(state: Json, more: Json = {}): Json {
  return { name: MAIN, ready: true, state, ...more }
}

export function terminated(more: Json): readonly Json[] {
  return [container({ terminated: { finishedAt: '2026-11-17T11:00:00Z', ...more } }, { ready: false })]
}

export function waiting(reason: string, message = ''): Json {
  return { phase: 'Pending', containerStatuses: [container({ waiting: { reason, message } }, { ready: false })] }
}

/** Not bound to a node, with what the scheduler says about it. */
export function unbound(reason: string, message: string): { spec: Json; status: Json } {
  const condition = { type: 'PodScheduled', status: 'False', reason, message }
  return { spec: { nodeName: undefined }, status: { phase: 'Pending', containerStatuses: [], conditions: [condition] } }
}

export const DELETED = { deletionTimestamp: '2026-11-17T10:30:30Z', deletionGracePeriodSeconds: 30 }
export const PINNED = {
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['gpu-a'] }] }],
      },
    },
  },
}

export function disrupted(reason: string): Json {
  const at = '2026-11-17T10:30:00Z'
  return { conditions: [{ type: 'DisruptionTarget', status: 'True', reason, message: '', lastTransitionTime: at }] }
}
