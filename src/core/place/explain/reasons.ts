import { must } from '../../base/assert.ts'
import { FILTERS } from '../../requirement/filter/all-filters.ts'
import type { AnyFilter } from '../../requirement/filter/filter.ts'
import type { Reason } from '../../requirement/reason.ts'
import { at, groupOf, type Snapshot } from '../../offer/snapshot.ts'
import { priceFor } from '../share.ts'
import { classesOf, isQuarantined } from '../classes.ts'
import { CIRCUMSTANCE_FILTERS, refusal, refusalAt, type Judgement } from '../judge.ts'
import { shadowsOf } from './shadows.ts'
import { failing, firstFailing, fits, verdictOf, type Tally } from '../tally.ts'

/** How often one reason was given. */
export interface ReasonCount {
  readonly code: string
  readonly filter: AnyFilter
  /** Offers counted under it: each offer once, under the first reason in counting order. */
  readonly first: number
  /** Offers that have it among their reasons. */
  readonly all: number
  /** The price of the cheapest offer counted under it. NaN: none of them is sold on the allowed terms. */
  readonly usdPerHour: number
  readonly row: number | undefined
  /** An example, for its text. */
  readonly reason: Reason
}

/** Counts every reason, most frequent first. Whole classes are counted at once, not offer by offer. */
export function countReasons(snapshot: Snapshot, judgement: Judgement, tally: Tally): readonly ReasonCount[] {
  const counts: Counts = new Map()
  const work = { snapshot, judgement, tally, counts }
  countMachines(work)
  countCircumstances(work)
  countPrices(work)
  countFirst(work)
  takeShadows(work)
  return [...counts.values()]
    .filter(({ all }) => all > 0)
    .sort((one, two) => two.first - one.first || one.filter.rank - two.filter.rank || (one.code < two.code ? -1 : 1))
}

type Counts = Map<string, { -readonly [K in keyof ReasonCount]: ReasonCount[K] }>

interface Work {
  readonly snapshot: Snapshot
  readonly judgement: Judgement
  readonly tally: Tally
  readonly counts: Counts
}

function countMachines({ snapshot, judgement, counts }: Work): void {
  const { rows } = classesOf(snapshot)
  snapshot.machines.forEach((machine, index) => {
    const mask = at(judgement.machines, index)
    if (mask === 0) return
    for (const filter of failing({ machine: mask, circumstance: 0 })) {
      if (filter.about !== 'machine') continue
      countOf(filter, must(refusal(filter, machine, judgement), 'it refused before'), counts).all +=
        at(rows, index + 1) - at(rows, index)
    }
  })
}

function countCircumstances({ snapshot, judgement, counts }: Work): void {
  const { siteRows, stateRows } = classesOf(snapshot)
  const add = (filter: AnyFilter, reason: Reason | undefined, offers: number): void => {
    if (reason !== undefined && offers > 0) countOf(filter, reason, counts).all += offers
  }
  for (const filter of CIRCUMSTANCE_FILTERS) {
    if (filter.about === 'site')
      snapshot.sites.forEach((site, index) => add(filter, refusal(filter, site, judgement), at(siteRows, index)))
    if (filter.about === 'state')
      snapshot.states.forEach((state, index) => add(filter, refusal(filter, state, judgement), at(stateRows, index)))
  }
}

/** There are three kinds of prices: affordable, over the ceiling, and not sold on these terms. */
function countPrices({ snapshot, judgement, tally: { order }, counts }: Work): void {
  const max = judgement.need.usdPerHour.max ?? Number.POSITIVE_INFINITY
  const { over, unsold } = outOfReach(snapshot, order.usdPerHour, max)
  for (const { offers, position } of [over, unsold]) {
    if (offers === 0) continue
    const price = priceFor(snapshot, at(order.rows, position), judgement.need)
    for (const filter of FILTERS.price) {
      const reason = refusal(filter, price, judgement)
      if (reason !== undefined) countOf(filter, reason, counts).all += offers
    }
  }
}

/** A number of offers, and the position of one of them. */
interface Some {
  offers: number
  position: number
}

/** Each group ends with its dearest offers, so its last offer tells whether any of them is too expensive. */
function outOfReach(
  snapshot: Snapshot,
  prices: Float64Array,
  max: number,
): { readonly over: Some; readonly unsold: Some } {
  const { machine, start } = snapshot.groups
  const over = { offers: 0, position: -1 }
  const unsold = { offers: 0, position: -1 }
  for (let group = 0; group < machine.length; group++) {
    let position = at(start, group + 1) - 1
    if (at(prices, position) <= max || isQuarantined(snapshot, at(machine, group))) continue
    for (; position >= at(start, group) && !(at(prices, position) <= max); position--) {
      const some = at(prices, position) > max ? over : unsold
      some.offers++
      some.position = position
    }
  }
  return { over, unsold }
}

/** Each refused offer once, under the first of its reasons. */
function countFirst({ snapshot, judgement, tally, counts }: Work): void {
  const { rows } = classesOf(snapshot)
  const reasonFor = reasonBook(snapshot, judgement, tally)
  const count = (filter: AnyFilter, stretch: Stretch): void => {
    const sum = countOf(filter, reasonFor(filter, stretch), counts)
    const usdPerHour = at(tally.order.usdPerHour, stretch.best)
    sum.first += stretch.to - stretch.from
    if (sum.row !== undefined && !(usdPerHour < sum.usdPerHour) && !Number.isNaN(sum.usdPerHour)) return
    sum.usdPerHour = usdPerHour
    sum.row = at(tally.order.rows, stretch.best)
  }
  for (const machine of tally.shut) {
    const filter = firstFailing({ machine: at(judgement.machines, machine), circumstance: 0 })
    const best = at(tally.order.cheapest, machine)
    count(filter, { group: groupOf(snapshot, best), from: at(rows, machine), to: at(rows, machine + 1), best })
  }
  for (const band of tally.bands) if (!fits(band)) count(firstFailing(band), { ...band, best: band.from })
}

/** A second row of the same node is not counted again. */
function takeShadows({ snapshot, judgement, counts }: Work): void {
  for (const row of shadowsOf(snapshot, judgement)) {
    const spot = { snapshot, group: groupOf(snapshot, row), row }
    failing(verdictOf(snapshot, judgement, row)).forEach((filter, index) => {
      const sum = countOf(filter, must(refusalAt(filter, spot, judgement), 'it refused before'), counts)
      sum.all--
      if (index === 0) sum.first--
    })
  }
}

/** Looks up reasons by machine, site or state, so that each is computed once. */
function reasonBook(
  snapshot: Snapshot,
  judgement: Judgement,
  tally: Tally,
): (filter: AnyFilter, stretch: Stretch) => Reason {
  const books = new Map<AnyFilter, Reason[]>()
  const ask = (filter: AnyFilter, { group, best }: Stretch): Reason => {
    const spot = { snapshot, group, row: at(tally.order.rows, best) }
    return must(refusalAt(filter, spot, judgement), 'it refused before')
  }
  return (filter, stretch) => {
    if (filter.about === 'price') return ask(filter, stretch)
    const book = books.get(filter) ?? []
    books.set(filter, book)
    const subject = at(snapshot.groups[filter.about], stretch.group)
    const reason = book[subject] ?? ask(filter, stretch)
    book[subject] = reason
    return reason
  }
}

interface Stretch {
  readonly group: number
  readonly from: number
  readonly to: number
  /** Position of the cheapest offer. */
  readonly best: number
}

function countOf(
  filter: AnyFilter,
  reason: Reason,
  counts: Counts,
): { -readonly [K in keyof ReasonCount]: ReasonCount[K] } {
  const known = counts.get(reason.code)
  if (known !== undefined) return known
  const fresh = { code: reason.code, filter, first: 0, all: 0, usdPerHour: Number.NaN, row: undefined, reason }
  counts.set(reason.code, fresh)
  return fresh
}
