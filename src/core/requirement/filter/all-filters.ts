import * as registered from './registry.ts'
import type { About, AnyFilter, Filter, ReasonDoc } from './filter.ts'

/** Every filter in counting order. */
export const ALL_FILTERS: readonly AnyFilter[] = Object.values<AnyFilter>(registered).sort(
  (one, two) => one.rank - two.rank,
)

/** The filters by what they look at, each list in counting order. */
export const FILTERS: { readonly [A in About]: readonly Filter<A>[] } = {
  machine: ALL_FILTERS.filter((filter) => filter.about === 'machine'),
  site: ALL_FILTERS.filter((filter) => filter.about === 'site'),
  state: ALL_FILTERS.filter((filter) => filter.about === 'state'),
  price: ALL_FILTERS.filter((filter) => filter.about === 'price'),
}

/** Names as policies use them under `unknown.accept`. */
export const FILTER_NAMES: readonly string[] = ALL_FILTERS.map((filter) => filter.name)

/** Every reason there is, by code. */
export const REASONS: Readonly<Record<string, ReasonDoc>> = Object.assign(
  {},
  ...ALL_FILTERS.map((filter) => filter.reasons),
)
