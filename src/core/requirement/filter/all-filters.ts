import * as registered from './registry.ts'
import { KEYED } from './keyed.ts'
import type { About, AnyFilter, Filter } from './filter.ts'
import type { ReasonDoc } from '../reason.ts'

/** Every filter, in the order in which refusals are counted. */
export const ALL_FILTERS: readonly AnyFilter[] = [...Object.values<AnyFilter>(registered), ...KEYED].sort(
  (one, two) => one.rank - two.rank,
)

/** The filters by what they look at, each list in the same order. */
export const FILTERS: { readonly [A in About]: readonly Filter<A>[] } = {
  machine: ALL_FILTERS.filter((filter) => filter.about === 'machine'),
  site: ALL_FILTERS.filter((filter) => filter.about === 'site'),
  state: ALL_FILTERS.filter((filter) => filter.about === 'state'),
  price: ALL_FILTERS.filter((filter) => filter.about === 'price'),
}

/** The names that policies use under `unknown.accept`. */
export const FILTER_NAMES: readonly string[] = ALL_FILTERS.map((filter) => filter.name)

/** Every reason, by code. */
export const REASONS: Readonly<Record<string, ReasonDoc>> = Object.assign(
  {},
  ...ALL_FILTERS.map((filter) => filter.reasons),
)
