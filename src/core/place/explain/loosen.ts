import { FILTERS } from '../../requirement/filter/all-filters.ts'
import { market } from '../../requirement/filter/market.ts'
import type { AnyFilter, Filter, Loosening } from '../../requirement/filter/filter.ts'
import { admitting, chooses, listChoice } from '../../requirement/need/choice.ts'
import type { Need } from '../../requirement/need/need.ts'
import { at, machineIn, siteIn, stateIn, type Snapshot } from '../../offer/snapshot.ts'
import { priceFor } from '../share.ts'
import { priceOn } from '../../requirement/need/price.ts'
import { refusal, refusalAt, type Judgement, type Question, type OfferSpot } from '../judge.ts'
import { failing, type Band, type Tally } from '../tally.ts'

/** A single change and what it would achieve. */
export interface Relaxation {
  readonly key: string
  readonly from: string
  readonly to: string
  /** How many more offers would fit. */
  readonly offers: number
  /** The cheapest of them, and what it costs an hour. */
  readonly usdPerHour: number
  readonly row: number
  /** The need with the change made. */
  readonly need: Need
  /** How large the change is, relative to the request; Infinity: a change of kind rather than of amount. */
  readonly share: number
  /** What to know before making the change; left out: nothing. */
  readonly note?: string
}

/**
 * The smallest single changes that would admit more offers. For each requirement that alone excludes some offers: the
 * nearest steps, and the step that admits the cheapest of them.
 */
export function relaxations(snapshot: Snapshot, judgement: Judgement, tally: Tally): readonly Relaxation[] {
  const near = tally.near.map(suspect)
  const world = { snapshot, judgement, tally, near }
  const found = [...aloneAtFault(tally), ...soldBothWays(world)].flatMap(([filter, bands]) => {
    const steps = unique([...nearest(filter, bands, world), ...acceptUnknown(filter, bands, world)])
    return worthSaying(steps.map((step) => whatItBrings(step, world)))
  })
  return found.sort(
    (one, two) =>
      bySize(one.share, two.share) ||
      one.usdPerHour - two.usdPerHour ||
      compareText(one.key + one.to, two.key + two.to),
  )
}

interface World {
  readonly snapshot: Snapshot
  readonly judgement: Judgement
  readonly tally: Tally
  /** The bands that a single change might admit, with the filters that refuse them. */
  readonly near: readonly Suspect[]
}

interface Suspect {
  readonly band: Band
  readonly filters: readonly AnyFilter[]
  /** Whether one of the filters is about price. */
  readonly byPrice: boolean
}

function suspect(band: Band): Suspect {
  const filters = failing(band)
  return { band, filters, byPrice: filters.some((filter) => filter.about === 'price') }
}

const STEPS_TRIED = 3

/** Bands of offers that a single filter excludes, by that filter. */
function aloneAtFault(tally: Tally): ReadonlyMap<AnyFilter, readonly Band[]> {
  const bands = new Map<AnyFilter, Band[]>()
  for (const band of tally.near) {
    const [filter, another] = failing(band)
    if (filter === undefined || another !== undefined) continue
    const own = bands.get(filter)
    if (own === undefined) bands.set(filter, [band])
    else own.push(band)
  }
  return bands
}

/** The filter on terms of sale refuses nothing that is sold on both terms, but it may still exclude the lower price. */
function soldBothWays({ snapshot, judgement, tally, near }: World): readonly (readonly [AnyFilter, readonly Band[]])[] {
  const isAlone = near.some(({ filters }) => filters.length === 1 && filters[0] === market)
  if (isAlone || judgement.need.market.values.includes('spot')) return []
  const band = tally.fits.find(({ from, to }) =>
    tally.order.rows.subarray(from, to).some((row) => !Number.isNaN(at(snapshot.rows.spotUsdPerHour, row))),
  )
  return band === undefined ? [] : [[market, [band]]]
}

/** The first few steps, and the one that admits the cheapest offer. */
function nearest(filter: AnyFilter, bands: readonly Band[], world: World): readonly Loosening[] {
  const cheapest = bands.reduce((best, band) => (priceAt(band, world) < priceAt(best, world) ? band : best))
  return [...steps(filter, bands, world).slice(0, STEPS_TRIED), ...steps(filter, [cheapest], world).slice(0, 1)]
}

function steps(filter: AnyFilter, bands: readonly Band[], { snapshot, judgement, tally }: World): readonly Loosening[] {
  const { need } = judgement
  const distinct = <S>(of: (band: Band) => S): readonly S[] => [...new Set(bands.map(of))]
  switch (filter.about) {
    case 'machine':
      return (
        filter.loosen?.(
          need,
          distinct((band) => machineIn(snapshot, band.group)),
        ) ?? []
      )
    case 'site':
      return (
        filter.loosen?.(
          need,
          distinct((band) => siteIn(snapshot, band.group)),
        ) ?? []
      )
    case 'state':
      return (
        filter.loosen?.(
          need,
          distinct((band) => stateIn(snapshot, band.group)),
        ) ?? []
      )
    case 'price':
      return (
        filter.loosen?.(
          need,
          distinct((band) => priceFor(snapshot, at(tally.order.rows, band.from), need)),
        ) ?? []
      )
  }
}

/** The policy may be changed to accept unknown values. */
function acceptUnknown(filter: AnyFilter, bands: readonly Band[], world: World): readonly Loosening[] {
  const { need } = world.judgement
  const isUnknown = (band: Band): boolean => {
    const reason = refusalAt(filter, firstSpot(band, world), world.judgement)
    return reason !== undefined && reason.found === undefined
  }
  if (!bands.some(isUnknown)) return []
  const unknownAccepted = admitting(need.unknownAccepted, filter.name)
  const [from, to] = [listChoice(need.unknownAccepted), listChoice(unknownAccepted)]
  return [{ key: 'policy.unknown.accept', from, to, need: { ...need, unknownAccepted } }]
}

/** Judges again with the change made, but only offers that were close: one key affects at most two filters. */
function whatItBrings(step: Loosening, world: World): Relaxation {
  const question = { need: step.need, nowMs: world.judgement.nowMs }
  const passes = passesNow(question, world)
  let offers = 0
  let usdPerHour = Number.POSITIVE_INFINITY
  let row = -1
  for (const { band, filters, byPrice } of world.near) {
    if (!passes(filters, band)) continue
    const found = byPrice ? admitted(band, question, world) : whole(band, world)
    offers += found.offers
    if (found.offers === 0 || found.usdPerHour >= usdPerHour) continue
    usdPerHour = found.usdPerHour
    row = found.row
  }
  const cheaper = isOtherTerms(step, world) ? becomesCheaper(question, world) : NONE_CHEAPER
  const best = cheaper.usdPerHour < usdPerHour ? cheaper : { usdPerHour, row }
  const { key, from, to, need, share = Number.POSITIVE_INFINITY, note } = step
  const brings = { offers: offers + cheaper.offers, usdPerHour: best.usdPerHour, row: best.row }
  return { key, from, to, ...brings, need, share, ...(note !== undefined && { note }) }
}

const NONE_CHEAPER: Admitted = { offers: 0, usdPerHour: Number.POSITIVE_INFINITY, row: -1 }

function isOtherTerms({ need }: Loosening, { judgement }: World): boolean {
  return need.market !== judgement.need.market
}

/**
 * Offers that fit already and are sold for less on the other terms, too: a plan would take those terms. Read by columns,
 * because all fitting offers are checked.
 */
function becomesCheaper({ need }: Question, { snapshot, tally }: World): Admitted {
  const { usdPerHour: asked, spotUsdPerHour: spot } = snapshot.rows
  const { rows, usdPerHour: before } = tally.order
  const columns = [
    ...(chooses(need.market, 'on-demand') ? [asked] : []),
    ...(chooses(need.market, 'spot') ? [spot] : []),
  ]
  let offers = 0
  let best = { usdPerHour: Number.POSITIVE_INFINITY, row: -1 }
  for (const { from, to } of tally.fits) {
    for (let position = from; position < to; position++) {
      const row = at(rows, position)
      // NaN means not sold on these terms; it compares as false with every price.
      let usdPerHour = at(before, position)
      let isLess = false
      for (const column of columns) {
        if (!(at(column, row) < usdPerHour)) continue
        usdPerHour = at(column, row)
        isLess = true
      }
      if (!isLess) continue
      offers++
      if (usdPerHour < best.usdPerHour) best = { usdPerHour, row }
    }
  }
  return { offers, ...best }
}

/** Small changes come before large ones, and both before changes of kind. */
function bySize(one: number, two: number): number {
  return one === two ? 0 : one - two
}

/**
 * Whether the filters that refused a band would now accept it. Machines, sites and states are checked once each, prices later.
 */
function passesNow(question: Question, { snapshot }: World): (filters: readonly AnyFilter[], band: Band) => boolean {
  const answers: Uint8Array[] = []
  const { groups } = snapshot
  const passes = (filter: Exclude<AnyFilter, Filter<'price'>>, band: Band): boolean => {
    const own = (answers[filter.rank] ??= new Uint8Array(snapshot[`${filter.about}s`].length))
    const subject = at(groups[filter.about], band.group)
    if (own[subject] === NOT_ASKED) {
      const spot = { snapshot, group: band.group, row: at(groups.start, band.group) }
      own[subject] = refusalAt(filter, spot, question) === undefined ? PASSES : FAILS
    }
    return own[subject] === PASSES
  }
  return (filters, band) => {
    for (const filter of filters) if (filter.about !== 'price' && !passes(filter, band)) return false
    return true
  }
}

const NOT_ASKED = 0
const PASSES = 1
const FAILS = 2

interface Admitted {
  readonly offers: number
  /** The cheapest of them. */
  readonly usdPerHour: number
  readonly row: number
}

function whole(band: Band, { tally: { order } }: World): Admitted {
  return { offers: band.to - band.from, usdPerHour: at(order.usdPerHour, band.from), row: at(order.rows, band.from) }
}

/** Every price filter checks each offer of the band: new terms bring a new price. */
function admitted(band: Band, question: Question, { snapshot, tally }: World): Admitted {
  let offers = 0
  let best = { usdPerHour: Number.POSITIVE_INFINITY, row: -1 }
  for (const row of tally.order.rows.subarray(band.from, band.to)) {
    const price = priceFor(snapshot, row, question.need)
    const usdPerHour = priceOn(price, question.need.market)
    if (usdPerHour === undefined || FILTERS.price.some((filter) => refusal(filter, price, question) !== undefined))
      continue
    offers++
    if (usdPerHour < best.usdPerHour) best = { usdPerHour, row }
  }
  return { offers, ...best }
}

/** Of the steps of one filter: the nearest that helps, and the one that admits the cheapest offer. */
function worthSaying(counted: readonly Relaxation[]): readonly Relaxation[] {
  const helpful = counted.filter((relaxation) => relaxation.offers > 0)
  const [first] = helpful
  if (first === undefined) return []
  const cheapest = helpful.reduce((best, next) => (next.usdPerHour < best.usdPerHour ? next : best))
  return first === cheapest ? [first] : [first, cheapest]
}

function unique(steps: readonly Loosening[]): readonly Loosening[] {
  return [...new Map(steps.map((step) => [`${step.key} ${step.to}`, step])).values()]
}

function firstSpot(band: Band, { snapshot, tally }: World): OfferSpot {
  return { snapshot, group: band.group, row: at(tally.order.rows, band.from) }
}

/** The price of the cheapest offer of the band; if no allowed terms have one, its price on any terms. */
function priceAt(band: Band, { snapshot, tally, judgement }: World): number {
  const price = priceFor(snapshot, at(tally.order.rows, band.from), judgement.need)
  return Math.min(price.usdPerHour ?? Number.POSITIVE_INFINITY, price.spotUsdPerHour ?? Number.POSITIVE_INFINITY)
}

function compareText(one: string, two: string): number {
  return one < two ? -1 : one > two ? 1 : 0
}
