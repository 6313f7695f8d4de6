import type { AnyFilter } from '../../requirement/filter/filter.ts'
import type { Snapshot } from '../../offer/snapshot.ts'
import type { Judgement } from '../judge.ts'
import { failing, forEachBand, walkOver, type Tally, type Walk } from '../tally.ts'

/** Requirements that offers meet one by one but never together. */
export interface Conflict {
  readonly parts: readonly ConflictPart[]
}

interface ConflictPart {
  readonly filter: string
  /** Offers that meet this one requirement; of requirements on GPUs, offers with a GPU. */
  readonly offers: number
}

/**
 * Why nothing fits: the smallest set of requirements that no offer meets together. One part means that nothing meets
 * that requirement at all. Undefined when something fits, or when there are no offers. Offers that no change could help
 * are left out of the question.
 */
export function conflict(snapshot: Snapshot, judgement: Judgement, tally: Tally): Conflict | undefined {
  if (tally.fits.length > 0 || snapshot.machines.length === 0) return undefined
  const masks = conceivable(profiles(walkOver(snapshot, judgement)))
  const filters = [...new Set(masks.flatMap((mask) => [...mask.filters]))].sort((one, two) => one.rank - two.rank)
  const together = smallest(filters, masks)
  return { parts: together.map((filter) => ({ filter: filter.name, offers: meeting(filter, masks) })) }
}

/** Rows that nobody believes and machines without a GPU collide with nothing: they are out of the question, unless all are. */
function conceivable(masks: readonly Mask[]): readonly Mask[] {
  const inQuestion = masks.filter((mask) => ![...mask.filters].some((filter) => filter.final === true))
  return inQuestion.length === 0 ? masks : inQuestion
}

interface Mask {
  readonly offers: number
  readonly filters: ReadonlySet<AnyFilter>
}

/** The smallest set of filters of which every offer fails at least one: up to three by search, beyond that by leaving out. */
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
