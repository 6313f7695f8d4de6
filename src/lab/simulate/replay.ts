import { FastPacker } from '../../core/pack/engine/fast.ts'
import type { Kind } from '../../core/pack/engine/kinds.ts'
import type { Packer } from '../../core/pack/engine/packer.ts'
import type { MakePolicy } from '../../core/pack/engine/policy.ts'
import type { Fleet, Request, Spot, Tenant } from '../../core/fleet/fleet.ts'
import { domainTree } from '../../core/fleet/domain-tree.ts'
import { Departures } from './departures.ts'
import { GangHosts, type HostedGang } from './hosts.ts'
import { ArrivalLines } from './lines.ts'
import { SimulatedRoom, type RefusalKind } from './room.ts'
import { standing } from './standing.ts'
import type { Arrival } from './trace.ts'
import { sizeOf, WaitBook, type WaitTimes } from './waits.ts'
import { RoomWatch, type UseOverTime } from './watch.ts'

/** A trace to play on a fleet. */
export interface Replay {
  readonly fleet: Fleet
  /** They stay where they are and never leave. */
  readonly tenants: readonly Tenant[]
  /** By time. */
  readonly arrivals: readonly Arrival[]
  readonly policy: MakePolicy
  /** What the policy may learn from beforehand. */
  readonly knows: 'trace' | 'nothing'
  /** How long others may overtake a gang before nodes are held for it. */
  readonly patienceS: number
}

/** Why an arrival has no place: what is in the way on a node, or for a gang as a whole. */
export type NoPlace =
  | RefusalKind
  /** No domain that is narrow enough has that many nodes for workers, even when nothing runs. */
  | 'gang-too-large'
  /** Fewer nodes could take a worker now than the gang needs. */
  | 'gang-short'
  /** Enough nodes could, but not within one domain that is narrow enough. */
  | 'gang-apart'
  /** It would fit, but the nodes are held for a gang. */
  | 'kept'

export interface WithoutPlace {
  readonly name: string
  readonly reason: NoPlace
}

/** The outcome of a trace, and how the fleet was used over time, including what ran before. */
export interface Replayed extends UseOverTime {
  readonly capacityMilli: number
  /** From the first arrival to the last event. */
  readonly fromS: number
  readonly toS: number
  readonly arrived: number
  readonly placed: number
  readonly waits: readonly WaitTimes[]
  /** Would not fit even in an empty fleet. */
  readonly refused: readonly WithoutPlace[]
  /** Still waiting when nothing more happened. */
  readonly waiting: readonly WithoutPlace[]
}

/**
 * First come, first served within a priority, higher priorities first, with backfill: whenever work comes or goes, everything
 * that fits is placed. Gangs go before single nodes of the same priority and start as a whole or not at all. Nodes are held
 * for a gang that has been overtaken for too long. Nothing is moved, and nothing is preempted.
 */
export function replay(given: Replay): Replayed {
  return new Run(given).play()
}

interface Leaving {
  readonly request: Request
  readonly spots: readonly Spot[]
  readonly name: string
}

class Run {
  readonly #given: Replay
  readonly #packer: Packer
  readonly #room: SimulatedRoom
  readonly #empty: SimulatedRoom
  readonly #hosts: GangHosts
  readonly #lines = new ArrivalLines()
  readonly #leaving = new Departures<Leaving>()
  readonly #book = new WaitBook()
  readonly #watch: RoomWatch
  readonly #refused: WithoutPlace[] = []
  #nowS = 0
  #placed = 0

  constructor(given: Replay) {
    this.#given = given
    const { policy, arrivals } = given
    const { fleet, running } = standing(given.fleet, given.tenants)
    const history = given.knows === 'trace' ? arrivals.map(({ request, nodes }) => ({ request, count: nodes })) : []
    this.#packer = new FastPacker(fleet, { policy, history })
    this.#room = new SimulatedRoom(fleet)
    this.#empty = new SimulatedRoom(given.fleet)
    this.#hosts = new GangHosts(this.#packer, { fleet, tree: domainTree(fleet), patienceS: given.patienceS })
    for (const tenant of running) {
      this.#packer.occupy(tenant.request, tenant.spot)
      this.#room.take(tenant.request, tenant.spot)
      this.#hosts.settle(tenant, 'for-ever')
    }
    const kinds = Map.groupBy(arrivals, ({ request }) => this.#packer.kinds.of(request))
    const usual = [...kinds].map(([kind, own]) => ({ kind, count: own.length }))
    this.#watch = new RoomWatch(this.#room, usual, arrivals)
  }

  play(): Replayed {
    const { arrivals } = this.#given
    const fromS = arrivals[0]?.arrivalS ?? 0
    this.#nowS = fromS
    let next = 0
    for (;;) {
      const atS = Math.min(this.#leaving.nextS, arrivals[next]?.arrivalS ?? Number.POSITIVE_INFINITY)
      if (atS === Number.POSITIVE_INFINITY) break
      this.#nowS = atS
      let hasLeft = false
      for (; this.#leaving.nextS === atS; hasLeft = true) this.#leave(this.#leaving.take())
      for (; arrivals[next]?.arrivalS === atS; next++) this.#come(arrivals[next])
      this.#serve(hasLeft)
      this.#watch.look(atS)
    }
    return this.#result(fromS)
  }

  #leave({ request, spots, name }: Leaving): void {
    for (const spot of spots) {
      this.#packer.release(request, spot)
      this.#room.giveBack(request, spot)
      this.#hosts.clear(spot.node, name)
    }
  }

  #come(arrival: Arrival | undefined): void {
    if (arrival === undefined) return
    const { name, request, nodes } = arrival
    const kind = this.#packer.kinds.of(request)
    const never = this.#empty.neverFits(kind) ?? (nodes > 1 ? this.#hosts.neverFits(arrival, this.#empty) : undefined)
    if (never !== undefined) {
      this.#refused.push({ name, reason: never })
      return
    }
    this.#book.open(sizeOf(request, nodes))
    if (nodes === 1) this.#lines.add({ arrival, kind })
    else this.#hosts.wait(arrival, kind)
  }

  /** Places everything that fits. With gangs, an arrival that was tried may fit after all: nodes are held and released. */
  #serve(hasLeft: boolean): void {
    if (!this.#hosts.isAnyoneWaiting) {
      this.#serveLines(hasLeft ? 'all' : 'new', undefined)
      return
    }
    for (let isMore = true; isMore;) {
      isMore = false
      for (const priority of this.#priorities()) {
        if (this.#serveGangs(priority)) isMore = true
        if (this.#serveLines('all', priority)) isMore = true
      }
    }
  }

  /** Of all that wait, highest first. */
  #priorities(): readonly number[] {
    return [...new Set([...this.#lines.priorities(), ...this.#hosts.priorities()])].sort((one, two) => two - one)
  }

  #serveGangs(priority: number): boolean {
    const starts = this.#hosts.step(priority, this.#nowS)
    for (const start of starts) this.#startGang(start)
    return starts.length > 0
  }

  #startGang({ arrival, kind, nodes }: HostedGang): void {
    const spots = nodes.map((node) => {
      this.#packer.placeAmong(kind, [node])
      return this.#packer.lastSpot()
    })
    this.#start(arrival, spots)
  }

  /** True if something was placed. */
  #serveLines(which: 'all' | 'new', priority: number | undefined): boolean {
    let isAnyonePlaced = false
    this.#lines.serve({ which, priority }, (single) => {
      const isPlaced = this.#place(single.kind)
      if (isPlaced) this.#start(single.arrival, [this.#packer.lastSpot()])
      isAnyonePlaced ||= isPlaced
      return isPlaced
    })
    return isAnyonePlaced
  }

  #place(kind: Kind): boolean {
    const open = this.#hosts.nodesOpen
    return (open === undefined ? this.#packer.placeKind(kind) : this.#packer.placeAmong(kind, open)) >= 0
  }

  #start({ name, request, nodes, arrivalS, durationS, priority }: Arrival, spots: readonly Spot[]): void {
    this.#placed++
    this.#book.add(sizeOf(request, nodes), { waitS: this.#nowS - arrivalS, isOver: true })
    for (const spot of spots) {
      this.#room.take(request, spot)
      const tenant = { name, request, spot, priority, restart: 'training', checkpointAgeS: undefined } as const
      this.#hosts.settle(tenant, durationS === undefined ? 'for-ever' : 'for-now')
    }
    if (durationS !== undefined) this.#leaving.add(this.#nowS + durationS, { request, spots, name })
  }

  #result(fromS: number): Replayed {
    const singles = this.#lines.waiting()
    const gangs = this.#hosts.waiting()
    for (const { arrival } of [...singles, ...gangs])
      this.#book.add(sizeOf(arrival.request, arrival.nodes), { waitS: this.#nowS - arrival.arrivalS, isOver: false })
    const waiting = [
      ...singles.map(({ arrival, kind }) => ({ arrival, reason: this.#room.whyNot(kind) ?? ('kept' as const) })),
      ...gangs.map(({ arrival, kind }) => ({ arrival, reason: this.#hosts.whyNot(arrival, kind) })),
    ].sort((one, two) => one.arrival.arrivalS - two.arrival.arrivalS)
    return {
      capacityMilli: this.#room.capacityMilli,
      fromS,
      toS: this.#nowS,
      ...this.#watch.result(this.#nowS),
      arrived: this.#given.arrivals.length,
      placed: this.#placed,
      waits: this.#book.bySize(),
      refused: this.#refused,
      waiting: waiting.map(({ arrival: { name }, reason }) => ({ name, reason })),
    }
  }
}
