import type { ReplicaRoute } from './route.ts'

/** What decides whether a replica gets requests: the control plane's word, and what the gateway has seen itself. */
export interface Witnessed {
  readonly route: Pick<ReplicaRoute, 'state' | 'health'>
  readonly health: 'unknown' | 'well' | 'silent' | 'dead'
  /** Its health path has answered this gateway well at some time. */
  readonly wasWell: boolean
  readonly isEjected: () => boolean
}

/**
 * The replicas that get requests. The gateway's own experience counts more than the control plane's, which is older: one
 * that the control plane calls ill is used as soon as it answers here. If none is left, those that are merely suspected are
 * used: a slow answer is better than none. One where nothing listens, one that leaves and one that has only begun to start is
 * never used: its callers wait, rather than get what a half-started program answers.
 */
export function usableOf<T extends Witnessed>(replicas: readonly T[]): readonly T[] {
  const staying = replicas.filter(({ route, health }) => route.state !== 'leaving' && health !== 'dead')
  const trusted = staying.filter((replica) => isTrusted(replica))
  if (trusted.length > 0) return trusted
  return staying.filter(({ route, health, wasWell }) => {
    if (route.state === 'unseen') return wasWell
    return route.state === 'ready' || health !== 'unknown'
  })
}

function isTrusted(replica: Witnessed): boolean {
  const { route, health } = replica
  if (health === 'silent' || replica.isEjected()) return false
  return health === 'well' || (route.state === 'ready' && health === 'unknown')
}
