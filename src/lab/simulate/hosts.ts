import { must } from '../../core/base/assert.ts'
import { bestFit } from '../../core/pack/engine/best-fit.ts'
import { FastPacker } from '../../core/pack/engine/fast.ts'
import type { Kind } from '../../core/pack/engine/kinds.ts'
import type { Packer } from '../../core/pack/engine/packer.ts'
import type { Fleet, Tenant } from '../../core/fleet/fleet.ts'
import { at, countHosts, type DomainTree } from '../../core/fleet/domain-tree.ts'
import type { Gang } from '../../core/pack/gang/gang.ts'
import { findSpot } from '../../core/pack/gang/place-gang.ts'
import { stepQueue, type HeldNodes, type QueueView } from '../../core/pack/gang/queue.ts'
import type { SimulatedRoom } from './room.ts'
import type { Arrival } from './trace.ts'

/** A gang and the nodes it starts on. */
export interface HostedGang {
  readonly arrival: Arrival
  readonly kind: Kind
  readonly nodes: readonly number[]
}

interface Waiting {
  readonly arrival: Arrival
  readonly kind: Kind
  readonly gang: Gang
}

/** The gangs that wait, and the nodes as they see them. */
export class GangHosts {
  readonly #packer: Packer
  /** Holds only what never leaves. */
  readonly #lasting: Packer
  readonly #tree: DomainTree
  readonly #patienceMs: number
  readonly #everywhere: readonly number[]
  readonly #tenants: Tenant[][]
  readonly #views = new Map<Kind, QueueView>()
  readonly #never = new Map<string, boolean>()
  #waiting: readonly Waiting[] = []
  #kept: HeldNodes | undefined
  #open: readonly number[] | undefined

  constructor(
    packer: Packer,
    { fleet, tree, patienceS }: { readonly fleet: Fleet; readonly tree: DomainTree; readonly patienceS: number },
  ) {
    this.#packer = packer
    this.#lasting = new FastPacker(fleet, { policy: bestFit })
    this.#tree = tree
    this.#patienceMs = patienceS * 1000
    this.#everywhere = [...fleet.nodes.keys()]
    this.#tenants = fleet.nodes.map(() => [])
  }

  /** Nodes that single work may use: those not held for a gang; undefined: all. */
  get nodesOpen(): readonly number[] | undefined {
    return this.#open
  }

  get isAnyoneWaiting(): boolean {
    return this.#waiting.length > 0
  }

  priorities(): readonly number[] {
    return [...new Set(this.#waiting.map(({ arrival }) => arrival.priority))]
  }

  /** Something runs on a node from now on. */
  settle(tenant: Tenant, stays: 'for-ever' | 'for-now'): void {
    const { node } = tenant.spot
    this.#tenants[node]?.push(tenant)
    if (stays === 'for-ever') this.#lasting.occupy(tenant.request, tenant.spot)
  }

  /** It has left. */
  clear(node: number, name: string): void {
    const here = must(this.#tenants[node], 'a node of the fleet')
    here.splice(
      here.findIndex((tenant) => tenant.name === name),
      1,
    )
  }

  wait(arrival: Arrival, kind: Kind): void {
    this.#waiting = [...this.#waiting, { arrival, kind, gang: gangOf(arrival) }]
  }

  waiting(): readonly Waiting[] {
    return this.#waiting
  }

  /** Which gangs of at least this priority start now; the caller starts them. The gang with held nodes goes first. */
  step(priority: number, nowS: number): readonly HostedGang[] {
    const called = this.#waiting.filter(
      ({ arrival, gang }) => arrival.priority >= priority || gang.id === this.#kept?.gang,
    )
    if (called.length === 0) return []
    const waiting = called.map(({ arrival, gang }) => ({
      gang,
      priority: arrival.priority,
      sinceMs: arrival.arrivalS * 1000,
    }))
    const { starts, queue } = stepQueue(
      this.#tree,
      { waiting, kept: this.#kept },
      {
        nowMs: nowS * 1000,
        patienceMs: this.#patienceMs,
        viewOf: ({ request }) => this.#viewOf(this.#packer.kinds.of(request)),
      },
    )
    this.#keep(queue.kept)
    const started = new Map(starts.map(({ gang, spot }) => [gang.id, spot.nodes]))
    this.#waiting = this.#waiting.filter(({ gang }) => !started.has(gang.id))
    return called.flatMap(({ arrival, kind, gang }) => {
      const nodes = started.get(gang.id)
      return nodes === undefined ? [] : [{ arrival, kind, nodes }]
    })
  }

  /** Whether a gang is too large even for an empty fleet. */
  neverFits(arrival: Arrival, empty: SimulatedRoom): 'gang-too-large' | undefined {
    const kind = this.#packer.kinds.of(arrival.request)
    const key = `${kind.id} ${arrival.nodes} ${arrival.within}`
    const isTooLarge = this.#never.get(key) ?? !this.#fits(arrival, (node) => empty.couldHost(node, kind))
    this.#never.set(key, isTooLarge)
    return isTooLarge ? 'gang-too-large' : undefined
  }

  /** Why a gang that waits has no place now. */
  whyNot(arrival: Arrival, kind: Kind): 'gang-short' | 'gang-apart' | 'kept' {
    const canHost = (node: number): boolean => this.#packer.fits(kind, node)
    if (this.#fits(arrival, canHost)) return 'kept'
    return at(countHosts(this.#tree, canHost).hosts, 0) < arrival.nodes ? 'gang-short' : 'gang-apart'
  }

  #fits(arrival: Arrival, canHost: (node: number) => boolean): boolean {
    const view = { canHost, score: () => 0 }
    return findSpot(this.#tree, gangOf(arrival), { view, count: countHosts(this.#tree, canHost) }) !== undefined
  }

  #keep(kept: HeldNodes | undefined): void {
    this.#kept = kept
    const closed = new Set(kept?.nodes)
    this.#open = kept === undefined ? undefined : this.#everywhere.filter((node) => !closed.has(node))
  }

  #viewOf(kind: Kind): QueueView {
    const known = this.#views.get(kind)
    if (known !== undefined) return known
    const lasting = this.#lasting.kinds.of(kind.request)
    const view: QueueView = {
      canHost: (node) => this.#packer.fits(kind, node),
      score: (node) => this.#packer.score(kind, node),
      tenancy: {
        wouldHost: (node) => this.#lasting.fits(lasting, node),
        tenantsOn: (node) => this.#tenants[node] ?? [],
      },
    }
    this.#views.set(kind, view)
    return view
  }
}

function gangOf({ name, nodes, request, within }: Arrival): Gang {
  // A limit is looked up among the levels of the tree, and `fabric` is one of them.
  return { id: name, nodes, request, within: within as Gang['within'] }
}
