import type { Call } from '../../ports/provider.ts'
import { WORK } from '../storage/courier/pod.ts'
import type { KubeClient } from './api/client.ts'
import { linesOf } from './api/lines.ts'
import { inNamespace } from './api/paths.ts'
import { execIn } from './exec.ts'
import { KEEP } from './names.ts'
import type { Pods } from './pods.ts'
import { isOver } from './read/ending.ts'
import { checkpointIn } from './read/instance.ts'
import type { SeenPod } from './read/pod.ts'

interface CouriersParts {
  readonly client: KubeClient
  readonly namespace: string
  readonly pods: Pods
  readonly tickMs: () => number
}

/**
 * What the couriers of running pods need of us and tell us. A courier has no rights in the cluster, so it cannot see how the workload
 * ended and can write nothing down there: it is told, and its log is read. A call that fails is made again at the next look.
 */
export class Couriers {
  readonly #parts: CouriersParts
  /** By pod: what it said last, and when it was asked. */
  readonly #heard = new Map<string, { readonly atMs: number; readonly checkpointMs: number | undefined }>()
  readonly #told = new Set<string>()

  constructor(parts: CouriersParts) {
    this.#parts = parts
  }

  /** When the newest checkpoint of each was saved, by name. */
  async attend(pods: readonly SeenPod[], call: Call): Promise<ReadonlyMap<string, number>> {
    const kept = pods.filter((pod) => pod.keep?.isRunning === true && !isOver(pod))
    for (let from = 0; from < kept.length; from += AT_ONCE)
      await Promise.all(kept.slice(from, from + AT_ONCE).map((pod) => this.#attend(pod, call)))
    return new Map(
      pods.flatMap(({ name, uid }) => {
        const checkpointMs = this.#heard.get(uid)?.checkpointMs
        return checkpointMs === undefined ? [] : [[name, checkpointMs]]
      }),
    )
  }

  /** Forgets all but these. */
  keepOnly(pods: readonly SeenPod[]): void {
    const uids = new Set(pods.map(({ uid }) => uid))
    for (const uid of this.#heard.keys()) if (!uids.has(uid)) this.#heard.delete(uid)
    for (const uid of this.#told) if (!uids.has(uid)) this.#told.delete(uid)
  }

  async #attend(pod: SeenPod, call: Call): Promise<void> {
    const { ended } = pod.main ?? {}
    if (ended !== undefined) await this.#tell(pod, ended.code ?? KILLED, call)
    const heard = this.#heard.get(pod.uid)
    const atMs = this.#parts.tickMs()
    if (heard !== undefined && ended === undefined && atMs - heard.atMs < AGAIN_MS) return
    const said = await this.#read(pod, call)
    this.#heard.set(pod.uid, { atMs, checkpointMs: checkpointIn(said) ?? heard?.checkpointMs })
    // It can save no more, so there is no use in going on.
    if (ended === undefined && pod.deletedMs === undefined && said.some((line) => line.startsWith('berth: lost ')))
      await this.#parts.pods.remove(pod, call)
  }

  /** The exit code of the workload, on which depends what of its last files is saved. */
  async #tell({ uid, name }: SeenPod, code: number, call: Call): Promise<void> {
    if (this.#told.has(uid)) return
    const { client, namespace } = this.#parts
    const argv = ['/bin/sh', '-c', 'echo "$0" > "$1.new" && mv "$1.new" "$1"', `${code}`, `${WORK}/state/code`]
    const done = await execIn({ client, namespace, name, container: KEEP }, argv, call).catch(() => undefined)
    if (done?.ok === true && done.value.code === 0) this.#told.add(uid)
  }

  async #read({ name }: SeenPod, call: Call): Promise<readonly string[]> {
    const { client, namespace } = this.#parts
    const path = inNamespace(namespace, 'pods', name, 'log')
    const query = { container: KEEP, tailLines: '50', limitBytes: '65536' }
    const reply = await client.stream({ method: 'GET', path, query }, call)
    if (!reply.ok) return []
    try {
      const lines: string[] = []
      for await (const line of linesOf(reply.stream)) lines.push(line)
      return lines
    } catch {
      return []
    }
  }
}

const AT_ONCE = 20
/** A checkpoint is no news that must be known at once. */
const AGAIN_MS = 10_000
const KILLED = 137
