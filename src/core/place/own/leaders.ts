import { must } from '../../base/assert.ts'
import type { Spread } from '../../manifest/manifest.ts'
import { at, listingAt, siteIn, type Snapshot } from '../../offer/snapshot.ts'
import { compareStandings, type Ranking, type RankedOffer } from '../rank.ts'
import type { Band, Tally } from '../tally.ts'
import type { Option, OwnOptions } from './options.ts'

/** Rows of one band at one price: none of them ranks before another. */
interface Entry {
  readonly band: Band
  /** As places in `OwnOptions.all`, in the price order. */
  readonly options: Int32Array
  /** Of its first row. */
  readonly standing: RankedOffer
}

/** A row that leads, and its domain. */
export interface Leader {
  readonly standing: RankedOffer
  readonly domain: string
}

/** What is asked of a leader: where it may be, and which options have room. */
export interface LeaderQuestion {
  readonly spread: Spread
  readonly admits: (domain: string) => boolean
  /** Position of the first of these options that has room, from a position on; -1: none has. */
  readonly firstRoom: (options: Int32Array, from: number) => number
}

/** The rows of fleets by rank. Worked out once for each ranking; only room is asked for with each decision. */
export class Leaders {
  readonly #snapshot: Snapshot
  readonly #options: OwnOptions
  readonly #rows: Uint32Array
  readonly #entries: readonly Entry[]
  readonly #usdPerHour: Float64Array
  readonly #ranking: Ranking
  readonly #peers = new Map<string, Int32Array>()
  readonly #scores = new Map<string, number>()

  constructor(snapshot: Snapshot, options: OwnOptions, { tally, ranking }: { tally: Tally; ranking: Ranking }) {
    this.#snapshot = snapshot
    this.#options = options
    this.#rows = tally.order.rows
    this.#usdPerHour = tally.order.usdPerHour
    this.#ranking = ranking
    const entries = options.inFleets.flatMap((band) => this.#cut(band))
    this.#entries = entries.sort((one, two) => compareStandings(one.standing, two.standing, snapshot))
  }

  /** The row with room that ranks first. */
  first({ spread, admits, firstRoom }: LeaderQuestion): Leader | undefined {
    let leader: Leader | undefined
    for (const { band, options, standing } of this.#entries) {
      if (leader !== undefined && isBehind(standing, leader.standing)) break
      const home = spread === 'zone' ? undefined : this.#domainOf(band, spread)
      if (home !== undefined && !admits(home)) continue
      for (let at = firstRoom(options, 0); at >= 0; at = firstRoom(options, at + 1)) {
        const { row } = must(this.#options.all[options[at] ?? -1], 'inside')
        const domain = home ?? this.#zoneOf(row)
        if (home === undefined && !admits(domain)) continue
        const found = { ...standing, row }
        if (leader === undefined || compareStandings(found, leader.standing, this.#snapshot) < 0)
          leader = { standing: found, domain }
        if (home !== undefined) break
      }
    }
    return leader
  }

  /**
   * Options, as places in `OwnOptions.all`, that rank equal to a leader: at the same price, and in the same state or with the
   * same score. They are sorted by node, then by row.
   */
  peersOf(leader: RankedOffer, zone: string | undefined): Int32Array {
    const own = must(this.#options.get(leader.row), 'a leader among the options')
    const { state } = this.#snapshot.groups
    const stateOf = ({ group }: Band): number => at(state, group)
    const { fleet } = own
    const key = [fleet, leader.usdPerHour, leader.score, stateOf(own.band), zone ?? ''].join('\n')
    const known = this.#peers.get(key)
    if (known !== undefined) return known
    const found: number[] = []
    for (const [index, option] of this.#options.all.entries()) {
      if (option.fleet !== fleet || option.request === undefined) continue
      if (this.#usdPerHour[option.position] !== leader.usdPerHour) continue
      if (stateOf(option.band) !== stateOf(own.band) && this.#scoreOf(option) !== leader.score) continue
      if (zone === undefined || this.#zoneOf(option.row) === zone) found.push(index)
    }
    const peers = this.sorted(found)
    this.#peers.set(key, peers)
    return peers
  }

  /** Options, as places in `OwnOptions.all`, by node, then by row: of equals, the first is taken. */
  sorted(options: readonly number[]): Int32Array {
    return Int32Array.from(options.toSorted((one, two) => this.#compare(one, two)))
  }

  /** The price must not differ within an entry. */
  #cut(band: Band): readonly Entry[] {
    const usdPerHour = this.#usdPerHour
    const entries: Entry[] = []
    for (let from = band.from; from < band.to;) {
      let to = from + 1
      while (to < band.to && Object.is(at(usdPerHour, to), at(usdPerHour, from))) to++
      const options = Int32Array.from(this.#rows.subarray(from, to), (row) => this.#options.indexOf(row))
      entries.push({ band, options, standing: this.#ranking.standing(band, from) })
      from = to
    }
    return entries
  }

  /** Rows of a band at the same price have the same score. */
  #scoreOf({ band, position }: Option): number {
    const key = `${band.group} ${at(this.#usdPerHour, position)}`
    const known = this.#scores.get(key) ?? this.#ranking.standing(band, position).score
    this.#scores.set(key, known)
    return known
  }

  #domainOf({ group }: Band, spread: Exclude<Spread, 'zone'>): string {
    if (spread === 'none') return ''
    const { provider, region } = siteIn(this.#snapshot, group)
    return spread === 'provider' ? provider : `${provider}/${region}`
  }

  #zoneOf(row: number): string {
    const { site, zone } = listingAt(this.#snapshot, row)
    return `${site.provider}/${site.region}/${zone ?? ''}`
  }

  #compare(one: number, two: number): number {
    const [first, second] = [must(this.#options.all[one], 'inside'), must(this.#options.all[two], 'inside')]
    const { fleets } = this.#snapshot
    const nameOf = (fleet: number, node: number): string => fleets[fleet]?.fleet.nodes[node]?.id ?? ''
    const [name, other] = [nameOf(first.fleet, first.node), nameOf(second.fleet, second.node)]
    if (name !== other) return name < other ? -1 : 1
    return listingAt(this.#snapshot, first.row).id < listingAt(this.#snapshot, second.row).id ? -1 : 1
  }
}

function isBehind(one: RankedOffer, leader: RankedOffer): boolean {
  if (one.tier !== leader.tier) return one.tier > leader.tier
  return one.score !== leader.score ? one.score < leader.score : one.usdPerHour > leader.usdPerHour
}

/** The leaders of an ask, made once for each ranking. */
export function leadersOf(
  snapshot: Snapshot,
  options: OwnOptions,
  about: { readonly tally: Tally; readonly ranking: Ranking },
): Leaders {
  const known = LEADERS.get(about.ranking)
  if (known !== undefined) return known
  const made = new Leaders(snapshot, options, about)
  LEADERS.set(about.ranking, made)
  return made
}

const LEADERS = new WeakMap<Ranking, Leaders>()
