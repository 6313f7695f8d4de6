import type { Listing, Snapshot } from './snapshot.ts'

/** A row to come: the facts of an offer. Two rows may have one id. */
export type NewListing = Pick<Listing, 'id' | 'instance' | 'zone' | 'machine' | 'site' | 'state' | 'price'>

/** A snapshot with more rows. It is for one question: nobody may be given what only it lists. */
export function extended(snapshot: Snapshot, more: readonly NewListing[]): Snapshot {
  if (more.length === 0) return snapshot
  const { machines, sites, states, strings, groups, rows } = snapshot
  const count = rows.instance.length
  const texts = more.flatMap(({ id, instance, zone }) => [instance, zone ?? '', id])
  const textAt = (index: number, part: number): number => strings.length + 3 * index + part
  const words = (known: Uint32Array, next: (index: number) => number): Uint32Array =>
    Uint32Array.from([...known, ...more.map((_, index) => next(index))])
  const prices = (known: Float64Array, next: (listing: NewListing) => number | undefined): Float64Array =>
    Float64Array.from([...known, ...more.map((listing) => next(listing) ?? Number.NaN)])
  return {
    ...snapshot,
    version: `${snapshot.version}+${more.length}`,
    machines: [...machines, ...more.map(({ machine }) => machine)],
    sites: [...sites, ...more.map(({ site }) => site)],
    states: [...states, ...more.map(({ state }) => state)],
    strings: [...strings, ...texts],
    groups: {
      machine: words(groups.machine, (index) => machines.length + index),
      site: words(groups.site, (index) => sites.length + index),
      state: words(groups.state, (index) => states.length + index),
      start: words(groups.start, (index) => count + 1 + index),
    },
    rows: {
      instance: words(rows.instance, (index) => textAt(index, 0)),
      zone: words(rows.zone, (index) => textAt(index, 1)),
      id: words(rows.id, (index) => textAt(index, 2)),
      usdPerHour: prices(rows.usdPerHour, ({ price }) => price.usdPerHour),
      spotUsdPerHour: prices(rows.spotUsdPerHour, ({ price }) => price.spotUsdPerHour),
    },
  }
}
