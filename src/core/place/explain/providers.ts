import { must } from '../../base/assert.ts'
import { ALL_FILTERS } from '../../requirement/filter/all-filters.ts'
import type { AnyFilter } from '../../requirement/filter/filter.ts'
import { at, groupOf, type Snapshot } from '../../offer/snapshot.ts'
import { classesOf } from '../classes.ts'
import type { Judgement } from '../judge.ts'
import { shadowsOf } from './shadows.ts'
import { firstFailing, fits, placeOf, verdictOf, type Tally } from '../tally.ts'

/** How many offers of one provider fit, and how many do not. */
export interface ProviderCount {
  readonly provider: string
  readonly fitting: number
  readonly refused: number
  /** The filter that turns down most of its offers, each counted under its first failing filter. */
  readonly mostly: AnyFilter | undefined
}

/** Counts by provider, in the order of the snapshot's sites. */
export function countProviders(snapshot: Snapshot, judgement: Judgement, tally: Tally): readonly ProviderCount[] {
  const { groups } = snapshot
  // A row of counters for each site: one per filter, and a last one for offers that fit.
  const width = ALL_FILTERS.length + 1
  const counters = new Uint32Array(snapshot.sites.length * width)
  const add = (group: number, place: number, offers: number): void => {
    const counter = at(groups.site, group) * width + place
    counters[counter] = at(counters, counter) + offers
  }
  const classes = classesOf(snapshot)
  for (const machine of tally.shut) {
    const place = placeOf(firstFailing({ machine: at(judgement.machines, machine), circumstance: 0 }))
    for (let group = at(classes.groups, machine); group < at(classes.groups, machine + 1); group++) {
      add(group, place, at(groups.start, group + 1) - at(groups.start, group))
    }
  }
  for (const band of tally.bands)
    add(band.group, fits(band) ? ALL_FILTERS.length : placeOf(firstFailing(band)), band.to - band.from)
  for (const row of shadowsOf(snapshot, judgement))
    add(groupOf(snapshot, row), placeOf(firstFailing(verdictOf(snapshot, judgement, row))), -1)
  return sumSites(snapshot, counters)
}

function sumSites(snapshot: Snapshot, counters: Uint32Array): readonly ProviderCount[] {
  const width = ALL_FILTERS.length + 1
  const providers = new Map<string, number[]>()
  snapshot.sites.forEach(({ provider }, site) => {
    const sum = providers.get(provider) ?? Array.from({ length: width }, () => 0)
    providers.set(provider, sum)
    for (let place = 0; place < width; place++)
      sum[place] = must(sum[place], 'as wide') + at(counters, site * width + place)
  })
  return [...providers].map(([provider, sum]) => {
    const refused = sum.slice(0, -1)
    const total = refused.reduce((all, count) => all + count, 0)
    const mostly = total === 0 ? undefined : ALL_FILTERS[refused.indexOf(Math.max(...refused))]
    return { provider, fitting: must(sum.at(-1), 'the last counts what fits'), refused: total, mostly }
  })
}
