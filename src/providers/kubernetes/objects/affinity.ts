import type { KubernetesSettings, Toleration } from '../settings.ts'
import type { Ground } from './ground.ts'

/**
 * Which node may run it. Where Berth picks, the pod is bound to that node by a rule and not by its name in the spec: the
 * scheduler still checks that there is room, and says so if there is none.
 */
export function affinityFor(ground: Ground, { pick, nodes }: Pick<KubernetesSettings, 'pick' | 'nodes'>): object {
  const term = pick === 'berth' ? pinnedTo(ground) : likeIt(ground, nodes)
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } } }
}

function pinnedTo({ node }: Ground): object {
  return { matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }
}

function likeIt({ alike }: Ground, nodes: KubernetesSettings['nodes']): object {
  const stated = Object.entries(nodes).map(([key, value]) => ({ key, operator: 'In', values: [value] }))
  return { matchExpressions: [...alike, ...stated] }
}

/**
 * A node that cannot be reached is not dead, and what runs on it is not moved because of that alone: Berth decides, and not the
 * cluster after five minutes.
 */
const STAYS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].map((key) => ({
  key,
  operator: 'Exists',
  effect: 'NoExecute',
}))

export function tolerationsFor({ taints }: Ground, stated: readonly Toleration[]): readonly object[] {
  const all = [...taints, ...stated].map(({ key, value, effect }) => ({
    key,
    ...(value === undefined || value === '' ? { operator: 'Exists' } : { operator: 'Equal', value }),
    ...(effect !== undefined && { effect }),
  }))
  const told = new Map([...STAYS, ...all].map((toleration) => [JSON.stringify(toleration), toleration]))
  return [...told.values()]
}
