import { assert, must } from '../../base/assert.ts'
import { modelFacts } from '../../hardware/family.ts'
import { migShape, type MigShape, type SliceProfile } from './shape.ts'
import { migTables, run, type MigTables } from './tables.ts'

/**
 * How the cards of one model are cut into slices. The state of a card is the mask of its taken memory slices, 0 when idle.
 * A slice that exists is never moved or resized. When the last slice is gone, the card is whole again.
 */
export interface MigRules extends MigShape {
  /** Id of the model, or of its family if only that is known. */
  readonly model: string
  /** Units of the driver's positions per memory slice. */
  readonly unitsPerSlice: number
  readonly tables: MigTables
}

/** The rules for a model of the hardware table; undefined: it is not known, or cannot be cut. */
export function migRules(model: string): MigRules | undefined {
  const known = KNOWN.get(model)
  if (known !== undefined) return known
  const rules = rulesFor(model)
  if (rules !== undefined) KNOWN.set(model, rules)
  return rules
}

/** The smallest profile with this much memory: fewest memory slices, then least compute; undefined: none has that much. */
export function smallestProfile({ profiles }: MigRules, vramGib: number): number | undefined {
  let best: number | undefined
  for (const [index, profile] of profiles.entries()) {
    if (profile.gib < vramGib) continue
    const other = best === undefined ? undefined : profiles[best]
    if (other === undefined || isSmaller(profile, other)) best = index
  }
  return best
}

/** Memory slices at which a profile may start, ascending. */
export function startsFor(rules: MigRules, profile: number): readonly number[] {
  return profileAt(rules, profile).starts
}

/** `1g.10gb` */
export function profileName(rules: MigRules, profile: number): string {
  return profileAt(rules, profile).name
}

/** The mask of the memory slices that a profile takes from a given start. */
export function runOf(rules: MigRules, profile: number, start: number): number {
  return run(profileAt(rules, profile), start)
}

/** The first memory slice of a run. */
export function positionOf(slices: number): number {
  return 31 - Math.clz32(slices & -slices)
}

/** Where to cut a slice so that the rest of the card stays most useful; -1: it does not fit. */
export function chooseStart({ profiles, tables }: MigRules, taken: number, profile: number): number {
  return tables.start[taken * profiles.length + profile] ?? -1
}

/** The mask after a slice has been cut. */
export function take(taken: number, slices: number): number {
  assert((taken & slices) === 0, 'slices are cut out of free memory')
  return taken | slices
}

/** How useful the rest of a card is: 1000 when it is idle, 0 when nothing fits. Taking more never raises it. */
export function valueOf({ tables }: MigRules, taken: number): number {
  return tables.value[taken] ?? 0
}

/** How much of that value is lost when a slice of this profile is cut at the least harmful position; -1: it does not fit. */
export function lossOf({ profiles, tables }: MigRules, taken: number, profile: number): number {
  return tables.loss[taken * profiles.length + profile] ?? -1
}

/** How many slices of each profile can still be cut, if no others are. */
export function stillPossible({ profiles, tables }: MigRules, taken: number): readonly number[] {
  return [...tables.left.subarray(taken * profiles.length, (taken + 1) * profiles.length)]
}

/** Rules that were requested before. The tables are expensive, so they are built once per model, on first use. */
const KNOWN = new Map<string, MigRules>()

/** Drivers count positions in memory slices, except on these cards: a quarter of such a card is three units. */
const UNITS_PER_SLICE: Readonly<Record<string, number>> = { 'blackwell-rtx': 3 }

function rulesFor(model: string): MigRules | undefined {
  const gpu = modelFacts(model)
  const shape = gpu === undefined ? undefined : migShape(gpu)
  if (gpu === undefined || shape === undefined) return undefined
  const everyProfile = shape.profiles.map(() => 1)
  return {
    ...shape,
    model,
    unitsPerSlice: UNITS_PER_SLICE[gpu.arch] ?? 1,
    tables: migTables(shape, everyProfile),
  }
}

function isSmaller(one: SliceProfile, two: SliceProfile): boolean {
  return one.size < two.size || (one.size === two.size && one.compute < two.compute)
}

function profileAt({ profiles }: MigRules, profile: number): SliceProfile {
  return must(profiles[profile], 'a profile is an index into the profiles of its card')
}
