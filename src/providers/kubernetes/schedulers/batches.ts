import type { Fault } from '../../../core/life/call/fault.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Answer, Call } from '../../../ports/provider.ts'
import type { KubeClient } from '../api/client.ts'
import { GROUP_ANNOTATION, SCHEDULER_ANNOTATION } from '../names.ts'
import type { SeenPod } from '../read/pod.ts'
import type { KubernetesSettings } from '../settings.ts'
import { Discovery } from './discovery.ts'
import { ClusterReader } from './reader.ts'
import { SCHEDULERS } from './registry.ts'
import type { Batch, BatchScheduler } from './scheduler.ts'

export interface BatchParts {
  readonly client: KubeClient
  readonly clock: Clock
  readonly namespace: string
  readonly settings: Pick<KubernetesSettings, 'scheduler' | 'queue'>
}

/** The batch schedulers of a cluster, as far as they matter to us. */
export class Batches {
  readonly #parts: BatchParts
  readonly discovery: Discovery

  constructor(parts: BatchParts) {
    this.#parts = parts
    this.discovery = new Discovery(parts.client, parts.clock)
  }

  reader(call: Call): ClusterReader {
    const { client, namespace } = this.#parts
    return new ClusterReader({ client, namespace, discovery: this.discovery }, call)
  }

  /** The scheduler to use now; undefined: none, and gangs are held together by ourselves. */
  async used(call: Call): Promise<Answer<Batch | undefined>> {
    const { scheduler, queue } = this.#parts.settings
    if (scheduler === 'none') return { ok: true, value: undefined }
    const reader = this.reader(call)
    for (const each of SCHEDULERS.filter(({ name }) => scheduler === 'auto' || name === scheduler)) {
      const batch = await batchOf(each, this.#parts.settings, reader)
      if (!batch.ok || batch.value !== undefined) return batch
    }
    if (queue === undefined) return { ok: true, value: undefined }
    const message = `The cluster has no batch scheduler with a queue ${queue}: correct the provider's setting queue.`
    return { ok: false, fault: { class: 'NO_MATCHING_SHAPE', message, scope: 'provider', created: 'no' } }
  }

  /** Why pods wait, by name, where their scheduler keeps that elsewhere. */
  async reasons(pods: readonly SeenPod[], call: Call): Promise<ReadonlyMap<string, string>> {
    const found = await Promise.all(
      SCHEDULERS.map(({ name, reasons }) => {
        const own = pods.filter(({ annotations }) => annotations[SCHEDULER_ANNOTATION] === name)
        return own.length === 0 || reasons === undefined ? new Map<string, string>() : reasons(own, this.reader(call))
      }),
    )
    return new Map(found.flatMap((each) => [...each]))
  }

  /** Gives up the gang of a pod that was stopped: what waits in a queue for nobody would take the place of others. */
  async release({ annotations, node }: SeenPod, call: Call): Promise<void> {
    const group = annotations[GROUP_ANNOTATION]
    const scheduler = SCHEDULERS.find(({ name }) => name === annotations[SCHEDULER_ANNOTATION])
    if (group === undefined || scheduler === undefined) return
    if (scheduler.isMaker !== true || node === undefined) await this.reader(call).remove(scheduler.gangs, group)
  }
}

async function batchOf(
  scheduler: BatchScheduler,
  { scheduler: wanted, queue: stated }: BatchParts['settings'],
  reader: ClusterReader,
): Promise<Answer<Batch | undefined>> {
  const { gangs, queues, title } = scheduler
  const isNamed = wanted !== 'auto'
  const version = await reader.version(gangs)
  if (!version.ok) return version
  if (version.value === undefined)
    return isNamed ? no(`The cluster does not serve ${gangs.resource} of ${gangs.group}: it has no ${title}.`) : NONE
  if (queues === undefined) return { ok: true, value: stated === undefined ? { scheduler, queue: '' } : undefined }
  const queue = stated ?? queues.usual
  const found = await reader.find(queues, queue)
  // Whoever names a scheduler need not let us read its queues.
  if (!found.ok && found.isForbidden) return isNamed ? { ok: true, value: { scheduler, queue } } : NONE
  if (!found.ok) return found
  if (found.value !== undefined) return { ok: true, value: { scheduler, queue } }
  return isNamed ? no(`${title} has no queue ${queue}: correct the provider's setting queue.`) : NONE
}

const NONE: Answer<undefined> = { ok: true, value: undefined }

function no(message: string): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { class: 'NO_MATCHING_SHAPE', message, scope: 'provider', created: 'no' } }
}
