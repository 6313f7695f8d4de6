import type { AnyFilter } from '../../requirement/filter/filter.ts'
import type { Snapshot } from '../../offer/snapshot.ts'
import type { Judgement } from '../judge.ts'
import { failing, forEachBand, walkOver, type Tally, type Walk } from '../tally.ts'

/** Requirements that offers meet one by one, but never all together. */
export interface Conflict {
  readonly parts: readonly ConflictPart[]
}

interface ConflictPart {
  readonly filter: string
  /** Offers that meet this requirement; for GPU requirements, only offers with a GPU are counted. */
  readonly offers: number
}

/**
 * Why nothing fits: the smallest set of requirements that no offer meets together. A single part means that no offer meets
 * that requirement at all. Undefined if something fits, or if there are no offers. Offers that no change could help are
 * ignored.
 */
export function conflict(snapshot: Snapshot, judgement: Judgement, tally: Tally): Conflict | undefined {
  if (tally.fits.length > 0 || snapshot.machines.length === 0) return undefined
  const masks = conceivable(profiles(walkOver(snapshot, judgement)))
  const filters = [...new Set(masks.flatMap((mask) => [...mask.filters]))].sort((one, two) => one.rank - two.rank)
  const together = smallest(filters, masks)
  return { parts: together.map((filter) => ({ filter: filter.name, offers: meeting(filter, masks) })) }
}

/** Quarantined rows and machines without a GPU are ignored, unless there are no others: no change could help them. */
function conceivable(masks: readonly Mask[]): readonly Mask[] {
  const inQuestion = masks.filter((mask) => ![...mask.filters].some((filter) => filter.final === true))
  return inQuestion.length === 0 ? masks : inQuestion
}

interface Mask {
  readonly offers: number
  readonly filters: ReadonlySet<AnyFilter>
}

/**
 * The smallest set of filters of which every offer fails at least one: an exact search up to three, greedy elimination beyond.
 */
function smallest(filters: readonly AnyFilter[], masks: readonly Mask[]): readonly AnyFilter[] {
  const stops = (set: readonly AnyFilter[]): boolean =>
    masks.every((mask) => set.some((filter) => mask.filters.has(filter)))
  for (const size of [1, 2, 3]) {
    for (const set of subsets(filters, size)) if (stops(set)) return set
  }
  return filters.reduce<readonly AnyFilter[]>((kept, filter) => {
    const without = kept.filter((other) => other !== filter)
    return stops(without) ? without : kept
  }, filters)
}

function* subsets(filters: readonly AnyFilter[], size: number): Iterable<readonly AnyFilter[]> {
  if (size === 0) {
    yield []
    return
  }
  for (const [index, filter] of filters.entries()) {
    for (const rest of subsets(filters.slice(index + 1), size - 1)) yield [filter, ...rest]
  }
}

function meeting(filter: AnyFilter, masks: readonly Mask[]): number {
  return masks
    .filter((mask) => !mask.filters.has(filter) && [...mask.filters].every((other) => other.final !== true))
    .reduce((sum, mask) => sum + mask.offers, 0)
}

/** Offers that fail exactly the same filters, counted together. */
function profiles(walk: Walk): readonly Mask[] {
  const counts = new Map<readonly AnyFilter[], number>()
  walk.snapshot.machines.forEach((_, machine) =>
    forEachBand(machine, walk, (band) =>
      counts.set(failing(band), (counts.get(failing(band)) ?? 0) + band.to - band.from),
    ),
  )
  return [...counts].map(([filters, offers]) => ({ offers, filters: new Set(filters) }))
}
