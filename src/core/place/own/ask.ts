import type { Asking, Option, OwnOptions } from './options.ts'
import type { OwnRows } from './rows.ts'
import { leadersOf, type Leader, type Leaders, type LeaderQuestion } from './leaders.ts'
import { must } from '../../base/assert.ts'
import type { NodeUse } from '../../fleet/use.ts'
import type { Request, Spot } from '../../fleet/fleet.ts'
import { countHosts, domainOf, LEVELS, type Domain } from '../../fleet/domain-tree.ts'
import type { Gang, GangSpot, HostView } from '../../pack/gang/gang.ts'
import { findSpot } from '../../pack/gang/place-gang.ts'
import { chooses } from '../../requirement/need/choice.ts'
import type { Need } from '../../requirement/need/need.ts'
import { LINK_RANK } from '../../hardware/link.ts'
import { at } from '../../offer/snapshot.ts'
import { bestLink } from '../../pack/owned/card-link.ts'
import { FleetScores } from './fleet-scores.ts'
import { hintFor, type OwnHint } from './hint.ts'
import type { Ranking, RankedOffer } from '../rank.ts'
import type { Band, Tally } from '../tally.ts'

/** A node of a fleet that was chosen, what it gives, and its state before and after. */
export interface OwnPlace {
  readonly fleet: number
  readonly standing: RankedOffer
  readonly request: Request
  readonly spot: Spot
  readonly before: NodeUse
  readonly after: NodeUse
}

/** A replica's place in a fleet. */
export interface OwnSpot {
  /** One for each node of a gang. */
  readonly places: readonly OwnPlace[]
  /** The narrowest domain that holds the whole gang; undefined: it is no gang. */
  readonly domain: Domain | undefined
}

/** What a plan asks of fleets. */
export interface OwnQuestion {
  /** The name of the replicas in the fleet. */
  readonly name: string
  readonly need: Need
  readonly tally: Tally
  readonly ranking: Ranking
  /** Spots to take in one fleet, replica by replica, and nothing else of any fleet; left out: the engine chooses. */
  readonly hints?: { readonly fleet: number; readonly replicas: readonly (readonly Spot[])[] }
}

/** The fleets from the view of one ask: which of their rows have room now, and which node the engine takes. */
export class OwnAsk {
  readonly own: OwnRows
  readonly question: OwnQuestion
  readonly #options: OwnOptions
  /** By fleet. */
  readonly #scores: FleetScores[] = []
  readonly #gangs = new Map<number, Gathered | undefined>()
  readonly #hintsLeft: (readonly Spot[])[]
  #hint: OwnHint | undefined
  #placed = 0

  constructor(own: OwnRows, question: OwnQuestion) {
    this.own = own
    this.question = question
    this.#options = own.fitting(question.tally, question.need)
    this.#hintsLeft = [...(question.hints?.replicas ?? [])]
    this.#hint = this.#nextHint()
  }

  /** Indices of the bands that fit and do not lie in fleets altogether: their rows are looked at one by one. */
  get elsewhere(): readonly number[] {
    return this.#options.elsewhere
  }

  /** The row of a fleet with room that ranks first. */
  leader(question: Omit<LeaderQuestion, 'firstRoom'>): Leader | undefined {
    return this.#leaders().first({ ...question, firstRoom: (from, to) => this.#firstRoom(from, to) })
  }

  /** The first place with room, of options of one fleet; -1: none has. */
  #firstRoom(from: number, to: number): number {
    if (from >= to) return -1
    if (this.question.hints === undefined && this.question.need.nodes === 1)
      return this.#scoresIn(this.#options.fleetAt(from)).firstRoom(from, to)
    for (let place = from; place < to; place++) if (this.hasRoom(this.#options.rowAt(place)) === true) return place
    return -1
  }

  /** Where in the price order a band has room first; undefined: it has none. Only fleets are asked. */
  firstPosition(band: Band): number | undefined {
    const stretch = this.#options.stretches.find((one) => one.band === band)
    if (stretch === undefined || stretch.to - stretch.from < band.to - band.from) return band.from
    const place = this.#firstRoom(stretch.from, stretch.to)
    return place < 0 ? undefined : this.#options.positionAt(place)
  }

  #leaders(): Leaders {
    const { tally, ranking } = this.question
    return leadersOf(this.own.snapshot, this.#options, { tally, ranking, ranks: () => this.own.ranks })
  }

  /** Whether a row has room once more; undefined: it belongs to no fleet, and is counted elsewhere. */
  hasRoom(row: number): boolean | undefined {
    const place = this.#options.placeOf(row)
    if (place < 0) return undefined
    if (this.question.hints !== undefined)
      return this.#hint?.workers.some((worker) => worker.option.row === row) ?? false
    return this.question.need.nodes > 1
      ? this.#gang(this.#options.fleetAt(place)) !== undefined
      : this.#scoreAt(place) !== NO_ROOM
  }

  /** Whether any row of a fleet has room once more. */
  hasRoomIn(fleet: number): boolean {
    return this.optionsIn(fleet).some(({ row }) => this.hasRoom(row))
  }

  /** Options that state what they would take. */
  optionsIn(fleet: number): readonly Asking[] {
    return this.#options.asking(fleet)
  }

  /** A key that two rows share if neither ranks before the other: then the engine chooses. */
  peersOf(row: number): string {
    const option = this.#options.get(row)
    return option === undefined ? `row ${row}` : `fleet ${option.fleet} ${this.#priceOf(option)}`
  }

  /** Takes the best of the fleet whose row ranks first: a node among its peers, or nodes for a gang. `zone`: only there. */
  settle(leader: RankedOffer, zone: string | undefined): OwnSpot | undefined {
    const first = this.#options.get(leader.row)
    if (first === undefined) return undefined
    if (this.#hint !== undefined) return this.#settleHint(this.#hint)
    if (this.question.need.nodes > 1) return this.#settleGang(first.fleet)
    const best = must(this.#best(this.#leaders().peersOf(leader, zone)), 'the leader has room')
    return { places: [this.#take(best)], domain: undefined }
  }

  /** Takes room for one more replica in any fleet, the highest-ranking fleet first; undefined: there is none. */
  hold(): OwnPlace | undefined {
    const options = this.own.fleets.flatMap((_, fleet) => this.optionsIn(fleet))
    const roomy = options.filter((option) => this.scoreOf(option) !== NO_ROOM)
    const standings = roomy.map((option) => this.#standing(option))
    const leader = standings.sort((one, two) => one.tier - two.tier || two.score - one.score)[0]
    const fleet = leader === undefined ? undefined : this.#options.get(leader.row)?.fleet
    const places = roomy.filter((option) => option.fleet === fleet).map(({ row }) => this.#options.placeOf(row))
    const best = this.#best(this.#leaders().sorted(places))
    return best === undefined ? undefined : this.#take(best)
  }

  /** How good it is to take an option now (see FleetRoom); minus infinity if it has no room. */
  scoreOf({ row }: Pick<Option, 'row'>): number {
    return this.#scoreAt(this.#options.placeOf(row))
  }

  #scoreAt(place: number): number {
    return place < 0 ? NO_ROOM : this.#scoresIn(this.#options.fleetAt(place)).of(place)
  }

  #scoresIn(fleet: number): FleetScores {
    const isLinked = this.#options.requests.some((request) => this.#wantsLink(request))
    return (this.#scores[fleet] ??= new FleetScores(this.#options, fleet, {
      room: this.own.room(fleet),
      isLinked: isLinked ? (place) => this.#isLinkedAt(place) : undefined,
    }))
  }

  /** Whether the free cards of an option's node are linked as requested. */
  #isLinkedAt(place: number): boolean {
    const { fleet, node, request } = must(this.#options.at(place), 'inside')
    if (request === undefined || !this.#wantsLink(request)) return true
    const { cards } = this.own.room(fleet).useAt(node)
    const idle = cards.flatMap(({ state }, card) => (state === 'free' ? [card] : []))
    return this.isLinked({ fleet, node, request }, idle)
  }

  /** Whether the best cards among some of a node are linked as requested. */
  isLinked({ fleet, node, request }: Pick<Asking, 'fleet' | 'node' | 'request'>, among: readonly number[]): boolean {
    if (!this.#wantsLink(request)) return true
    const { gpu, unknownAccepted } = this.question.need
    const wanted = gpu?.link.min ?? 0
    const link = bestLink(this.own.room(fleet).nodeAt(node), among, request.count)
    return link === undefined ? chooses(unknownAccepted, 'interconnect') : LINK_RANK[link] >= wanted
  }

  #wantsLink({ count }: Request): boolean {
    return count > 1 && (this.question.need.gpu?.link.min ?? 0) > LINK_RANK.pcie
  }

  /** The best way to use each node that has room, by node. */
  hostsIn(fleet: number): ReadonlyMap<number, AskHost> {
    const hosts = new Map<number, AskHost>()
    for (const option of this.optionsIn(fleet)) {
      const score = this.scoreOf(option)
      const known = hosts.get(option.node)
      if (score !== NO_ROOM && (known === undefined || score > known.score)) hosts.set(option.node, { option, score })
    }
    return hosts
  }

  /** Workers of a gang get the same model of card: the gang is as slow as its slowest member. */
  kindOf(fleet: number, node: number): string {
    const { gpu, nodes } = this.question.need
    return gpu === undefined || nodes === 1 ? '' : (this.own.room(fleet).nodeAt(node).model ?? '')
  }

  /** The gang as each fleet is asked for it. The options hold what its workers request. */
  gang(request: Request): Gang {
    const { nodes, within } = this.question.need
    return { id: this.question.name, nodes, request, within }
  }

  /** Like `gang`; if all members share a node, they are requested as one. */
  gangIn(fleet: number, request: Request): Gang {
    const gang = this.gang(request)
    return this.isStacked(fleet) ? { ...gang, nodes: 1, request: times(request, gang.nodes) } : gang
  }

  /** If all members share a node: whether this node has room for all. */
  hasRoomForGang(fleet: number, node: number): boolean {
    const { nodes } = this.question.need
    if (nodes === 1 || !this.isStacked(fleet)) return true
    return this.#gang(fleet)?.hosts.has(node) ?? false
  }

  #gang(fleet: number): Gathered | undefined {
    if (!this.#gangs.has(fleet)) this.#gangs.set(fleet, this.#gather(fleet))
    return this.#gangs.get(fleet)
  }

  /** Of the card models that could serve, the one whose nodes are closest together; then the best score, then the first. */
  #gather(fleet: number): Gathered | undefined {
    const all = [...this.hostsIn(fleet)]
    if (this.isStacked(fleet)) return this.#stack(fleet, all)
    const kinds = [...Map.groupBy(all, ([node]) => this.kindOf(fleet, node))]
    const found = kinds
      .sort(([one], [two]) => (one < two ? -1 : 1))
      .flatMap(([, entries]) => {
        const hosts = new Map(entries)
        const spot = this.#findSpot(fleet, hosts)
        return spot === undefined ? [] : [{ spot, hosts, total: totalOf(spot, hosts) }]
      })
    return found.sort((one, two) => depthOf(two.spot) - depthOf(one.spot) || two.total - one.total)[0]
  }

  /** Whether all members of a gang share a node of this fleet. */
  isStacked(fleet: number): boolean {
    return this.own.fleets[fleet]?.gangs === 'one-node'
  }

  /** The best node with room for all members at once. */
  #stack(fleet: number, hosts: readonly (readonly [number, AskHost])[]): Gathered | undefined {
    const { nodes } = this.question.need
    const room = this.own.room(fleet)
    let best: Gathered | undefined
    let most = NO_ROOM
    for (const [node, host] of hosts) {
      const score = room.score(times(host.option.request, nodes), node)
      if (score <= most) continue
      const spot = {
        kind: 'fits' as const,
        nodes: Array.from({ length: nodes }, () => node),
        domain: domainOf(room.tree, 0),
      }
      best = { spot, hosts: new Map([[node, host]]) }
      most = score
    }
    return best
  }

  #findSpot(fleet: number, hosts: ReadonlyMap<number, AskHost>): GangSpot | undefined {
    const { tree } = this.own.room(fleet)
    const [first] = hosts.values()
    if (first === undefined) return undefined
    const view: HostView = { canHost: (node) => hosts.has(node), score: (node) => hosts.get(node)?.score ?? NO_ROOM }
    const count = countHosts(tree, (node) => view.canHost(node))
    return findSpot(tree, this.gang(first.option.request), { view, count })
  }

  #settleGang(fleet: number): OwnSpot {
    const { spot, hosts } = must(this.#gang(fleet), 'the leader has room')
    const places = spot.nodes.map((node) => this.#take(must(hosts.get(node), 'a host').option))
    return { places, domain: spot.domain }
  }

  #settleHint({ workers, domain }: OwnHint): OwnSpot {
    const places = workers.map(({ option, spot }) => this.#take(option, spot))
    this.#hint = this.#nextHint()
    return { places, domain }
  }

  /** The next hint that can still be taken. */
  #nextHint(): OwnHint | undefined {
    const fleet = this.question.hints?.fleet ?? 0
    for (let spots = this.#hintsLeft.shift(); spots !== undefined; spots = this.#hintsLeft.shift()) {
      const hint = hintFor(this, fleet, spots)
      if (hint !== undefined) return hint
    }
    return undefined
  }

  /** Takes an option, at a spot that is known to be free or at the best spot of its node. */
  #take(option: Asking, known?: Spot): OwnPlace {
    const { fleet, node, request } = option
    const room = this.own.room(fleet)
    const before = room.useAt(node)
    const name = `${this.question.name} ${this.#placed++}`
    const spot = known === undefined ? room.take(name, request, node) : room.lodge(name, request, known)
    this.#gangs.clear()
    return { fleet, standing: this.#standing(option), request, spot, before, after: room.useAt(node) }
  }

  /** A request that accepts a part of a card gets no whole card while a part is free. */
  #best(places: Int32Array): Asking | undefined {
    const isPart = (place: number): boolean => this.#options.requestAt(place)?.part.kind !== 'whole'
    const hasParts = this.#options.requests.some(({ part }) => part.kind !== 'whole')
    return (hasParts ? this.#highest(places.filter(isPart)) : undefined) ?? this.#highest(places)
  }

  /** The highest score; of equals, the first node by id, then the first row by id: they come in this order. */
  #highest(places: Int32Array): Asking | undefined {
    const [first] = places
    if (first === undefined) return undefined
    const option = this.#options.at(this.#scoresIn(this.#options.fleetAt(first)).highest(places))
    return option?.request === undefined ? undefined : { ...option, request: option.request }
  }

  #standing({ band, position }: Option): RankedOffer {
    return this.question.ranking.standing(band, position)
  }

  #priceOf({ position }: Option): number {
    return at(this.question.tally.order.usdPerHour, position)
  }
}

const NO_ROOM = Number.NEGATIVE_INFINITY

export interface AskHost {
  readonly option: Asking
  readonly score: number
}

interface Gathered {
  readonly spot: GangSpot
  readonly hosts: ReadonlyMap<number, AskHost>
}

/** What `count` copies of a request ask of one node. */
function times(request: Request, count: number): Request {
  const { cpuMilli, memoryMib, diskMib } = request
  const room = { cpuMilli: cpuMilli * count, memoryMib: memoryMib * count, diskMib: diskMib * count }
  return { ...request, ...room, count: request.count * count }
}

function totalOf({ nodes }: GangSpot, hosts: ReadonlyMap<number, AskHost>): number {
  return nodes.reduce((sum, node) => sum + (hosts.get(node)?.score ?? NO_ROOM), 0)
}

/** The higher the value, the narrower the domain. */
function depthOf({ domain }: GangSpot): number {
  return LEVELS.indexOf(domain.level)
}
