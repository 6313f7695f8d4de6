import { must } from '../base/assert.ts'
import { ALL_FILTERS } from '../requirement/filter/all-filters.ts'
import type { AnyFilter } from '../requirement/filter/filter.ts'
import type { Price } from '../offer/machine.ts'
import { at, groupOf, type Snapshot } from '../offer/snapshot.ts'
import { classesOf, isQuarantined } from './classes.ts'
import { CIRCUMSTANCE_FILTERS, circumstanceBits, groupBits, MACHINE_FILTERS, type Judgement } from './judge.ts'
import { priceOrder, type PriceOrder } from './price-order.ts'
import { priceFor } from './share.ts'

/** The filters that refuse an offer: bits of MACHINE_FILTERS and of CIRCUMSTANCE_FILTERS. Both zero: it fits. */
export interface Verdict {
  readonly machine: number
  readonly circumstance: number
}

/** A range of a group's rows, by price, that share one verdict. */
export interface Band extends Verdict {
  readonly group: number
  /** Positions in the price order: from, and up to but not including. */
  readonly from: number
  readonly to: number
}

/** Every offer belongs either to a class that is shut or to one band. */
export interface Tally {
  readonly order: PriceOrder
  /** Machines whose hardware alone rules out all their offers by far: they are counted as a whole, never one by one. */
  readonly shut: readonly number[]
  readonly bands: readonly Band[]
  /** Bands that fit, at most one per group. */
  readonly fits: readonly Band[]
  /** Bands that fail one or two filters, none of them final: a single change might admit them. */
  readonly near: readonly Band[]
}

/** Sorts all offers by what they fail, classes first. */
export function tally(snapshot: Snapshot, judgement: Judgement): Tally {
  const walk = walkOver(snapshot, judgement)
  const shut: number[] = []
  const bands: Band[] = []
  for (let machine = 0; machine < snapshot.machines.length; machine++) {
    const mask = at(judgement.machines, machine)
    if (mask !== 0 && !isNear({ machine: mask, circumstance: 0 })) shut.push(machine)
    else forEachBand(machine, walk, (band) => bands.push(band))
  }
  return {
    order: walk.order,
    shut,
    bands,
    fits: bands.filter(fits),
    near: bands.filter((band) => !fits(band) && isNear(band)),
  }
}

/** What a walk over bands needs. */
export interface Walk {
  readonly snapshot: Snapshot
  readonly judgement: Judgement
  readonly order: PriceOrder
  /** What the price filters say about each kind of price, once known. */
  readonly priceBits: Map<PriceKind, number>
}

type PriceKind = 'affordable' | 'over' | 'unsold'

export function walkOver(snapshot: Snapshot, judgement: Judgement): Walk {
  return { snapshot, judgement, order: priceOrder(snapshot, judgement.need), priceBits: new Map() }
}

/** Visits every range of a machine's offers that share a verdict. */
export function forEachBand(machine: number, walk: Walk, visit: (band: Band) => void): void {
  const { snapshot, judgement } = walk
  const { groups } = classesOf(snapshot)
  const mask = at(judgement.machines, machine)
  const believed = !isQuarantined(snapshot, machine)
  for (let group = at(groups, machine); group < at(groups, machine + 1); group++) {
    const from = at(snapshot.groups.start, group)
    const to = at(snapshot.groups.start, group + 1)
    const circumstance = believed ? groupBits(snapshot, judgement, group) : 0
    const whole = { group, from, to, machine: mask, circumstance }
    if (believed) visitBands(whole, walk, visit)
    else visit(whole)
  }
}

export function fits({ machine, circumstance }: Verdict): boolean {
  return machine === 0 && circumstance === 0
}

/** The verdict on a single row. */
export function verdictOf(snapshot: Snapshot, judgement: Judgement, row: number): Verdict {
  const group = groupOf(snapshot, row)
  const index = at(snapshot.groups.machine, group)
  const machine = at(judgement.machines, index)
  if (isQuarantined(snapshot, index)) return { machine, circumstance: 0 }
  return {
    machine,
    circumstance:
      groupBits(snapshot, judgement, group) |
      circumstanceBits('price', priceFor(snapshot, row, judgement.need), judgement),
  }
}

/** All filters that refuse, in counting order. */
export function failing({ machine, circumstance }: Verdict): readonly AnyFilter[] {
  const own = FAILING.get(machine) ?? new Map<number, readonly AnyFilter[]>()
  FAILING.set(machine, own)
  const known = own.get(circumstance)
  if (known !== undefined) return known
  const found = [
    ...MACHINE_FILTERS.filter((_, index) => (machine & (1 << index)) !== 0),
    ...CIRCUMSTANCE_FILTERS.filter((_, index) => (circumstance & (1 << index)) !== 0),
  ].sort((one, two) => one.rank - two.rank)
  own.set(circumstance, found)
  return found
}

/** By machine bits, then by circumstance bits: one entry for each combination of refusals that occurs, a few hundred in all. */
const FAILING = new Map<number, Map<number, readonly AnyFilter[]>>()

const FINAL = MACHINE_FILTERS.reduce((mask, filter, index) => (filter.final === true ? mask | (1 << index) : mask), 0)

function isNear({ machine, circumstance }: Verdict): boolean {
  return (machine & FINAL) === 0 && bitCount(machine) + bitCount(circumstance) <= 2
}

function bitCount(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Within a group the verdict changes at two prices only: the policy's ceiling, and "not sold on these terms". */
function visitBands(whole: Band, walk: Walk, visit: (band: Band) => void): void {
  const { usdPerHour } = walk.order
  const max = walk.judgement.need.usdPerHour.max ?? Number.POSITIVE_INFINITY
  const { from, to } = whole
  if (at(usdPerHour, to - 1) <= max) {
    visit(priced(whole, 'affordable', walk))
    return
  }
  const unsold = firstWhere(whole, (position) => Number.isNaN(at(usdPerHour, position)))
  const over = firstWhere({ from, to: unsold }, (position) => at(usdPerHour, position) > max)
  if (from < over) visit(priced({ ...whole, to: over }, 'affordable', walk))
  if (over < unsold) visit(priced({ ...whole, from: over, to: unsold }, 'over', walk))
  if (unsold < to) visit(priced({ ...whole, from: unsold }, 'unsold', walk))
}

/** Adds the verdict of the price filters to the band. It is the same for all prices of one kind. */
function priced(band: Band, kind: PriceKind, { snapshot, order, judgement, priceBits }: Walk): Band {
  const price = (): Price => priceFor(snapshot, at(order.rows, band.from), judgement.need)
  const bits = priceBits.get(kind) ?? circumstanceBits('price', price(), judgement)
  priceBits.set(kind, bits)
  return bits === 0 ? band : { ...band, circumstance: band.circumstance | bits }
}

/** The first position for which the claim holds, given that it holds for all after it. */
function firstWhere({ from, to }: Pick<Band, 'from' | 'to'>, claim: (position: number) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >> 1
    if (claim(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The first filter that refuses, in counting order. */
export function firstFailing(verdict: Verdict): AnyFilter {
  return must(failing(verdict)[0], 'a refused offer fails something')
}

/** The place of a filter in counting order. */
export function placeOf(filter: AnyFilter): number {
  return ALL_FILTERS.indexOf(filter)
}
