import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Order } from '../../src/core/life/call/order.ts'
import type { Described, Provider } from '../../src/ports/provider.ts'
import {
  becomes,
  call,
  freshTag,
  isUp,
  launchCall,
  stopped as isStopped,
  yes,
} from '../../src/providers/contract/bench.suite.ts'
import { nameOf } from '../../src/providers/kubernetes/names.ts'
import { RACK } from '../engines/fakes/nodes.ts'
import type { RigPod } from '../engines/fakes/pods.ts'
import type { Rig } from '../engines/rig/rig.ts'
import { depsAs, depsFor, openOn, sampleOrder } from './bench.ts'

type Taken = NonNullable<NonNullable<Order['place']['node']>['spot']['taken']>

/** How much an order of a test asks for; what is left out is a whole node. */
export interface Asked {
  readonly gpus?: number
  /** Of all, or by rank. */
  readonly node?: string | readonly string[]
  readonly taken?: Taken
}

/** One member, or all of them by rank, as Berth would order them. */
export function gangOrders(size: number, { gpus = 8, node = 'gpu-000', taken }: Asked = {}): readonly Order[] {
  const { uid } = freshTag()
  return Array.from({ length: size }, (_, rank) => {
    const order = sampleOrder({ kind: 'long' })
    const request = {
      cpuMilli: 100,
      memoryMib: 64,
      diskMib: 0,
      count: gpus,
      part: { kind: 'whole' },
      models: undefined,
    } as const
    const cards = Array.from({ length: gpus }, (_each, index) => index)
    const name = typeof node === 'string' ? node : (node[rank] ?? '')
    const place = {
      ...order.place,
      offer: `lab/${name}`,
      instance: name,
      node: { id: name, spot: { node: 0, cards, taken }, request },
    }
    return {
      ...order,
      place,
      gpus,
      nodes: size,
      ...(size > 1 && { within: 'rack' as const }),
      tag: freshTag({ uid, slot: size === 1 ? '0' : `0.${rank}` }),
    }
  })
}

/** A provider of a rig, in its namespace `default`, as tests of schedulers use it. */
export class Tried {
  readonly #rig: Rig
  readonly provider: Provider

  private constructor(rig: Rig, provider: Provider) {
    this.#rig = rig
    this.provider = provider
  }

  static async on(rig: Rig, stated: Readonly<Record<string, unknown>> = {}): Promise<Tried> {
    return new Tried(rig, await openOn(depsFor(rig), { namespace: 'default', ...stated }))
  }

  /** With the rights that ship and no others, in the namespace `berth`. */
  static async asShipped(rig: Rig, stated: Readonly<Record<string, unknown>>): Promise<Tried> {
    return new Tried(rig, await openOn(await depsAs(rig, 'berth'), { namespace: 'berth', ...stated }))
  }

  /** Launches them as a whole, or the only one by itself. */
  async launch(orders: readonly Order[]): Promise<unknown> {
    const [first] = orders
    if (first !== undefined && orders.length === 1) return this.provider.launch(first, launchCall())
    return this.provider.launchGroup?.(orders, launchCall())
  }

  async up(orders: readonly Order[]): Promise<void> {
    for (const { tag } of orders)
      await becomes({ provider: this.provider, pass: sleep }, { tag, instance: undefined }, isUp)
  }

  /** Waits until each of them is described like this. */
  async become(orders: readonly Order[], isSo: (described: Described) => boolean): Promise<readonly Described[]> {
    const bench = { provider: this.provider, pass: sleep }
    return Promise.all(orders.map(({ tag }) => becomes(bench, { tag, instance: undefined }, isSo)))
  }

  async stop(orders: readonly Order[]): Promise<void> {
    for (const { tag } of orders)
      await isStopped({ provider: this.provider, pass: sleep }, { tag, instance: undefined })
  }

  /** As a list shows them, by rank. */
  async listed(orders: readonly Order[]): Promise<readonly (string | undefined)[]> {
    const { instances } = yes(await this.provider.list(orders[0]?.tag.owner ?? '', call()))
    return orders.map(({ tag }) => instances.find((one) => one.tag.attempt === tag.attempt)?.state)
  }

  async pod({ tag }: Order): Promise<RigPod | undefined> {
    return this.#rig.api.find<RigPod>(`/api/v1/namespaces/default/pods/${nameOf(tag.attempt)}`)
  }

  /** The nodes that they hold. */
  async nodes(orders: readonly Order[]): Promise<readonly string[]> {
    const pods = await Promise.all(orders.map((order) => this.pod(order)))
    return pods.flatMap((pod) => pod?.spec.nodeName ?? [])
  }

  /** The racks of those nodes. */
  async racks(orders: readonly Order[]): Promise<ReadonlySet<string>> {
    const nodes = await Promise.all(
      (await this.nodes(orders)).map((name) =>
        this.#rig.api.get<{ readonly metadata: { readonly labels: Readonly<Record<string, string>> } }>(
          `/api/v1/nodes/${name}`,
        ),
      ),
    )
    return new Set(nodes.map(({ metadata }) => metadata.labels[RACK] ?? ''))
  }

  /** Whether something of the cluster's is there. */
  async has(path: string): Promise<boolean> {
    return (await this.#rig.api.find(path)) !== undefined
  }
}

/** A wait in a queue that is named, with these words of its reason. */
export function queuedFor(queue: string, words: string | RegExp): (described: Described) => boolean {
  return (described) =>
    described.state === 'queued' &&
    (described.reason ?? '').startsWith(`queue ${queue}: `) &&
    new RegExp(words).test(described.reason ?? '')
}

export const OK = expect.objectContaining({ ok: true })
