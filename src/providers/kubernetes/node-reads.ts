import type { Call } from '../../ports/provider.ts'
import type { KubeClient, KubeReply } from './api/client.ts'
import { inCluster } from './api/paths.ts'
import type { NodeAsk } from './nodes/fleet/view.ts'

/** How long a node that was read is good for the next launch there. The decision itself rests on older reads. */
const GOOD_MS = 1000

/** Reads of single nodes. Launches go to one node after the other, several at a time to each: they share a read. */
export class NodeReads {
  readonly #client: KubeClient
  readonly #tickMs: () => number
  readonly #follows = new WeakMap<KubeReply, { readonly ask: NodeAsk | undefined }>()
  readonly #reads = new Map<string, { readonly atMs: number; readonly reply: Promise<KubeReply> }>()

  constructor(client: KubeClient, tickMs: () => number) {
    this.#client = client
    this.#tickMs = tickMs
  }

  async read(name: string, call: Pick<Call, 'signal' | 'requestId'>): Promise<KubeReply> {
    const nowMs = this.#tickMs()
    const known = this.#reads.get(name)
    if (known !== undefined && nowMs < known.atMs + GOOD_MS) {
      const shared = await known.reply
      // A read that failed, or that another call gave up, says nothing to this one.
      if (shared.ok) return shared
    }
    this.#sweep(nowMs)
    const reply = this.#client.call({ method: 'GET', path: inCluster('nodes', name) }, call)
    this.#reads.delete(name)
    this.#reads.set(name, { atMs: nowMs, reply })
    return reply
  }

  /** What follows from a read alone, for all that share it. */
  once(reply: KubeReply, follows: () => NodeAsk | undefined): NodeAsk | undefined {
    const known = this.#follows.get(reply)
    if (known !== undefined) return known.ask
    const ask = follows()
    this.#follows.set(reply, { ask })
    return ask
  }

  #sweep(nowMs: number): void {
    for (const [name, { atMs }] of this.#reads) {
      if (nowMs < atMs + GOOD_MS) return
      this.#reads.delete(name)
    }
  }
}
