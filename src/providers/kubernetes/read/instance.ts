import type { PortAddress } from '../../../core/life/call/address.ts'
import type { Instance } from '../../../core/life/call/instance.ts'
import { readPorts, readPrice, readTag } from '../names.ts'
import { exitOf, isOver, isSaving } from './ending.ts'
import type { SeenPod } from './pod.ts'
import { stuckStart, waitOf } from './waiting.ts'

/** What is known beside the pod itself. */
export interface PodAround {
  /** Ports can be called at the name of the service: `.NAMESPACE.svc.cluster.local`. */
  readonly domain: string
  /** Nodes that the cluster has lost contact with. What they run may run on. */
  readonly lost: ReadonlySet<string>
  /** Why pods wait in a queue, by name, where the queue says it and not the pod. */
  readonly queued: ReadonlyMap<string, string>
  /** When the newest checkpoints of running pods were saved, by name. */
  readonly checkpoints?: ReadonlyMap<string, number>
}

/** What a courier says of the newest checkpoint, in its log and in its last words. */
export function checkpointIn(lines: readonly string[]): number | undefined {
  const seconds = lines.map((line) => /^(?:berth: )?checkpoint (\d{1,12})$/.exec(line)?.[1]).findLast(Boolean)
  return seconds === undefined ? undefined : Number(seconds) * 1000
}

/** Undefined: it has no tag that can be read. Nothing is guessed then. */
export function instanceOf(pod: SeenPod, around: PodAround): Instance | undefined {
  const tag = readTag(pod.annotations)
  if (tag === undefined) return undefined
  const checkpointMs = checkpointIn(pod.keep?.ended?.message.split('\n') ?? []) ?? around.checkpoints?.get(pod.name)
  const saved = checkpointMs === undefined ? {} : { checkpointMs }
  return { instance: pod.name, tag, usdPerHour: readPrice(pod.annotations), ...stateOf(pod, around), ...saved }
}

type Told = Pick<Instance, 'state' | 'reason' | 'healthy' | 'exit' | 'ports' | 'endsAtMs'>

function stateOf(pod: SeenPod, around: PodAround): Told {
  const { main, phase, deletedMs } = pod
  if (isSaving(pod)) return { state: 'up', ...(pod.isProbed && { healthy: false }) }
  if (isOver(pod) || main?.ended !== undefined) {
    const exit = exitOf(pod)
    return { state: 'ended', ...(exit !== undefined && { exit }) }
  }
  if (pod.node !== undefined && around.lost.has(pod.node)) return { state: 'unclear' }
  const notice = deletedMs === undefined ? {} : { endsAtMs: deletedMs }
  if (phase === 'Running') return { ...running(pod, around), ...notice }
  if (phase !== 'Pending') return { state: 'unclear' }
  const why = stuckStart(pod)
  if (why !== undefined) return { state: 'ended', exit: { kind: 'start', why } }
  return { ...waitOf(pod, around.queued.get(pod.name)), ...notice }
}

function running(pod: SeenPod, around: PodAround): Told {
  if (pod.main?.isRunning !== true) return { state: 'starting' }
  const ports = portsOf(pod, around)
  return {
    state: 'up',
    ...(pod.isProbed && { healthy: pod.main.isReady }),
    ...(Object.keys(ports).length > 0 && { ports }),
  }
}

/** Addresses of the ports of an attempt, at the service with its name. */
export function portsOf(
  { name, annotations }: Pick<SeenPod, 'name' | 'annotations'>,
  { domain }: Pick<PodAround, 'domain'>,
): Readonly<Record<string, PortAddress>> {
  const named = [...readPorts(annotations)]
  return Object.fromEntries(
    named.map(([port, number]) => [port, { host: `${name}.${domain}`, port: number, tls: false }]),
  )
}
