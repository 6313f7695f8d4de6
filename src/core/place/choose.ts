import { must } from '../base/assert.ts'
import type { Spread } from '../manifest/manifest.ts'
import { at, groupOf, listingAt, stateIn, type Snapshot } from '../offer/snapshot.ts'
import type { OwnAsk, OwnSpot } from './own/ask.ts'
import { compareStandings, type Ranking, type RankedOffer } from './rank.ts'
import type { Band, Tally } from './tally.ts'

/** How many places are wanted, and how they must be spread. */
export interface ReplicaRequest {
  readonly replicas: number
  /** Machines that a replica takes: all of one offer, or nodes of one fleet. */
  readonly nodes: number
  readonly spread: Spread
  /** Domains of replicas that already have their place. */
  readonly placed?: readonly string[]
}

/** What earlier choices took of each offer: machines by row. */
export type TakenRows = Map<number, number>

/** A replica's place, and why it was chosen. */
export interface Choice {
  readonly replica: number
  readonly standing: RankedOffer
  /**
   * `best`: nothing ranks higher. `spread`: something does, but its domain has its share. `full`: something does, but none of
   * it is left.
   */
  readonly because: 'best' | 'spread' | 'full'
  /** Where in a fleet; undefined: it is rented, or owned as a whole machine. */
  readonly own: OwnSpot | undefined
}

export interface Choosing {
  readonly snapshot: Snapshot
  readonly tally: Tally
  readonly ranking: Ranking
  readonly taken: TakenRows
  /** The fleets among the offers; undefined: there are none. */
  readonly own: OwnAsk | undefined
}

/**
 * Chooses a place for each replica, best first; fewer than requested if offers run out. It records in `taken` what it takes.
 */
export function choose(request: ReplicaRequest, choosing: Choosing): readonly Choice[] {
  const choices: Choice[] = []
  const shares = new Map<string, number>()
  for (const domain of request.placed ?? []) shares.set(domain, (shares.get(domain) ?? 0) + 1)
  const first = best(request, choosing, () => true)
  let next = shares.size === 0 ? first : nextPlace(request, choosing, shares)
  for (let replica = 0; replica < request.replicas; replica++) {
    if (replica > 0 && !canRepeat(next, request, choosing)) next = nextPlace(request, choosing, shares)
    if (next === undefined) break
    choices.push(take(replica, next, { request, choosing, first }))
    shares.set(next.domain, (shares.get(next.domain) ?? 0) + 1)
  }
  return choices
}

interface Taking {
  readonly request: ReplicaRequest
  readonly choosing: Choosing
  readonly first: Found | undefined
}

/** In a fleet the engine takes the best spot; of any other offer, one unit fewer is left. */
function take(replica: number, found: Found, { request, choosing, first }: Taking): Choice {
  const { taken, own } = choosing
  const { standing, domain } = found
  const because = cause(found, first, own)
  const spot = own?.settle(standing, request.spread === 'zone' ? domain : undefined)
  if (spot === undefined) taken.set(standing.row, (taken.get(standing.row) ?? 0) + request.nodes)
  return { replica, standing: spot?.places[0]?.standing ?? standing, because, own: spot }
}

/** The best offers that were not chosen and have room, best first, one per group. */
export function runnersUp(
  choices: readonly Choice[],
  { snapshot, tally, ranking, own }: Choosing,
  most: number,
): readonly RankedOffer[] {
  const chosen = new Set(choices.flatMap(rowsOf).map((row) => groupOf(snapshot, row)))
  const leaders: RankedOffer[] = []
  tally.fits.forEach((band, index) => {
    const last = leaders.length === most ? leaders.at(-1) : undefined
    if (chosen.has(band.group) || (last !== undefined && isBehind(index, last, ranking))) return
    const position = own === undefined ? band.from : own.firstPosition(band)
    if (position === undefined) return
    const standing = ranking.standing(band, position)
    const place = leaders.findIndex((leader) => compareStandings(standing, leader, snapshot) < 0)
    leaders.splice(place < 0 ? leaders.length : place, 0, standing)
    leaders.length = Math.min(leaders.length, most)
  })
  return leaders
}

/** The rows of a choice: one, or one for each node of a gang in a fleet. */
export function rowsOf({ standing, own }: Choice): readonly number[] {
  return own === undefined ? [standing.row] : own.places.map((place) => place.standing.row)
}

/** The domain of a row that a spread counts by. */
export function domainOf(snapshot: Snapshot, row: number, spread: Spread): string {
  const { site, zone } = listingAt(snapshot, row)
  return domainAt({ ...site, zone }, spread)
}

/** The domain of a place that a spread counts by. */
export function domainAt(
  place: { readonly provider: string; readonly region: string; readonly zone: string | undefined },
  spread: Spread,
): string {
  const { provider, region, zone } = place
  switch (spread) {
    case 'none':
      return ''
    case 'provider':
      return provider
    case 'region':
      return `${provider}/${region}`
    case 'zone':
      return `${provider}/${region}/${zone ?? ''}`
  }
}

interface Found {
  readonly standing: RankedOffer
  readonly domain: string
  /** Whether a domain was skipped because it has its share. */
  readonly spread: boolean
}

/** The best offer in the domains that hold the fewest replicas so far. */
function nextPlace(
  request: ReplicaRequest,
  choosing: Choosing,
  shares: ReadonlyMap<string, number>,
): Found | undefined {
  if (request.spread === 'none') return best(request, choosing, () => true)
  const most = Math.max(0, ...shares.values())
  for (let share = 0; share <= most; share++) {
    const found = best(request, choosing, (domain) => (shares.get(domain) ?? 0) === share)
    if (found !== undefined) return { ...found, spread: shares.size > 0 }
  }
  return undefined
}

/** Without a spread, the last place is still the best one as long as more of it is left. */
function canRepeat(last: Found | undefined, request: ReplicaRequest, { snapshot, taken, own }: Choosing): boolean {
  if (last === undefined || request.spread !== 'none' || own?.hasRoom(last.standing.row) !== undefined) return false
  const { row } = last.standing
  return request.nodes <= roomAt(row, groupOf(snapshot, row), { snapshot, taken })
}

function best(request: ReplicaRequest, choosing: Choosing, admits: (domain: string) => boolean): Found | undefined {
  const { snapshot, tally, ranking, own } = choosing
  const owned = own?.leader({ spread: request.spread, admits })
  let leader: Found | undefined = owned && { ...owned, spread: false }
  const consider = (index: number, position: number, domain: string): void => {
    const band = must(tally.fits[index], 'inside')
    if (leader !== undefined && isBehind(index, leader.standing, ranking)) return
    if (!admits(domain)) return
    const standing = ranking.standing(band, position)
    if (leader === undefined || compareStandings(standing, leader.standing, snapshot) < 0)
      leader = { standing, domain, spread: false }
  }
  for (const index of own?.elsewhere ?? tally.fits.keys()) {
    const band = must(tally.fits[index], 'inside')
    if (request.spread === 'zone') {
      for (const { position, domain } of zones(band, request, choosing)) consider(index, position, domain)
      continue
    }
    const position = firstWithRoom(band, request, choosing)
    if (position < band.to) consider(index, position, groupDomain(snapshot, band.group, request.spread))
  }
  return leader
}

/** Whether even the first offer of a band ranks lower: then the rest of the band needs no closer look. */
function isBehind(index: number, leader: RankedOffer, { tiers, scores }: Ranking): boolean {
  const tier = at(tiers, index)
  return tier > leader.tier || (tier === leader.tier && at(scores, index) < leader.score)
}

/** The cheapest offer of a band that has room, or the band's end. */
function firstWithRoom(band: Band, request: ReplicaRequest, { snapshot, tally, taken, own }: Choosing): number {
  if (taken.size === 0 && own === undefined) return band.from
  const hasRoom = (row: number): boolean =>
    own?.hasRoom(row) ?? request.nodes <= roomAt(row, band.group, { snapshot, taken })
  let position = band.from
  while (position < band.to && !hasRoom(at(tally.order.rows, position))) position++
  return position
}

/** The cheapest offer with room in each zone of a band. */
function zones(
  band: Band,
  request: ReplicaRequest,
  choosing: Choosing,
): readonly { position: number; domain: string }[] {
  const { snapshot, tally } = choosing
  const found = new Map<string, number>()
  for (let position = band.from; position < band.to; position++) {
    const open = firstWithRoom({ ...band, from: position, to: position + 1 }, request, choosing) === position
    const domain = domainOf(snapshot, at(tally.order.rows, position), 'zone')
    if (open && !found.has(domain)) found.set(domain, position)
  }
  return [...found].map(([domain, position]) => ({ position, domain }))
}

/** Like `domainOf`, for domains that follow from a group. */
function groupDomain(snapshot: Snapshot, group: number, spread: 'none' | 'provider' | 'region'): string {
  if (spread === 'none') return ''
  const site = must(snapshot.sites[at(snapshot.groups.site, group)], 'a group has a site')
  return spread === 'provider' ? site.provider : `${site.provider}/${site.region}`
}

/** Machines of one row that are still available. Unknown stock counts as enough; the bind finds out. */
function roomAt(row: number, group: number, { snapshot, taken }: Pick<Choosing, 'snapshot' | 'taken'>): number {
  const { units = Number.POSITIVE_INFINITY, quotaLeft, quota } = stateIn(snapshot, group)
  const here = taken.get(row) ?? 0
  if (quotaLeft === undefined) return units - here
  return Math.min(units - here, quotaLeft - (quota === undefined ? here : takenOf(row, snapshot, taken)))
}

/** What earlier choices took of the quota that a row shares with other offers of its provider. */
function takenOf(row: number, snapshot: Snapshot, taken: TakenRows): number {
  const quotaAt = (one: number): string => {
    const group = groupOf(snapshot, one)
    const { provider } = must(snapshot.sites[at(snapshot.groups.site, group)], 'a group has a site')
    return `${provider}\n${stateIn(snapshot, group).quota ?? ''}`
  }
  const mine = quotaAt(row)
  let sum = 0
  for (const [one, count] of taken) if (quotaAt(one) === mine) sum += count
  return sum
}

function cause(found: Found, first: Found | undefined, own: OwnAsk | undefined): Choice['because'] {
  if (first === undefined || first.standing.row === found.standing.row) return 'best'
  if (found.spread) return 'spread'
  return own !== undefined && own.peersOf(first.standing.row) === own.peersOf(found.standing.row) ? 'best' : 'full'
}
