import type { Fault } from '../../core/life/call/fault.ts'
import type { Order, Tag } from '../../core/life/call/order.ts'
import type { Tenant } from '../../core/fleet/fleet.ts'
import type { HostFacts, OwnedFleet } from '../../core/fleet/owned-fleet.ts'
import { nodeIn, whyCrowded, type SimFleet } from './fleets.ts'

/** A spot on a node of a fleet. */
export type CloudNode = NonNullable<Order['place']['node']> & { readonly region: string }

/** What runs on a node, until it ends. */
interface NodeInstance {
  readonly tag: Tag
  readonly endsMs: number
  readonly node?: CloudNode
}

/** What runs where in the fleets of a simulated cloud. Two pieces of work never get the same card, whoever asks. */
export class CloudFleets {
  readonly #name: string
  readonly #fleets: ReadonlyMap<string, SimFleet>
  readonly #instance: (id: string) => NodeInstance | undefined
  /** Instances by fleet and node; those that have ended are dropped when they are met. */
  readonly #on = new Map<string, Set<string>>()

  constructor(
    { name, fleets = [] }: { readonly name: string; readonly fleets?: readonly SimFleet[] },
    instance: (id: string) => NodeInstance | undefined,
  ) {
    this.#name = name
    this.#fleets = new Map(fleets.map((fleet) => [fleet.region, fleet]))
    this.#instance = instance
  }

  keep(id: string, { region, id: node }: CloudNode): void {
    const key = `${region}\n${node}`
    const here = this.#on.get(key)
    if (here === undefined) this.#on.set(key, new Set([id]))
    else here.add(id)
  }

  /** Every fleet with its tenants. */
  at(nowMs: number): readonly OwnedFleet[] {
    const tenants = new Map<string, Tenant[]>([...this.#fleets.keys()].map((region) => [region, []]))
    for (const [key, ids] of this.#on) {
      for (const { tag, node } of this.#living(key, ids, nowMs)) {
        const at = node && this.#find(node)
        if (node === undefined || at === undefined) continue
        const { request, spot } = node
        const plain = { priority: 0, restart: 'inference', checkpointAgeS: undefined } as const
        tenants.get(node.region)?.push({ name: tag.attempt, request, spot: { ...spot, node: at.index }, ...plain })
      }
    }
    return [...this.#fleets.values()].map(({ region, fleet }) => {
      return { provider: this.#name, region, fleet, tenants: tenants.get(region) ?? [] }
    })
  }

  hostsOf(region: string): readonly HostFacts[] {
    const found = this.#fleets.get(region)
    return found === undefined ? [] : found.fleet.nodes.map(() => found.host)
  }

  /** Why an order for a node cannot be taken now, after these; undefined: it can. */
  refusal({ place: { node, region } }: Order, nowMs: number, ahead: readonly Order[]): Fault | undefined {
    const at = node && this.#find({ ...node, region })
    if (node === undefined || at === undefined)
      return { class: 'OFFER_GONE', message: `there is no node ${node?.id ?? ''}` }
    const key = `${region}\n${node.id}`
    const running = [...this.#living(key, this.#on.get(key) ?? new Set(), nowMs)].flatMap((each) => each.node ?? [])
    const coming = ahead.flatMap(({ place }) =>
      place.region === region && place.node?.id === node.id ? place.node : [],
    )
    const message = whyCrowded(at.node, [...running, ...coming], node)
    return message === undefined ? undefined : { class: 'SOLD_OUT', message }
  }

  #find({ region, id }: CloudNode) {
    const fleet = this.#fleets.get(region)
    return fleet && nodeIn(fleet, id)
  }

  *#living(key: string, ids: Set<string>, nowMs: number): Iterable<NodeInstance> {
    for (const id of ids) {
      const found = this.#instance(id)
      if (found !== undefined && found.endsMs > nowMs) yield found
      else ids.delete(id)
    }
    if (ids.size === 0) this.#on.delete(key)
  }
}
