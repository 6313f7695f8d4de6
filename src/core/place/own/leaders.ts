import { must } from '../../base/assert.ts'
import type { Spread } from '../../manifest/manifest.ts'
import { int, real } from '../../pack/engine/read.ts'
import { at, listingAt, siteIn, type Snapshot } from '../../offer/snapshot.ts'
import { compareStandings, type Ranking, type RankedOffer } from '../rank.ts'
import type { Band, Tally } from '../tally.ts'
import type { OwnOptions, Stretch } from './options.ts'

/** Rows of one band at one price: none of them ranks before another. They have places in a row, in the price order. */
interface Entry {
  readonly stretch: Stretch
  readonly from: number
  readonly to: number
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
  /** The first place with room from one place up to another; -1: none has. */
  readonly firstRoom: (from: number, to: number) => number
}

/** What leaders are worked out from. */
interface LeadersInput {
  readonly tally: Tally
  readonly ranking: Ranking
  /** By row: its rank by the id of its node, then by its own id. */
  readonly ranks: () => Int32Array
}

/** The rows of fleets by rank. Worked out once for each ranking; only room is asked for with each decision. */
export class Leaders {
  readonly #snapshot: Snapshot
  readonly #options: OwnOptions
  readonly #entries: readonly Entry[]
  /** Entries of bands whose rows all belong to fleets, best first. */
  readonly #inFleets: readonly Entry[]
  readonly #usdPerHour: Float64Array
  readonly #ranking: Ranking
  readonly #ranks: () => Int32Array
  readonly #peers = new Map<string, Int32Array>()

  constructor(snapshot: Snapshot, options: OwnOptions, { tally, ranking, ranks }: LeadersInput) {
    this.#snapshot = snapshot
    this.#options = options
    this.#usdPerHour = tally.order.usdPerHour
    this.#ranking = ranking
    this.#ranks = ranks
    this.#entries = options.stretches.flatMap((stretch) => this.#cut(stretch))
    this.#inFleets = this.#entries
      .filter(({ stretch: { band, from, to } }) => to - from === band.to - band.from)
      .sort((one, two) => compareStandings(one.standing, two.standing, snapshot))
  }

  /** The row with room that ranks first. */
  first({ spread, admits, firstRoom }: LeaderQuestion): Leader | undefined {
    let leader: Leader | undefined
    for (const { stretch, from, to, standing } of this.#inFleets) {
      if (leader !== undefined && isBehind(standing, leader.standing)) break
      const home = spread === 'zone' ? undefined : this.#domainOf(stretch.band, spread)
      if (home !== undefined && !admits(home)) continue
      for (let place = firstRoom(from, to); place >= 0; place = firstRoom(place + 1, to)) {
        const row = this.#options.rowAt(place)
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
   * The places of options that rank equal to a leader: at the same price, and in the same state or with the same score. They
   * are sorted by node, then by row.
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
    for (const { stretch, from, to, standing } of this.#entries) {
      if (stretch.fleet !== fleet || standing.usdPerHour !== leader.usdPerHour) continue
      if (stateOf(stretch.band) !== stateOf(own.band) && standing.score !== leader.score) continue
      for (let place = from; place < to; place++) {
        if (this.#options.requestAt(place) === undefined) continue
        if (zone === undefined || this.#zoneOf(this.#options.rowAt(place)) === zone) found.push(place)
      }
    }
    const peers = this.sorted(found)
    this.#peers.set(key, peers)
    return peers
  }

  /** Places of options by node, then by row: of equals, the first is taken. */
  sorted(places: readonly number[]): Int32Array {
    const ranks = this.#ranks()
    // Rank and place in one number each: numbers are sorted many times faster than by a function.
    const keys = new Float64Array(places.length)
    let isSorted = true
    for (let index = 0; index < places.length; index++) {
      const place = places[index] ?? 0
      keys[index] = int(ranks, this.#options.rowAt(place)) * PLACES_MAX + place
      isSorted &&= index === 0 || real(keys, index - 1) < real(keys, index)
    }
    if (isSorted) return Int32Array.from(places)
    keys.sort()
    const found = new Int32Array(keys.length)
    for (let index = 0; index < keys.length; index++) found[index] = real(keys, index) % PLACES_MAX
    return found
  }

  /** The price must not differ within an entry. Prices rise within a stretch, and rows without one come last. */
  #cut(stretch: Stretch): readonly Entry[] {
    const { band, to: end } = stretch
    const priceAt = (place: number): number => at(this.#usdPerHour, this.#options.positionAt(place))
    const entries: Entry[] = []
    for (let from = stretch.from; from < end;) {
      const usdPerHour = priceAt(from)
      let to = Object.is(priceAt(end - 1), usdPerHour) ? end : from + 1
      while (to < end && Object.is(priceAt(to), usdPerHour)) to++
      entries.push({ stretch, from, to, standing: this.#ranking.standing(band, this.#options.positionAt(from)) })
      from = to
    }
    return entries
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
}

/** More rows than any snapshot has; a rank times this is still exact. */
const PLACES_MAX = 2 ** 26

function isBehind(one: RankedOffer, leader: RankedOffer): boolean {
  if (one.tier !== leader.tier) return one.tier > leader.tier
  return one.score !== leader.score ? one.score < leader.score : one.usdPerHour > leader.usdPerHour
}

/** The leaders of an ask, made once for each ranking. */
export function leadersOf(snapshot: Snapshot, options: OwnOptions, about: LeadersInput): Leaders {
  const known = LEADERS.get(about.ranking)
  if (known !== undefined) return known
  const made = new Leaders(snapshot, options, about)
  LEADERS.set(about.ranking, made)
  return made
}

const LEADERS = new WeakMap<Ranking, Leaders>()
