import type { Permission } from '../permission.ts'

/** What batch schedulers need beyond the rest. Each is asked for only where its scheduler is installed. */
export const BATCH_PERMISSIONS: readonly Permission[] = [
  wide('queues.scheduling.run.ai', 'get', 'which queues KAI has is not known, so that it has to be named'),
  wide('topologies.kai.scheduler', 'list', 'gangs in KAI are bound to the rack that Berth chose'),
  own('podgroups.scheduling.run.ai', ['create', 'delete'], 'gangs cannot start in KAI'),
  wide('queues.scheduling.volcano.sh', 'get', 'which queues Volcano has is not known, so that it has to be named'),
  wide('hypernodes.topology.volcano.sh', 'list', 'gangs in Volcano are bound to the rack that Berth chose'),
  own('podgroups.scheduling.volcano.sh', ['get', 'list', 'create', 'delete'], 'nothing can start in Volcano'),
  wide('topologies.kueue.x-k8s.io', 'list', 'gangs in Kueue are bound to the rack that Berth chose'),
  own('localqueues.kueue.x-k8s.io', ['get'], 'which queues Kueue has is not known, so that it has to be named'),
  own(
    'workloads.kueue.x-k8s.io',
    ['get', 'list', 'delete'],
    'why work waits in Kueue is not known, and what is stopped waits on',
  ),
  own('podgroups.scheduling.k8s.io', ['create', 'delete'], 'gangs cannot be those of Kubernetes itself'),
]

/** `kind` is the resource and its group. */
function own(kind: string, verbs: readonly string[], so: string): Permission {
  const dot = kind.indexOf('.')
  return { group: kind.slice(dot + 1), resource: kind.slice(0, dot), verbs, so, isOptional: true }
}

function wide(kind: string, verb: string, so: string): Permission {
  return { ...own(kind, [verb], so), isWide: true }
}
