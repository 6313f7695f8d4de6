import type { Spot } from '../../src/core/fleet/fleet.ts'
import type { Order, Tag } from '../../src/core/life/call/order.ts'
import { freshTag } from '../../src/providers/contract/bench.suite.ts'
import { nameOf } from '../../src/providers/kubernetes/names.ts'
import type { Rig } from '../engines/rig/rig.ts'
import { sampleOrder } from './bench.ts'

/** Where the account that ships runs its work. */
const NAMESPACE = 'berth'

/** Work on these cards of a node. */
export function orderAt(node: string, { cards, taken }: Pick<Spot, 'cards' | 'taken'>, tag: Tag = freshTag()): Order {
  const order = sampleOrder({ kind: 'long' })
  const place = {
    ...order.place,
    offer: `lab/${node}`,
    instance: node,
    node: {
      id: node,
      spot: { node: 0, cards, taken },
      request: {
        cpuMilli: 100,
        memoryMib: 64,
        diskMib: 0,
        count: cards.length,
        part: { kind: 'whole' },
        models: undefined,
      } as const,
    },
  }
  return { ...order, tag, place, gpus: cards.length }
}

/** The devices that an attempt was given, with their pool; undefined: it has no claim. */
export async function given(rig: Rig, { tag }: Pick<Order, 'tag'>): Promise<readonly string[] | undefined> {
  const claim = await rig.api.find<ClaimSeen>(`${claimsIn(NAMESPACE)}/${nameOf(tag.attempt)}`)
  const results = claim?.status?.allocation?.devices.results ?? []
  return claim === undefined ? undefined : results.map(({ pool, device }) => `${pool}/${device}`).toSorted()
}

export function claimsIn(namespace: string): string {
  return `/apis/resource.k8s.io/v1/namespaces/${namespace}/resourceclaims`
}

/** A claim, as far as tests look at it. */
export interface ClaimSeen {
  readonly metadata: { readonly name: string }
  readonly status?: {
    readonly allocation?: {
      readonly devices: { readonly results: readonly { readonly pool: string; readonly device: string }[] }
    }
  }
}
