import { assert, must } from '../base/assert.ts'
import { ALL_FILTERS, FILTERS } from '../requirement/filter/all-filters.ts'
import type { About, AnyFilter, Filter, Subjects } from '../requirement/filter/filter.ts'
import type { Reason } from '../requirement/reason.ts'
import { chooses } from '../requirement/need/choice.ts'
import type { Need } from '../requirement/need/need.ts'
import { at, machineIn, siteIn, stateIn, type Snapshot } from '../offer/snapshot.ts'
import { priceFor } from './share.ts'

/**
 * Which filters refuse which machines, sites and states, as bits. The verdict on every offer follows from these bits and its
 * price; the offer itself is not needed again.
 */
export interface Judgement {
  readonly need: Need
  readonly nowMs: number
  /** Bit i: MACHINE_FILTERS[i] refuses the machine. */
  readonly machines: Uint32Array
  /** Bit i: CIRCUMSTANCE_FILTERS[i] refuses the site, the state. */
  readonly sites: Uint32Array
  readonly states: Uint32Array
}

export const MACHINE_FILTERS: readonly AnyFilter[] = FILTERS.machine

/** All filters that are not about the machine, by rank. */
export const CIRCUMSTANCE_FILTERS: readonly AnyFilter[] = ALL_FILTERS.filter((filter) => filter.about !== 'machine')

assert(MACHINE_FILTERS.length < 32 && CIRCUMSTANCE_FILTERS.length < 21, 'one bit a filter')
assert(
  MACHINE_FILTERS.every((one) => CIRCUMSTANCE_FILTERS.every((two) => one.rank < two.rank)),
  'machine filters come before circumstance filters',
)

/** Runs every filter on every machine, site and state. */
export function judge(snapshot: Snapshot, need: Need, nowMs: number): Judgement {
  const question = { need, nowMs }
  const machines = Uint32Array.from(snapshot.machines, (machine) => machineBits(machine, question))
  return judgeAgain(snapshot, { need, machines }, nowMs)
}

/** Like `judge`, of the same need over the same machines at another time: what a machine is does not change with time. */
export function judgeAgain(
  snapshot: Snapshot,
  { need, machines }: Pick<Judgement, 'need' | 'machines'>,
  nowMs: number,
): Judgement {
  const question = { need, nowMs }
  return {
    ...question,
    machines,
    sites: Uint32Array.from(snapshot.sites, (site) => circumstanceBits('site', site, question)),
    states: Uint32Array.from(snapshot.states, (state) => circumstanceBits('state', state, question)),
  }
}

export interface Question {
  readonly need: Need
  readonly nowMs: number
}

/** A quarantined row is turned down for that alone: nothing else it states counts. */
export function machineBits(machine: Subjects['machine'], question: Question): number {
  const quarantined = machine.quarantine !== undefined
  const filters = quarantined ? FILTERS.machine.slice(0, 1) : FILTERS.machine
  return bits(filters, machine, question)
}

export function circumstanceBits<A extends Exclude<About, 'machine'>>(
  about: A,
  subject: Subjects[A],
  question: Question,
): number {
  let mask = 0
  for (const [filter, bit] of CIRCUMSTANCE_BITS[about])
    if (refusal(filter, subject, question) !== undefined) mask |= bit
  return mask
}

/** The filter's reason, unless it is an unknown value that the policy accepts. */
export function refusal<A extends About>(
  filter: Filter<A>,
  subject: Subjects[A],
  { need, nowMs }: Question,
): Reason | undefined {
  const reason = filter.check(subject, need, nowMs)
  if (reason === undefined || reason.found !== undefined) return reason
  return chooses(need.unknownAccepted, filter.name) ? undefined : reason
}

/** The filter's reason about the offer in this row of this group, if it refuses. */
export function refusalAt(
  filter: AnyFilter,
  { snapshot, group, row }: OfferSpot,
  question: Question,
): Reason | undefined {
  switch (filter.about) {
    case 'machine':
      return refusal(filter, machineIn(snapshot, group), question)
    case 'site':
      return refusal(filter, siteIn(snapshot, group), question)
    case 'state':
      return refusal(filter, stateIn(snapshot, group), question)
    case 'price':
      return refusal(filter, priceFor(snapshot, row, question.need), question)
  }
}

/** An offer, by its position. */
export interface OfferSpot {
  readonly snapshot: Snapshot
  readonly group: number
  readonly row: number
}

/** The circumstances of a group: its site and its state together. */
export function groupBits(snapshot: Snapshot, judgement: Judgement, group: number): number {
  const { groups } = snapshot
  return at(judgement.sites, at(groups.site, group)) | at(judgement.states, at(groups.state, group))
}

const CIRCUMSTANCE_BITS: { readonly [A in Exclude<About, 'machine'>]: readonly (readonly [Filter<A>, number])[] } = {
  site: FILTERS.site.map((filter) => [filter, bitOf(filter)]),
  state: FILTERS.state.map((filter) => [filter, bitOf(filter)]),
  price: FILTERS.price.map((filter) => [filter, bitOf(filter)]),
}

function bitOf(filter: AnyFilter): number {
  return 1 << CIRCUMSTANCE_FILTERS.indexOf(filter)
}

function bits(filters: readonly Filter<'machine'>[], machine: Subjects['machine'], question: Question): number {
  let mask = 0
  for (let index = 0; index < filters.length; index++) {
    if (refusal(must(filters[index], 'inside'), machine, question) !== undefined) mask |= 1 << index
  }
  return mask
}
