import { FILTERS } from '../requirement/filter/all-filters.ts'
import type { About, Filter, Subjects } from '../requirement/filter/filter.ts'
import type { Reason } from '../requirement/reason.ts'
import { chooses, oneOf } from '../requirement/need/choice.ts'
import type { Listing } from '../offer/snapshot.ts'
import { refusal, type Question } from './judge.ts'
import { paid } from './share.ts'

/** A requirement that an offer fails. */
export interface UnmetRequirement {
  readonly filter: string
  readonly rank: number
  readonly reason: Reason
}

/**
 * Every requirement that an offer fails, in counting order. It runs one filter after the other, for callers that ask about
 * a single offer. The planner's bits must agree with it.
 */
export function failuresOf(listing: Listing, question: Question): readonly UnmetRequirement[] {
  const { machine, site, state } = listing
  if (machine.quarantine !== undefined) return failuresAbout(FILTERS.machine.slice(0, 1), machine, question)
  const failures = [
    ...failuresAbout(FILTERS.machine, machine, question),
    ...failuresAbout(FILTERS.site, site, question),
    ...failuresAbout(FILTERS.state, state, question),
    ...failuresAbout(FILTERS.price, paid(listing, question.need), question),
  ]
  return failures.sort((one, two) => one.rank - two.rank)
}

/** Names of the filters that passed the offer without knowing the value, because the policy accepts that. */
export function unknownsOf(listing: Listing, { need, nowMs }: Question): readonly string[] {
  const strict = { need: { ...need, unknownAccepted: oneOf([]) }, nowMs }
  return failuresOf(listing, strict)
    .filter((failure) => failure.reason.found === undefined && chooses(need.unknownAccepted, failure.filter))
    .map((failure) => failure.filter)
}

function failuresAbout<A extends About>(
  filters: readonly Filter<A>[],
  subject: Subjects[A],
  question: Question,
): UnmetRequirement[] {
  return filters.flatMap((filter) => {
    const reason = refusal(filter, subject, question)
    return reason === undefined ? [] : [{ filter: filter.name, rank: filter.rank, reason }]
  })
}
