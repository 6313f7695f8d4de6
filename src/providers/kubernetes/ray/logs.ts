import type { Tag } from '../../../core/life/call/order.ts'
import type { Call, LogLine, LogWant } from '../../../ports/provider.ts'
import type { Timers } from '../../../ports/timers.ts'
import type { KubeClient } from '../api/client.ts'
import { inNamespace } from '../api/paths.ts'
import { DASHBOARD } from './cluster.ts'
import type { RayObjects } from './objects.ts'
import { isRayOver, type SeenRayJob } from './read.ts'

const AGAIN_MS = 1000

export interface RayLogParts {
  readonly tag: Tag
  readonly client: KubeClient
  readonly timers: Timers
  readonly namespace: string
  readonly rays: RayObjects
}

/**
 * What the command of a RayJob has printed. Ray keeps it on the head and gives it out as a whole, without times: it is read again and
 * again, and a mark is the number of a line.
 */
export async function* readRayLog(want: LogWant, call: Call, parts: RayLogParts): AsyncGenerator<LogLine> {
  const { signal } = call
  let next = want.after === undefined ? undefined : Number(/^ray-(\d{1,12})$/.exec(want.after)?.[1] ?? -1) + 1
  for (;;) {
    const job = await parts.rays.find(parts.tag, call)
    const seen = job.ok && job.value?.kind === 'RayJob' ? job.value : undefined
    // Asked before the log is read: what is printed in between is not missed.
    const mayGoOn = want.follow && !signal.aborted && (!job.ok || (seen !== undefined && !isRayOver(seen)))
    const lines = seen === undefined ? undefined : await linesOf(seen, call, parts)
    if (lines !== undefined) {
      const whole = mayGoOn && lines.at(-1)?.isOpen === true ? lines.slice(0, -1) : lines
      next ??= want.tail === undefined ? 0 : Math.max(0, whole.length - want.tail)
      for (const { text } of whole.slice(next)) {
        yield { atMs: undefined, stream: 'out', text, mark: `ray-${next}` }
        next++
      }
    }
    if (!mayGoOn) return
    await parts.timers.sleep(AGAIN_MS, signal)
  }
}

interface RayLine {
  readonly text: string
  /** Without an end: more of it may follow. */
  readonly isOpen: boolean
}

/** Undefined: the head does not answer, or is gone. */
async function linesOf(
  { name, cluster }: SeenRayJob,
  call: Call,
  { client, namespace }: RayLogParts,
): Promise<readonly RayLine[] | undefined> {
  if (cluster === undefined) return undefined
  const service = `${cluster}-head-svc:${DASHBOARD}`
  const path = inNamespace(namespace, 'services', service, 'proxy', 'api', 'jobs', name, 'logs')
  const reply = await client.call({ method: 'GET', path }, call)
  if (!reply.ok) return undefined
  const parts = rawText(reply.value).split('\n')
  const last = parts.pop() ?? ''
  const lines = parts.map((text) => ({ text, isOpen: false }))
  return last === '' ? lines : [...lines, { text: last, isOpen: true }]
}

function rawText(value: unknown): string {
  return typeof value === 'object' && value !== null && 'logs' in value && typeof value.logs === 'string'
    ? value.logs
    : ''
}
